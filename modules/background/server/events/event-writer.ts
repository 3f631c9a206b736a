import type { JsonObject } from '#server/dialects/conversation/json.ts'
import { createSerialQueue } from '#server/lib/serial-queue.ts'
import type { EventStore, NumberedEvent } from './event-store.ts'

export interface EventWriterParts {
  readonly store: EventStore
  readonly responseId: string
  /** Number of the last event that is stored. */
  readonly last: number
  /** Called when events have been stored. */
  readonly written: () => void
  readonly failed: (error: unknown) => void
}

/** Numbers the events of a response and stores them in groups. */
export interface EventWriter {
  add(event: JsonObject): void
  /** Stores what is left; resolves with the number of the last event. */
  end(): Promise<number>
}

const flushMs = 200
/** Events of a group: a row of the database. */
const mostInGroup = 500

export const openEventWriter = ({ store, responseId, last, written, failed }: EventWriterParts): EventWriter => {
  const queue = createSerialQueue()
  let number = last
  let stored = last
  let waiting: NumberedEvent[] = []
  let timer: NodeJS.Timeout | undefined

  const write = async (events: readonly NumberedEvent[]): Promise<void> => {
    try {
      await store.add(responseId, events)
      stored = events.at(-1)?.sequence_number ?? stored
      written()
    } catch (error) {
      failed(error)
    }
  }

  const flush = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    const events = waiting
    waiting = []
    return queue.run(() => (events.length === 0 ? Promise.resolve() : write(events)))
  }

  return {
    add(event) {
      number += 1
      waiting.push({ ...event, sequence_number: number })
      if (waiting.length >= mostInGroup) void flush()
      else timer ??= setTimeout(() => void flush(), flushMs)
    },
    async end() {
      await flush()
      return stored
    },
  }
}
