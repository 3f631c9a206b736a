/**
 * Everything that translated requests say without a client having said it. Each states a fact about the request; nothing stands
 * in for what a dialect lacks.
 */

/** Opens a conversation whose first turn is the assistant's, at providers that require a turn of the user first. */
export const assistantBegan = '(The assistant began this conversation.)'

/** Names a document to providers that refuse one without a text beside it. */
export const attached = (name: string): string => `Attached: ${name}`

/** The result of a search for tools: their definitions are part of the request. */
export const loadedTools = (names: readonly string[]): string => `Loaded: ${names.join(', ')}`

/** Points from a tool result to the pictures and files that follow it in a message of the user. */
export const seeNext = 'See the next message.'

/** Names the tool call whose pictures and files follow. */
export const resultOf = (callId: string): string => `Result of tool call ${callId}:`

/** Heads the message of another agent, which a provider without agents gets as a turn of the user. */
export const agentHead = (author: string, recipient: string): string => `Message from ${author} to ${recipient}:`

/** Stands where the message of another agent holds what only its provider can decrypt. */
export const onlyEncrypted = '[encrypted: only the provider that wrote this can read it]'

/** Heads the summary that took the place of the turns before it. */
export const summaryOf = (text: string): string => `Summary of the conversation before this point:\n\n${text}`
