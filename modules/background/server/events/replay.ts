import { setTimeout as sleep } from 'node:timers/promises'
import { type JsonObject, membersOf } from '#server/dialects/conversation/json.ts'
import { isPending } from '#server/dialects/openai-responses/storage.ts'
import type { StoredObject } from '#server/relay/stored/ports.ts'
import type { EventStore } from './event-store.ts'

export interface ReplayParts {
  readonly store: EventStore
  /** The response as it stands; undefined where it is deleted. */
  readonly find: () => Promise<StoredObject | undefined>
  readonly responseId: string
  /** Number of the last event that the client has; −1 for none. */
  readonly after: number
  /** Resolves when events of the response were stored by this process. */
  readonly changed: () => Promise<void>
  readonly signal: AbortSignal
}

/** Milliseconds between looks for events that another process has stored. */
const lookMs = 500
/** Looks without an event after which a connection is kept open by a comment. */
const quietLooks = 30

/** Number of the last event before the end; the end follows it. */
const lastBefore = ({ content }: StoredObject): number => Number(content.events ?? -1)

/**
 * The events of a response after a number, to its end, whichever process makes it: an event for the end follows the stored ones.
 * Undefined asks to keep the connection open. Throws where the signal is aborted.
 */
export async function* replay(parts: ReplayParts): AsyncGenerator<JsonObject | undefined> {
  const { store, responseId, signal } = parts
  let number = parts.after
  let quiet = 0
  for (;;) {
    signal.throwIfAborted()
    const changed = parts.changed()
    // The events of an ended response are in the database before its end.
    const response = await parts.find()
    if (response === undefined) return
    const answer = membersOf(response.content.answer)
    const isOver = !isPending(answer)
    const most = isOver ? lastBefore(response) : Number.POSITIVE_INFINITY
    const events = (await store.after(responseId, number)).filter(({ sequence_number: own }) => own <= most)
    for (const event of events) {
      number = event.sequence_number
      yield event
    }
    if (events.length > 0) {
      quiet = 0
      continue
    }
    if (isOver) {
      if (number <= most) yield { type: `response.${answer.status}`, sequence_number: most + 1, response: answer }
      return
    }
    quiet += 1
    if (quiet % quietLooks === 0) yield undefined
    await Promise.race([changed, sleep(lookMs, undefined, { signal })])
  }
}
