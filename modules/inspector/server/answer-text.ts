import { parsedJson } from '#server/dialects/conversation/json.ts'
import { payloads } from '#server/lib/sse.ts'
import type { InspectedFacts } from '#server/relay/captures.ts'
import { passthroughOf } from '#server/relay/exchange/passthrough-dialect.ts'

export interface ReadableAnswer {
  readonly text: string
  readonly toolCalls: number
}

const sessions: ReadonlySet<string> = new Set(['realtime', 'live'])

/** The text and the tool calls of an answer as its client got it; of a part of one, what is in it. */
export const answerText = (
  { dialect, endpoint }: Pick<InspectedFacts, 'dialect' | 'endpoint'>,
  body: string,
  isStream: boolean,
): ReadableAnswer => {
  if (endpoint === undefined || sessions.has(endpoint)) return { text: '', toolCalls: 0 }
  const reader = dialect?.passthrough ?? passthroughOf({ endpoint })
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
