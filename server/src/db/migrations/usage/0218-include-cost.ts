import type { Kysely } from 'kysely'
import { addColumns } from '../../tables.ts'

/** Whether answers to a key say what they cost. Those of keys that are there do not. */
export const includeCost = {
  up: (on: Kysely<unknown>): Promise<void> => addColumns(on, 'tokens', { include_cost: 'count' }),
}
