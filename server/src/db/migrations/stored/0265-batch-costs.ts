import type { Kysely } from 'kysely'
import { addColumns } from '../../tables.ts'

/** Costs of batches that have ended, so that lists need not add up their requests each time. */
export const batchCosts = {
  up: (on: Kysely<unknown>): Promise<void> => addColumns(on, 'batches', { quota: 'whole?' }),
}
