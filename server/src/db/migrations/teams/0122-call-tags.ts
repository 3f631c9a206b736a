import type { Kysely } from 'kysely'
import { addColumns } from '../../tables.ts'
import { createNamedHours } from '../usage/named-hours.ts'

/** Cost tags of calls, see `billing/call-tags.ts`. Rows that are there have none. */
export const logTags = {
  up: (on: Kysely<unknown>): Promise<void> => addColumns(on, 'logs', { tags: 'key?' }),
}

/** Hourly figures of cost tags: one row for each tag of a call. */
export const callTags = {
  up: async (on: Kysely<unknown>): Promise<void> => {
    await logTags.up(on)
    await createNamedHours(on, 'call_tag_hours', 'tag')
  },
}
