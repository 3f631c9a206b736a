import { parsedJson } from '../../dialects/conversation/json.ts'
import { payloads } from '../../lib/sse.ts'
import type { RelayCall } from '../../relay/call.ts'
import { passthroughOf } from '../../relay/exchange/passthrough-dialect.ts'

export interface ReadableAnswer {
  readonly text: string
  readonly toolCalls: number
}

/** The text and the tool calls of an answer as its client got it; of a part of one, what is in it. */
export const answerText = (
  call: Pick<RelayCall, 'dialect' | 'endpoint'>,
  body: string,
  isStream: boolean,
): ReadableAnswer => {
  const reader = call.dialect?.passthrough ?? passthroughOf(call)
  if (!isStream) {
    const json = parsedJson(body)
    if (json === undefined) return { text: '', toolCalls: 0 }
    const { text, toolCalls } = reader.textOf(json)
    return { text, toolCalls }
  }
  const inspector = reader.createInspector()
  let text = ''
  let toolCalls = 0
  for (const payload of payloads(body)) {
    const event = payload === '[DONE]' ? undefined : parsedJson(payload)
    if (event === undefined) continue
    const part = inspector.textOf(event)
    text += part.text
    toolCalls += part.toolCalls
  }
  return { text, toolCalls }
}
