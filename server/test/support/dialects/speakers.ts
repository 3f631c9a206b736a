import { anthropicDialect, anthropicMessages } from '../../../src/dialects/anthropic/dialect.ts'
import type { Conversation, DialectName } from '../../../src/dialects/conversation/conversation.ts'
import type { ClientDialect, UpstreamDialect } from '../../../src/dialects/dialect.ts'
import { geminiContent, geminiDialect } from '../../../src/dialects/gemini/dialect.ts'
import { openaiChat, openaiChatDialect } from '../../../src/dialects/openai-chat/dialect.ts'
import { openaiResponses, openaiResponsesDialect } from '../../../src/dialects/openai-responses/dialect.ts'

/** Both sides of a dialect. */
export interface Speaker {
  readonly name: DialectName
  readonly client: ClientDialect
  readonly upstream: UpstreamDialect
}

export const speakers: readonly Speaker[] = [
  { name: 'openai-chat', client: openaiChatDialect, upstream: openaiChat() },
  { name: 'openai-responses', client: openaiResponsesDialect, upstream: openaiResponses },
  { name: 'anthropic', client: anthropicDialect, upstream: anthropicMessages() },
  { name: 'gemini', client: geminiDialect, upstream: geminiContent() },
]

/** A conversation without words, for those who only need its settings. */
export const silentConversation: Conversation = {
  model: 'm',
  stream: true,
  streamUsage: true,
  messages: [],
  tools: [],
  own: { dialect: 'openai-chat', members: {} },
}
