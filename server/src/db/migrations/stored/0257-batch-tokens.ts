import type { Kysely } from 'kysely'
import { addColumns } from '../../tables.ts'

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
