import type { Id, Time } from '#server/db/schema/columns.ts'

/** A response that is not over. */
export interface BackgroundAnswersTable {
  id: Id
  response_id: string
  user_id: number
  token_id: number
  /** `open`, `ending` while its end is written, or `cancelled`. */
  state: string
  due_time: Time
  attempts: number
  error: string | null
  created_time: Time
  /** The request, encrypted. */
  request_cipher: string
}

/** Events that follow each other, of a response that was asked for as a stream. */
export interface BackgroundEventsTable {
  id: Id
  response_id: string
  first_number: number
  last_number: number
  created_time: Time
  /** JSON of the events, encrypted. */
  content_cipher: string
}

export interface BackgroundTables {
  background_answers: BackgroundAnswersTable
  background_events: BackgroundEventsTable
}

declare module '#server/db/schema.ts' {
  interface Tables extends BackgroundTables {}
}
