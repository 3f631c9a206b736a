import type { Kysely } from 'kysely'
import { addColumns, createIndex } from '../../tables.ts'
import { createNamedHours } from '../usage/named-hours.ts'

// Steps of a few lines each; their numbers and their order are in `migrations/index.ts`.

/** The provider's id of a call in a column of its own, so that a call can be found by it. Rows that are there have none. */
export const logProviderIds = {
  up: async (on: Kysely<unknown>): Promise<void> => {
    await addColumns(on, 'logs', { provider_request_id: 'key?' })
    await createIndex(on, 'logs', ['provider_request_id', 'created_at', 'id'], { unique: false })
  },
}

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

/** The id by which a provider's answer calls itself, where that is not its id of the request. Rows that are there have none. */
export const answerIds = {
  up: async (on: Kysely<unknown>): Promise<void> => {
    await addColumns(on, 'logs', { answer_id: 'key?' })
    await createIndex(on, 'logs', ['answer_id', 'created_at', 'id'], { unique: false })
  },
}

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

/** Calls that were charged provisionally, see `billing/declared`. Rows that are there are not marked. */
export const provisionalCalls = {
  up: async (on: Kysely<unknown>): Promise<void> => {
    await addColumns(on, 'logs', { provisional: 'whole?' })
    await createIndex(on, 'logs', ['provisional', 'created_at', 'id'], { unique: false, filled: 'provisional' })
  },
}
