import { randomUUID } from 'node:crypto'
import type { Conversation, MediaSource, Message, Part } from '../../dialects/conversation/conversation.ts'
import type { JsonObject } from '../../dialects/conversation/json.ts'
import type { UnsupportedFields } from '../../dialects/conversation/unsupported-fields.ts'

const kinds: Readonly<Partial<Record<Part['kind'], string>>> = {
  image: 'image',
  audio: 'audio',
  video: 'video',
  document: 'document',
}

/** A file of a message. Inline bytes are uploaded when the call is signed (`uploads.ts`). */
const fileOf = (type: string, source: MediaSource, filename: string | undefined): JsonObject =>
  source.kind === 'base64'
    ? {
        type,
        transfer_method: 'local_file',
        bytes: source.data,
        media_type: source.mediaType,
        filename: filename ?? type,
      }
    : { type, transfer_method: 'remote_url', url: source.kind === 'url' ? source.url : '' }

const filesOf = (parts: readonly Part[], unsupported: UnsupportedFields): JsonObject[] =>
  parts.flatMap((part) => {
    const type = kinds[part.kind]
    if (type === undefined || !('source' in part)) return []
    const { source } = part
    if (source.kind === 'text') return []
    if (source.kind === 'file') {
      unsupported.add(`messages.${part.kind}.file_id`)
      return []
    }
    return [fileOf(type, source, 'filename' in part ? part.filename : undefined)]
  })

const textOfPart = (part: Part, unsupported: UnsupportedFields): string => {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return part.text
    case 'document':
      return part.source.kind === 'text' ? part.source.text : ''
    case 'tool_result':
      unsupported.add('messages.tool_result')
      return part.content.map((inner) => textOfPart(inner, unsupported)).join('')
    case 'tool_call':
    case 'thinking':
    case 'opaque':
      unsupported.add(`messages.${part.kind}`)
      return ''
    default:
      return ''
  }
}

const speakers: Readonly<Record<Message['role'], string>> = {
  system: 'SYSTEM',
  developer: 'SYSTEM',
  user: 'USER',
  assistant: 'ASSISTANT',
  tool: 'USER',
}

/** An app takes one text: a conversation becomes one, with the role before each message. */
const queryOf = (messages: readonly Message[], unsupported: UnsupportedFields): string => {
  const turns = messages.map(({ role, parts }) => ({
    role,
    text: parts.map((part) => textOfPart(part, unsupported)).join(''),
  }))
  const [only] = turns
  if (turns.length === 1 && only?.role === 'user') return only.text
  return turns
    .filter(({ text }) => text !== '')
    .map(({ role, text }) => `${speakers[role]}: \n${text}`)
    .join('\n\n')
}

/** Settings that callers cannot make, because the app has its own. */
const unsupportedSettings = (conversation: Conversation): Readonly<Record<string, unknown>> => ({
  max_tokens: conversation.maxTokens,
  temperature: conversation.temperature,
  top_p: conversation.topP,
  top_k: conversation.topK,
  frequency_penalty: conversation.frequencyPenalty,
  presence_penalty: conversation.presencePenalty,
  seed: conversation.seed,
  stop: conversation.stop,
  n: conversation.n === 1 ? undefined : conversation.n,
  response_format: conversation.format?.kind === 'text' ? undefined : conversation.format,
  reasoning: conversation.reasoning,
  tools: conversation.tools.length > 0 ? conversation.tools : undefined,
  service_tier: conversation.serviceTier,
  verbosity: conversation.verbosity,
  logprobs: conversation.logprobs || undefined,
})

/** `inputs` (variables of the app) and `conversation_id`, which clients of OpenAI's dialect may send. */
const ownOf = ({ own }: Conversation, unsupported: UnsupportedFields): JsonObject => {
  const { inputs = {}, conversation_id: id, ...rest } = own.members
  for (const name of Object.keys(rest)) unsupported.add(name)
  return { inputs, ...(typeof id === 'string' ? { conversation_id: id } : {}) }
}

/** A message to an app, always streamed, because agents support nothing else (docs.dify.ai/api-reference). */
export const writeRequest = (conversation: Conversation, unsupported: UnsupportedFields): JsonObject => {
  for (const [name, value] of Object.entries(unsupportedSettings(conversation)))
    if (value !== undefined) unsupported.add(name)
  const files = conversation.messages.flatMap(({ parts }) => filesOf(parts, unsupported))
  return {
    ...ownOf(conversation, unsupported),
    query: queryOf(conversation.messages, unsupported),
    response_mode: 'streaming',
    // Files and conversations belong to one user, so callers without a name get a new one for each call.
    user: conversation.user ?? randomUUID(),
    auto_generate_name: false,
    ...(files.length > 0 ? { files } : {}),
  }
}
