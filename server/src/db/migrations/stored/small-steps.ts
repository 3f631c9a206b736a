import type { Kysely } from 'kysely'
import { addColumns, createTable } from '../../tables.ts'

// Steps of a few lines each; their numbers and their order are in `migrations/index.ts`.

/** Responses, chat completions and conversations that the gateway stores for keys. */
export const storedObjects = {
  up: (on: Kysely<unknown>): Promise<void> =>
    createTable(on, 'stored_objects', {
      columns: {
        id_hash: 'key',
        kind: 'key',
        token_id: 'whole',
        thread_hash: 'key',
        order_number: 'whole',
        expires_time: 'whole',
        content_cipher: 'text',
      },
      primaryKey: 'id_hash',
      indexes: [['token_id', 'kind', 'order_number'], ['thread_hash', 'order_number'], ['expires_time']],
    }),
}

/** Due refunds for cached contents that were deleted early; a row is deleted in the transaction of its refund. */
export const storageRefunds = {
  up: (on: Kysely<unknown>): Promise<void> =>
    createTable(on, 'storage_refunds', {
      columns: {
        request_id: 'key',
        user_id: 'whole',
        channel_id: 'whole',
        content_name: 'key',
        quota: 'whole',
        created_time: 'whole',
        next_time: 'whole',
        attempts: 'count',
        last_error: 'text',
      },
      primaryKey: 'request_id',
      indexes: [['next_time']],
    }),
}

/** Makers of objects in the accounts of channels, by direct calls. */
export const madeObjects = {
  up: (on: Kysely<unknown>): Promise<void> =>
    createTable(on, 'made_objects', {
      columns: {
        id_hash: 'key',
        name_hash: 'key',
        channel_id: 'whole',
        key_hash: 'key',
        user_id: 'whole',
        project_id: 'whole',
        member_id: 'whole',
        expires_time: 'whole',
      },
      primaryKey: 'id_hash',
      indexes: [['name_hash'], ['expires_time']],
    }),
}

/** Responses that are to be made in the background: a row until each is over. */
export const backgroundAnswers = {
  up: async (on: Kysely<unknown>): Promise<void> => {
    await createTable(on, 'background_answers', {
      columns: {
        id: 'id',
        response_id: 'key',
        user_id: 'whole',
        token_id: 'whole',
        state: 'key',
        due_time: 'whole',
        attempts: 'count',
        error: 'text?',
        created_time: 'whole',
        request_cipher: 'text',
      },
      unique: [['response_id']],
      indexes: [['due_time'], ['user_id']],
    })
  },
}

/** Places outside of the database for the bytes of files, and what is to be deleted there. */
export const filePlaces = {
  up: async (on: Kysely<unknown>): Promise<void> => {
    await createTable(on, 'kept_file_places', {
      columns: { id: 'id', address: 'key', mark: 'key', state: 'key', created_time: 'whole' },
      unique: [['address']],
    })
    await addColumns(on, 'kept_files', { place_id: 'count', object_name: 'key?' })
    await createTable(on, 'kept_file_removals', {
      columns: { id: 'id', place_id: 'whole', object_name: 'key', bytes: 'whole', due_time: 'whole' },
      unique: [['object_name']],
      indexes: [['due_time']],
    })
  },
}
