import type { Kysely } from 'kysely'
import { addColumns, createTable } from '../../tables.ts'

/** Batches of the gateway's clients that a provider runs, which are settled line by line when it is done. */
export const providerBatches = {
  async up(on: Kysely<unknown>): Promise<void> {
    await createTable(on, 'provider_batches', {
      columns: {
        id: 'id',
        batch_id: 'whole',
        user_id: 'whole',
        token_id: 'whole',
        project_id: 'whole',
        member_id: 'whole',
        owner: 'text',
        stage: 'key',
        provider: 'key',
        channel_id: 'whole',
        key_hash: 'key',
        upstream_id: 'text',
        prices: 'text',
        held: 'whole',
        is_open: 'whole',
        holder: 'key',
        holder_until: 'whole',
        misses: 'whole',
        cancel_time: 'whole',
        created_time: 'whole',
      },
      unique: [['batch_id']],
      indexes: [['is_open', 'holder_until']],
    })
  },
}

/** Tokens of all answers of a batch. */
export const batchTokens = {
  up: (on: Kysely<unknown>): Promise<void> =>
    addColumns(on, 'batches', {
      input_tokens: 'count',
      cached_tokens: 'count',
      output_tokens: 'count',
      reasoning_tokens: 'count',
    }),
}

/** Costs of batches that have ended, so that lists need not add up their requests each time. */
export const batchCosts = {
  up: (on: Kysely<unknown>): Promise<void> => addColumns(on, 'batches', { quota: 'whole?' }),
}

/** Lines of the part of a batch that its provider has. */
export const batchParts = {
  up: (on: Kysely<unknown>): Promise<void> =>
    addColumns(on, 'provider_batches', { first_line: 'count', last_line: 'count' }),
}
