import type { Kysely } from 'kysely'
import { addColumns } from '../tables.ts'

/** Whether the cost of a call that is charged anew is known, so that the figures of the margin follow. */
export const correctedCosts = {
  up: (on: Kysely<unknown>): Promise<void> => addColumns(on, 'correction_calls', { costed: 'count' }),
}
