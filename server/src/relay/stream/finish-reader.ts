import type { Finish } from '../../dialects/conversation/conversation.ts'
import { type JsonObject, objectIn } from '../../dialects/conversation/json.ts'
import type { FinishRule } from '../../dialects/passthrough.ts'
import { payloads } from '../../lib/sse.ts'

/** Finds out why an answer that passes through unchanged ended. Only calls that are traced have one. */
export interface FinishReader {
  /** Whole events of a stream. */
  push(events: Buffer): void
  /** A whole answer, or one event. */
  read(answer: JsonObject): void
  /** The reasons of all candidates that have ended, in their order. */
  reasons(): readonly Finish[]
}

export const createFinishReader = ({ marks, ends }: FinishRule): FinishReader => {
  const found = new Map<number, Finish>()
  const calling = new Set<number>()
  const read = (answer: JsonObject): void => {
    for (const { index, finish, hasCalls } of ends(answer)) {
      if (hasCalls) calling.add(index)
      if (finish !== undefined) found.set(index, finish)
    }
  }
  return {
    push(events) {
      if (!marks.some((mark) => events.includes(mark))) return
      for (const payload of payloads(events.toString())) {
        const event = marks.some((mark) => payload.includes(mark)) ? objectIn(payload) : undefined
        if (event !== undefined) read(event)
      }
    },
    read,
    reasons: () =>
      [...found]
        .toSorted(([left], [right]) => left - right)
        .map(([index, finish]) => (finish === 'stop' && calling.has(index) ? 'tool_calls' : finish)),
  }
}
