import type { Kysely } from 'kysely'
import { createTable, type TableShape } from '../../tables.ts'

const durationClasses = 16

const tables: Readonly<Record<string, TableShape>> = {
  channel_keys: {
    columns: {
      id: 'id',
      channel_id: 'whole',
      key_hash: 'key',
      status: 'whole',
      reason: 'text',
      status_time: 'whole',
    },
    unique: [['channel_id', 'key_hash']],
    indexes: [['key_hash']],
  },
  channel_health: {
    columns: {
      id: 'id',
      channel_id: 'whole',
      model_name: 'key',
      bucket: 'whole',
      ok: 'count',
      slow: 'count',
      auth: 'count',
      quota: 'count',
      rate_limited: 'count',
      server_error: 'count',
      timeout: 'count',
      other: 'count',
      first_contents: 'count',
      first_content_ms: 'count',
      spent: 'count',
      ...Object.fromEntries(Array.from({ length: durationClasses }, (_, index) => [`took_${index}`, 'count'] as const)),
      last_error: 'text',
      last_error_time: 'count',
    },
    unique: [['channel_id', 'model_name', 'bucket']],
    indexes: [['bucket']],
  },
  cluster_jobs: {
    columns: {
      name: 'key',
      run: 'key',
      alive_until: 'whole',
      started_time: 'whole',
      finished_time: 'whole',
      done: 'count',
      total: 'count',
      result: 'text',
      stop_requested: 'count',
    },
    primaryKey: 'name',
  },
}

/** Several keys per channel, how calls of channels end, and work that one node does for all. */
export const channelTables = {
  up: async (on: Kysely<unknown>): Promise<void> => {
    for (const [name, shape] of Object.entries(tables)) await createTable(on, name, shape)
  },
}
