import { usageFromOpenai } from '../../billing/usage-openai.ts'
import type { Answer, Citation, Finish, Part } from '../../dialects/conversation/conversation.ts'
import {
  defined,
  isObject,
  type JsonObject,
  membersOf,
  numberIn,
  objectsOf,
  parsedJson,
  textIn,
  textOf,
} from '../../dialects/conversation/json.ts'
import type { StreamEvent } from '../../dialects/conversation/stream-event.ts'
import type { StreamReader, UpstreamDialect, UpstreamError } from '../../dialects/dialect.ts'
import { createThinkingSplitter, type TaggedPiece } from '../../dialects/thought-tags.ts'
import { writeRequest } from './request.ts'

const citationsOf = (metadata: JsonObject): Citation[] =>
  objectsOf(metadata.retriever_resources).map(({ document_name: title, content }) =>
    defined({ title: textIn(title), citedText: textIn(content) }),
  )

const usageOf = (metadata: JsonObject) => usageFromOpenai(metadata.usage)

/** Errors have a code, a message and an HTTP status, in streams too. */
const errorOf = (json: JsonObject): UpstreamError | undefined => {
  if (typeof json.code !== 'string' || typeof json.message !== 'string' || json.answer !== undefined) return undefined
  const status = numberIn(json.status)
  const httpStatus = status !== undefined && status >= 400 && status <= 599 ? status : undefined
  return { message: json.message, type: json.code, code: json.code, ...defined({ status: httpStatus }) }
}

const eventOf = ({ kind, text }: TaggedPiece): StreamEvent => ({ kind, choice: 0, text })

/** Reads the stream of an app (docs.dify.ai/api-reference/chats/send-chat-message). */
const openStream = (): StreamReader => {
  const splitter = createThinkingSplitter()
  let started = false
  let ended = false
  let isAgent = false
  let finish: Finish = 'stop'

  const startOf = (json: JsonObject): StreamEvent[] => {
    if (started || json.event === 'ping') return []
    started = true
    const id = textOf(json.message_id) || textOf(json.id)
    return [{ kind: 'start', id, model: '', created: numberIn(json.created_at) ?? 0 }]
  }

  const textEvents = (text: unknown): StreamEvent[] => splitter.push(textOf(text)).map(eventOf)

  const endOf = (metadata: JsonObject): StreamEvent[] => {
    const usage = usageOf(metadata)
    return [
      ...splitter.rest().map(eventOf),
      ...citationsOf(metadata).map((citation) => ({ kind: 'citation', choice: 0, citation }) as const),
      ...(usage === undefined ? [] : [{ kind: 'usage', usage } as const]),
      { kind: 'finish', choice: 0, finish },
    ]
  }

  const fileOf = ({ type, url }: JsonObject): StreamEvent[] =>
    type === 'image'
      ? [{ kind: 'part', choice: 0, part: { kind: 'image', source: { kind: 'url', url: textOf(url) } } }]
      : []

  const failureOf = ({ status, error }: JsonObject): StreamEvent[] =>
    status === 'failed' ? [{ kind: 'error', type: 'workflow_failed', message: textOf(error) }] : []

  const eventsOf = (json: JsonObject): StreamEvent[] => {
    switch (json.event) {
      case 'agent_message':
        isAgent = true
        return textEvents(json.answer)
      case 'message':
        // After `agent_message` events, `message` repeats the whole answer.
        return isAgent ? [] : textEvents(json.answer)
      case 'message_replace':
        // Moderation replaces an answer that is partly sent: only the finish reason can show it.
        finish = 'content_filter'
        return []
      case 'message_file':
        return fileOf(json)
      case 'message_end':
        return endOf(membersOf(json.metadata))
      case 'workflow_finished':
        return failureOf(membersOf(json.data))
      default:
        return []
    }
  }

  return {
    read(data) {
      const json = parsedJson(data)
      if (!isObject(json)) return []
      const error = errorOf(json)
      if (error !== undefined) return [{ kind: 'error', ...error, type: error.type ?? 'upstream_error' }]
      return [...startOf(json), ...eventsOf(json)]
    },
    end() {
      if (ended) return []
      ended = true
      return [{ kind: 'end' }]
    },
  }
}

/** Reads a blocking answer, which some proxies return although a stream was requested. */
const readAnswer = (json: JsonObject): Answer => {
  const splitter = createThinkingSplitter()
  const metadata = membersOf(json.metadata)
  const citations = citationsOf(metadata)
  const parts = [...splitter.push(textOf(json.answer)), ...splitter.rest()].map(({ kind, text }): Part => {
    if (kind === 'thinking' || citations.length === 0) return { kind, text }
    return { kind: 'text', text, citations }
  })
  return {
    id: textOf(json.message_id) || textOf(json.id),
    model: '',
    created: numberIn(json.created_at) ?? 0,
    choices: [{ index: 0, parts, finish: 'stop' }],
    usage: usageOf(metadata),
  }
}

export const dify: UpstreamDialect = { name: 'dify', writeRequest, readAnswer, openStream, errorOf }
