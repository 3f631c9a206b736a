import type { Kysely } from 'kysely'
import { addColumns, createIndex, createTable, dropIndex } from '../../tables.ts'

// Steps of a few lines each; their numbers and their order are in `early/index.ts`.

/**
 * Users are looked for by id, because names change hands; what they look for most is one kind of their rows. So the index
 * over names makes room for one over kinds, and a row costs no more to write than before.
 */
export const logIndexes = {
  up: async (on: Kysely<unknown>): Promise<void> => {
    await createIndex(on, 'logs', ['user_id', 'type', 'created_at', 'id'], { unique: false })
    await dropIndex(on, 'logs', ['username', 'created_at', 'id'])
  },
}

/** Channels and keys of answers that a provider stores. */
export const keptAnswers = {
  up: (on: Kysely<unknown>): Promise<void> =>
    createTable(on, 'kept_answers', {
      columns: { id_hash: 'key', user_id: 'whole', channel_id: 'whole', key_hash: 'key', created_time: 'whole' },
      primaryKey: 'id_hash',
      indexes: [['created_time']],
    }),
}

/** How long a prompt a channel should get. */
export const channelLimits = {
  up: (on: Kysely<unknown>): Promise<void> => addColumns(on, 'channels', { max_input_tokens: 'count' }),
}

/** Which call began a task, by whose key, and with which key of the channel: what is needed to pay it back and to ask after it. */
export const taskOrigins = {
  up: async (on: Kysely<unknown>): Promise<void> => {
    for (const table of ['midjourneys', 'tasks']) {
      await addColumns(on, table, { request_id: 'key?', key_hash: 'key?' })
      await createIndex(on, table, ['request_id'], { unique: true })
    }
  },
}

/** Console preferences of users. */
export const preferenceTable = {
  up: (on: Kysely<unknown>): Promise<void> =>
    createTable(on, 'preferences', {
      columns: { id: 'id', user_id: 'whole', name: 'key', value: 'text', changed_time: 'whole' },
      unique: [['user_id', 'name']],
    }),
}

/**
 * A charge is one entry that names user and token, where it was one for each: they cannot differ, and a call writes a third less.
 * Entries that are there stay as they are.
 */
export const tokenCharges = {
  up: async (on: Kysely<unknown>): Promise<void> => {
    await addColumns(on, 'ledger_entries', { token_id: 'whole?' })
    await createIndex(on, 'ledger_entries', ['token_id', 'id'], { unique: false })
  },
}
