import type { Kysely } from 'kysely'
import { createTable, type TableShape } from '../tables.ts'

const tables: Readonly<Record<string, TableShape>> = {
  corrections: {
    columns: {
      id: 'id',
      created_at: 'whole',
      actor_id: 'whole',
      actor_name: 'key',
      note: 'text',
      state: 'key',
      from_time: 'whole',
      to_time: 'whole',
      filter: 'text',
      changes: 'text',
      price: 'text',
      scan_at: 'whole',
      scan_id: 'whole',
      seen: 'count',
      left_out: 'text',
      calls: 'count',
      old_quota: 'count',
      new_quota: 'count',
      applied: 'count',
      skipped: 'count',
      lease_time: 'count',
      finished_time: 'count',
    },
    indexes: [['finished_time']],
  },
  correction_calls: {
    columns: {
      id: 'id',
      correction_id: 'whole',
      request_id: 'key',
      replaces: 'key',
      user_id: 'whole',
      token_id: 'whole',
      token_name: 'key',
      channel_id: 'whole',
      model_name: 'key',
      group: 'key',
      called_at: 'whole',
      old_quota: 'whole',
      new_quota: 'whole',
      receipt: 'text',
      state: 'key',
    },
    unique: [['correction_id', 'request_id']],
    indexes: [['correction_id', 'state', 'id']],
  },
  correction_users: {
    columns: {
      id: 'id',
      correction_id: 'whole',
      user_id: 'whole',
      calls: 'whole',
      old_quota: 'whole',
      new_quota: 'whole',
      applied_calls: 'whole',
      applied_old: 'whole',
      applied_new: 'whole',
    },
    unique: [['correction_id', 'user_id']],
  },
  correction_hours: {
    columns: {
      id: 'id',
      user_id: 'whole',
      created_at: 'whole',
      token_id: 'whole',
      model_name: 'key',
      quota: 'whole',
    },
    unique: [['user_id', 'created_at', 'token_id', 'model_name']],
    indexes: [['created_at']],
  },
}

/** Corrections of prices, the calls that each changes, and how much of the usage sums is corrections. */
export const correctionTables = {
  up: async (on: Kysely<unknown>): Promise<void> => {
    for (const [name, shape] of Object.entries(tables)) await createTable(on, name, shape)
  },
}
