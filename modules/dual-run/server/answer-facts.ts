import type { Usage } from '#server/billing/usage.ts'
import { isObject, type JsonObject, parsedJson } from '#server/dialects/conversation/json.ts'
import { payloads } from '#server/lib/sse.ts'
import type { RelayCall } from '#server/relay/call.ts'
import { passthroughOf } from '#server/relay/exchange/passthrough-dialect.ts'

/** Facts by which two answers to one request are compared. */
export interface AnswerFacts {
  readonly text: string
  readonly toolCalls: number
  /** Why it ended, in the dialect's own word; empty where it says nothing. */
  readonly finish: string
  readonly usage: Usage | undefined
}

const nothing: AnswerFacts = { text: '', toolCalls: 0, finish: '', usage: undefined }
const finishNames: ReadonlySet<string> = new Set(['finish_reason', 'stop_reason', 'finishReason'])
const deepest = 5

/** The last reason to finish in an event or an answer. */
const finishIn = (value: unknown, depth = 0): string => {
  if (depth > deepest) return ''
  if (Array.isArray(value)) return value.map((item) => finishIn(item, depth + 1)).findLast((word) => word !== '') ?? ''
  if (!isObject(value)) return ''
  for (const [name, inner] of Object.entries(value)) {
    if (finishNames.has(name) && typeof inner === 'string') return inner
  }
  if (value.object === 'response' && typeof value.status === 'string') return value.status
  return finishIn(Object.values(value), depth + 1)
}

/** Reads an answer in the dialect of the request, whole or as a stream of events. */
export const answerFacts = (
  call: Pick<RelayCall, 'dialect' | 'endpoint'>,
  body: Buffer,
  isStream: boolean,
): AnswerFacts => {
  const reader = call.dialect?.passthrough ?? passthroughOf(call)
  const text = body.toString()
  if (!isStream) {
    const json = parsedJson(text)
    if (!isObject(json)) return nothing
    const read = reader.textOf(json)
    return { text: read.text, toolCalls: read.toolCalls, finish: finishIn(json), usage: reader.usage(json) }
  }
  const inspector = reader.createInspector()
  // One event at a time: what comes together with the end mark does not count.
  for (const event of text.split(/(?<=\n\r?\n)/)) inspector.readUsage(Buffer.from(event))
  let [whole, toolCalls, finish] = ['', 0, '']
  for (const payload of payloads(text)) {
    const event: unknown = payload === '[DONE]' ? undefined : parsedJson(payload)
    if (!isObject(event)) continue
    const part = inspector.textOf(event as JsonObject)
    whole += part.text
    toolCalls += part.toolCalls
    finish = finishIn(event) || finish
  }
  return { text: whole, toolCalls, finish, usage: inspector.usage() }
}
