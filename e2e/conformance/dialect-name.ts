/** The dialects that clients in this test speak. */
export type DialectName = 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini'
