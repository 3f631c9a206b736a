import type { Database } from '#server/db/database.ts'
import { insertReturningId } from '#server/db/dialect.ts'
import { isObject, type JsonObject, parsedJson } from '#server/dialects/conversation/json.ts'
import { type Clock, unixSeconds } from '#server/lib/clock.ts'
import type { Secrets } from '#server/lib/security/secrets.ts'
import '../tables.ts'

/** An event of a response, with its place among them. */
export type NumberedEvent = JsonObject & { readonly sequence_number: number }

/** Events of responses that were asked for as streams, for all nodes. */
export interface EventStore {
  /** Adds events whose numbers follow each other. */
  add(responseId: string, events: readonly NumberedEvent[]): Promise<void>
  /** The next events after a number, in their order; empty where there are none yet. */
  after(responseId: string, number: number): Promise<readonly NumberedEvent[]>
  /** Number of the last event; −1 for none. */
  last(responseId: string): Promise<number>
  /** Deletes what is older than a day. */
  purge(): Promise<void>
}

const rowsPerRead = 50
const keptSeconds = 86_400

const isNumbered = (event: unknown): event is NumberedEvent =>
  isObject(event) && typeof event.sequence_number === 'number'

export const openEventStore = (parts: { database: Database; secrets: Secrets; clock: Clock }): EventStore => {
  const { secrets, clock } = parts
  const { query } = parts.database
  const eventsIn = (cipher: string): readonly NumberedEvent[] => {
    const events = parsedJson(secrets.decrypt('stored_object', cipher))
    return Array.isArray(events) ? events.filter(isNumbered) : []
  }
  return {
    async add(responseId, events) {
      const [first, last] = [events.at(0), events.at(-1)]
      if (first === undefined || last === undefined) return
      await insertReturningId(query, 'background_events', {
        response_id: responseId,
        first_number: first.sequence_number,
        last_number: last.sequence_number,
        created_time: unixSeconds(clock),
        content_cipher: secrets.encrypt('stored_object', JSON.stringify(events)),
      })
    },
    async after(responseId, number) {
      const rows = await query
        .selectFrom('background_events')
        .select('content_cipher')
        .where('response_id', '=', responseId)
        .where('last_number', '>', number)
        .orderBy('last_number')
        .limit(rowsPerRead)
        .execute()
      return rows
        .flatMap(({ content_cipher: cipher }) => eventsIn(cipher))
        .filter(({ sequence_number: own }) => own > number)
    },
    async last(responseId) {
      const row = await query
        .selectFrom('background_events')
        .select('last_number')
        .where('response_id', '=', responseId)
        .orderBy('last_number', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row?.last_number ?? -1
    },
    async purge() {
      await query
        .deleteFrom('background_events')
        .where('created_time', '<', unixSeconds(clock) - keptSeconds)
        .execute()
    },
  }
}
