import { isObject, type JsonObject } from '#server/dialects/conversation/json.ts'
import type { Changes } from './changes.ts'
import type { EventStore, NumberedEvent } from './event-store.ts'
import { openEventWriter } from './event-writer.ts'
import { StreamedClient } from './streamed-client.ts'

/** The first events of a response: it is created, and waits. */
export const firstEvents = (response: JsonObject): readonly NumberedEvent[] => [
  { type: 'response.created', sequence_number: 0, response },
  { type: 'response.queued', sequence_number: 1, response },
]

export interface StreamParts {
  readonly store: EventStore
  readonly changes: Changes
  readonly failed: (error: unknown) => void
  readonly mostBytes: number
}

/** The client of a call whose events are stored under the id of its response. An attempt after another goes on with its numbers. */
export const openStreamOf = async (
  { store, changes, failed, mostBytes }: StreamParts,
  response: JsonObject & { readonly id: string },
) => {
  const { id, created_at } = response
  const own = { id, created_at, background: true }
  const last = await store.last(id)
  const writer = openEventWriter({ store, responseId: id, last, written: () => changes.fire(id), failed })
  const client = new StreamedClient(mostBytes, (event) =>
    writer.add(isObject(event.response) ? { ...event, response: { ...event.response, ...own } } : event),
  )
  return { client, end: writer.end }
}
