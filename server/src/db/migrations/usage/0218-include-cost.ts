import type { Kysely } from 'kysely'
import { addColumns } from '../../tables.ts'

/** Flag of keys whose answers state their cost; off for existing keys. */
export const includeCost = {
  up: (on: Kysely<unknown>): Promise<void> => addColumns(on, 'tokens', { include_cost: 'count' }),
}
