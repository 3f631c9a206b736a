import { ownMember } from '@tollgate/contract/own-member'
import type { Conversation } from '../../dialects/conversation/conversation.ts'
import {
  defined,
  isObject,
  type JsonObject,
  listOf,
  membersOf,
  objectsOf,
  parsedJson,
  textOf,
} from '../../dialects/conversation/json.ts'
import type { StreamEvent } from '../../dialects/conversation/stream-event.ts'
import type { UnsupportedFields } from '../../dialects/conversation/unsupported-fields.ts'
import type { UpstreamDialect, UpstreamError } from '../../dialects/dialect.ts'
import type { ChatCapabilities } from '../../dialects/openai-chat/capabilities.ts'
import { openaiChat } from '../../dialects/openai-chat/dialect.ts'
import { openChunkReader } from '../../dialects/openai-chat/read-stream.ts'
import { plainCapabilities } from './plain-capabilities.ts'

/** An API that holds the same as OpenAI's chat completions in other places and under other names. */
export interface OpenaiShapedApi {
  readonly name: string
  readonly capabilities?: Partial<ChatCapabilities>
  /** Translates a chat completion request. */
  request(body: JsonObject, unsupported: UnsupportedFields, conversation: Conversation): JsonObject
  /** Translates a whole answer to a chat completion. */
  answer(json: JsonObject): JsonObject
  /** Opens a translator for the chunks of one stream; it may keep state. */
  openChunks(): (json: JsonObject) => JsonObject
  /** The error in an answer or a chunk, if it holds one. */
  errorOf(json: JsonObject): UpstreamError | undefined
}

const errorEvent = ({ message, type, code, status }: UpstreamError): StreamEvent => ({
  kind: 'error',
  type: type ?? 'upstream_error',
  message,
  ...defined({ code, status }),
})

/** Makes the dialect of an API from its translations to and from chat completions. */
export const openaiShaped = (api: OpenaiShapedApi): UpstreamDialect => {
  const chat = openaiChat({ ...plainCapabilities, ...api.capabilities })
  return {
    name: api.name,
    writeRequest: (conversation, unsupported) =>
      api.request(chat.writeRequest(conversation, unsupported), unsupported, conversation),
    readAnswer: (json) => chat.readAnswer(api.answer(json)),
    openStream() {
      const chunks = openChunkReader()
      const toChunk = api.openChunks()
      return {
        read(data) {
          const json = parsedJson(data)
          if (!isObject(json)) return []
          const error = api.errorOf(json)
          return error === undefined ? chunks.read(toChunk(json)) : [errorEvent(error)]
        },
        end: chunks.end,
      }
    },
    errorOf: api.errorOf,
  }
}

/** Members that each such API has in its own places; `settings` skips them. */
const placed: ReadonlySet<string> = new Set(['model', 'messages', 'stream', 'stream_options', 'tools', 'tool_choice'])

/** True for a value that equals the default, so that leaving it out changes nothing. */
const isDefault = (name: string, value: unknown): boolean => {
  if (name === 'n') return value === 1
  if (name === 'modalities') return listOf(value).every((modality) => modality === 'text')
  if (name === 'response_format') return membersOf(value).type === 'text'
  return name === 'parallel_tool_calls' ? value === true : value === false && name === 'logprobs'
}

/** Renames the settings of a request; those without a name in `names` are reported as unsupported. */
export const settings = (
  body: JsonObject,
  names: Readonly<Record<string, string>>,
  unsupported: UnsupportedFields,
): JsonObject => {
  const renamed: [string, unknown][] = []
  for (const [name, value] of Object.entries(body)) {
    if (placed.has(name)) continue
    const ownName = ownMember(names, name)
    if (ownName !== undefined) renamed.push([ownName, value])
    else if (!isDefault(name, value)) unsupported.add(name)
  }
  return Object.fromEntries(renamed)
}

const fieldOfPart = (type: string): string => `messages.${type.replace(/_url$/, '')}`

/** The text of a message's content. Other parts are reported as unsupported. */
export const textContent = (content: unknown, unsupported: UnsupportedFields): string => {
  if (typeof content === 'string') return content
  return objectsOf(content)
    .map((part) => {
      if (part.type === 'text') return textOf(part.text)
      unsupported.add(fieldOfPart(textOf(part.type)))
      return ''
    })
    .join('')
}

/** The HTTP status of a provider's error code, by the first matching row; 502 without one. */
export const statusFrom = (table: readonly (readonly [RegExp, number])[], code: string): number =>
  table.find(([pattern]) => pattern.test(code))?.[1] ?? 502
