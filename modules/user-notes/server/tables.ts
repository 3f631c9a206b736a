import type { Id, Time } from '#server/db/schema/columns.ts'

export interface UserNotesTable {
  id: Id
  user_id: number
  author_id: number
  /** The author's name when it was written. */
  author_name: string
  text: string
  created_time: Time
}

export interface UserNoteTables {
  user_notes: UserNotesTable
}

declare module '#server/db/schema.ts' {
  interface Tables extends UserNoteTables {}
}
