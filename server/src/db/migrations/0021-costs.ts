import type { Kysely } from 'kysely'
import { addColumns } from '../tables.ts'

const tables = ['usage_hours', 'usage_days', 'usage_site_days', 'usage_user_periods']

/** Costs of calls at their providers, beside their charges. The cost of existing calls is unknown. */
export const costColumns = {
  up: async (on: Kysely<unknown>): Promise<void> => {
    for (const table of tables)
      await addColumns(on, table, { cost: 'count', costed_count: 'count', costed_quota: 'count' })
  },
}
