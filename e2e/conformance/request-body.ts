import { anthropicDialect, anthropicMessages } from '../../server/src/dialects/anthropic/dialect.ts'
import type { Conversation } from '../../server/src/dialects/conversation/conversation.ts'
import { InexpressibleError } from '../../server/src/dialects/conversation/gaps/inexpressible.ts'
import { createUnsupportedFields } from '../../server/src/dialects/conversation/unsupported-fields.ts'
import type { ClientDialect, UpstreamDialect } from '../../server/src/dialects/dialect.ts'
import { geminiContent, geminiDialect } from '../../server/src/dialects/gemini/dialect.ts'
import { openaiChat, openaiChatDialect } from '../../server/src/dialects/openai-chat/dialect.ts'
import { openaiResponses, openaiResponsesDialect } from '../../server/src/dialects/openai-responses/dialect.ts'
import type { Recording } from '../../server/test/support/relay/wire.ts'
import type { DialectName } from './dialect-name.ts'
import type { Json } from './parsed-answer.ts'
import type { Served } from './served.ts'

/** Builds the request that a client of another dialect would have sent to get the recorded answer. */

const readers: Readonly<Record<DialectName, ClientDialect>> = {
  'openai-chat': openaiChatDialect,
  'openai-responses': openaiResponsesDialect,
  anthropic: anthropicDialect,
  gemini: geminiDialect,
}

/** Writers of each dialect with all features of the dialect. */
const writers: Readonly<Record<DialectName, UpstreamDialect>> = {
  'openai-chat': openaiChat({
    thoughts: 'reasoning_details',
    effort: () => true,
    topK: true,
    cacheMarks: true,
    toolPictures: true,
    ownModels: false,
  }),
  'openai-responses': openaiResponses,
  anthropic: anthropicMessages({ adaptive: () => true, sampling: () => true }),
  gemini: geminiContent(),
}

const usual: Omit<Conversation, 'model' | 'stream'> = {
  streamUsage: true,
  messages: [
    { role: 'system', parts: [{ kind: 'text', text: 'Be brief.' }] },
    { role: 'user', parts: [{ kind: 'text', text: 'What is the weather in Paris?' }] },
  ],
  tools: [
    {
      kind: 'function',
      name: 'weather',
      description: 'The weather of a city',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
  ],
  maxTokens: 1000,
  own: { dialect: 'openai-chat', members: {} },
}

const conversationOf = ({ request, stream }: Recording, { native }: Served['wire'], model: string): Conversation => {
  if (native === undefined || request.body === null) return { ...usual, model, stream }
  const { n: _, ...conversation } = readers[native].readRequest(request.body, { model, stream })
  // One recorded request has no messages and was refused: Google's client would not send it.
  const messages = conversation.messages.length > 0 ? conversation.messages : usual.messages
  return { ...conversation, messages, streamUsage: true }
}

/** A client whose dialect lacks what was asked (a video alone, say) asks the usual question: the recorded answer is the same. */
const written = (client: DialectName, conversation: Conversation): Json => {
  try {
    return writers[client].writeRequest(conversation, createUnsupportedFields())
  } catch (error) {
    if (!(error instanceof InexpressibleError)) throw error
    return writers[client].writeRequest({ ...conversation, messages: usual.messages }, createUnsupportedFields())
  }
}

/** The request body for a client; the recorded body unchanged if the client speaks the recorded dialect. */
export const bodyFor = (recording: Recording, { wire, model }: Served, client: DialectName): Json => {
  const name = model?.(recording) ?? recording.model ?? 'unnamed'
  if (wire.native === client && recording.request.body !== null) {
    if (client === 'gemini') return recording.request.body
    const stream = recording.stream ? { stream: true } : {}
    return { ...recording.request.body, ...(recording.format.startsWith('bedrock') ? stream : {}), model: name }
  }
  return written(client, conversationOf(recording, wire, name))
}

export const modelOf = (recording: Recording, { model }: Served): string =>
  model?.(recording) ?? recording.model ?? 'unnamed'
