import type { Kysely } from 'kysely'
import { addColumns } from '../tables.ts'

/** Marks corrected calls with a known cost, so that the margin figures follow. */
export const correctedCosts = {
  up: (on: Kysely<unknown>): Promise<void> => addColumns(on, 'correction_calls', { costed: 'count' }),
}
