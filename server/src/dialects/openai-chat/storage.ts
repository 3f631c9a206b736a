import { collect as collectEvents } from '../conversation/collect.ts'
import { isObject, type JsonObject, membersOf, objectsOf } from '../conversation/json.ts'
import type { StreamEvent } from '../conversation/stream-event.ts'
import type { AnswerCollector, StorageRules } from '../storage-rules.ts'
import { writeAnswer } from './answer.ts'
import { openReader } from './read-stream.ts'

/** Joins the chunks of a stream to the completion that a call without a stream would have got. */
const collect = (): AnswerCollector => {
  const reader = openReader()
  const events: StreamEvent[] = []
  let completion: JsonObject | undefined
  let streamed = false
  return {
    event(payload) {
      streamed = true
      events.push(...reader.read(payload, ''))
    },
    whole(answer) {
      if (Array.isArray(answer.choices)) completion = answer
    },
    result() {
      if (!streamed) return completion
      const all = [...events, ...reader.end()]
      if (all.some(({ kind }) => kind === 'error')) return undefined
      return all.some(({ kind }) => kind === 'finish') ? writeAnswer(collectEvents(all)) : undefined
    },
  }
}

/** Chat completions are stored where the client wants it (platform.openai.com/docs/api-reference/chat/create, store). */
export const storage: StorageRules = {
  kind: 'completion',
  isStored: ({ store }) => store === true,
  previous: () => undefined,
  withPrevious: (body) => body,
  conversation: () => undefined,
  items: ({ messages }) => objectsOf(messages),
  output: ({ choices }) => objectsOf(choices).map(({ message }) => membersOf(message)),
  withEarlier: (body) => body,
  collect,
  stored: (answer, { metadata }) => ({ ...answer, metadata: isObject(metadata) ? metadata : {} }),
}
