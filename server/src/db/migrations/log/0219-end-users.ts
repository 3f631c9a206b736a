import type { Kysely } from 'kysely'
import { addColumns, createIndex } from '../../tables.ts'
import { createNamedHours } from '../usage/named-hours.ts'

/** The customers of callers for whom calls are made, see `gateway/request/end-user.ts`. Rows that are there have none. */
export const logEndUsers = {
  up: async (on: Kysely<unknown>): Promise<void> => {
    await addColumns(on, 'logs', { end_user: 'key?' })
    await createIndex(on, 'logs', ['end_user', 'created_at', 'id'], { unique: false })
  },
}

/** Hourly figures of them. */
export const endUsers = {
  up: async (on: Kysely<unknown>): Promise<void> => {
    await logEndUsers.up(on)
    await createNamedHours(on, 'call_end_user_hours', 'end_user')
  },
}
