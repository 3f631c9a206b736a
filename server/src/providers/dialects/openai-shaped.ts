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
import { plainCapabilities } from './openai.ts'

/** A language that says what OpenAI's chat completions say, in other places and under other names. */
export interface OtherWords {
  readonly name: string
  readonly capabilities?: Partial<ChatCapabilities>
  /** A request of OpenAI's as it is said here. */
  request(body: JsonObject, unsupported: UnsupportedFields, conversation: Conversation): JsonObject
  /** An answer as OpenAI would say it. */
  answer(json: JsonObject): JsonObject
  /** Chunks of a stream as OpenAI would say them; one reader per stream, which may remember what came before. */
  openChunks(): (json: JsonObject) => JsonObject
  errorOf(json: JsonObject): UpstreamError | undefined
}

const errorEvent = ({ message, type, code, status }: UpstreamError): StreamEvent => ({
  kind: 'error',
  type: type ?? 'upstream_error',
  message,
  ...defined({ code, status }),
})

export const openaiShaped = (its: OtherWords): UpstreamDialect => {
  const chat = openaiChat({ ...plainCapabilities, ...its.capabilities })
  return {
    name: its.name,
    writeRequest: (conversation, unsupported) =>
      its.request(chat.writeRequest(conversation, unsupported), unsupported, conversation),
    readAnswer: (json) => chat.readAnswer(its.answer(json)),
    openStream() {
      const chunks = openChunkReader()
      const toChunk = its.openChunks()
      return {
        read(data) {
          const json = parsedJson(data)
          if (!isObject(json)) return []
          const error = its.errorOf(json)
          return error === undefined ? chunks.read(toChunk(json)) : [errorEvent(error)]
        },
        end: chunks.end,
      }
    },
    errorOf: its.errorOf,
  }
}

/** JsonObject that every such language says in places of its own. */
const placed: ReadonlySet<string> = new Set(['model', 'messages', 'stream', 'stream_options', 'tools', 'tool_choice'])

/** What a request says although it says nothing: leaving it out changes nothing. */
const isUsual = (name: string, value: unknown): boolean => {
  if (name === 'n') return value === 1
  if (name === 'modalities') return listOf(value).every((modality) => modality === 'text')
  if (name === 'response_format') return membersOf(value).type === 'text'
  return name === 'parallel_tool_calls' ? value === true : value === false && name === 'logprobs'
}

/** The settings of a request under the names that they have here; those without a name are lost. */
export const settings = (
  body: JsonObject,
  names: Readonly<Record<string, string>>,
  unsupported: UnsupportedFields,
): JsonObject => {
  const said: [string, unknown][] = []
  for (const [name, value] of Object.entries(body)) {
    if (placed.has(name)) continue
    const here = ownMember(names, name)
    if (here !== undefined) said.push([here, value])
    else if (!isUsual(name, value)) unsupported.add(name)
  }
  return Object.fromEntries(said)
}

const lostPart = (type: string): string => `messages.${type.replace(/_url$/, '')}`

/** The text of a message's content, where nothing else can be said. */
export const textContent = (content: unknown, unsupported: UnsupportedFields): string => {
  if (typeof content === 'string') return content
  return objectsOf(content)
    .map((part) => {
      if (part.type === 'text') return textOf(part.text)
      unsupported.add(lostPart(textOf(part.type)))
      return ''
    })
    .join('')
}

/** A status as HTTP would have said it, for errors that come with a number or a word of their own. */
export const statusFrom = (table: readonly (readonly [RegExp, number])[], code: string): number =>
  table.find(([pattern]) => pattern.test(code))?.[1] ?? 502
