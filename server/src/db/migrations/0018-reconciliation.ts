import type { Kysely } from 'kysely'
import { createTable } from '../tables.ts'

/** Reports of providers: where they come from, what was imported, their lines, and how they compare with the log. */
export const reconciliation = {
  up: async (on: Kysely<unknown>): Promise<void> => {
    await createTable(on, 'report_sources', {
      columns: {
        id: 'id',
        kind: 'key',
        name: 'key',
        channel_ids: 'text',
        base_url: 'text',
        key_cipher: 'text',
        key_hint: 'key',
        settings: 'text',
        created_time: 'whole',
      },
    })
    await createTable(on, 'report_imports', {
      columns: {
        id: 'id',
        source_id: 'whole',
        from_day: 'whole',
        until_day: 'whole',
        file_name: 'text',
        status: 'key',
        run: 'key',
        error: 'text',
        lines: 'whole',
        summary: 'text',
        created_time: 'whole',
        started_time: 'whole',
        finished_time: 'whole',
        username: 'key',
      },
      unique: [['source_id', 'from_day', 'until_day']],
    })
    await createTable(on, 'report_lines', {
      columns: {
        id: 'id',
        import_id: 'whole',
        day: 'whole',
        model_key: 'key',
        model_name: 'key',
        request_id: 'key',
        calls: 'whole?',
        input: 'whole?',
        cache_read: 'whole?',
        cache_write: 'whole?',
        output: 'whole?',
        cost: 'key?',
      },
      indexes: [['import_id', 'day', 'model_key']],
    })
    await createTable(on, 'report_days', {
      columns: {
        id: 'id',
        import_id: 'whole',
        day: 'whole',
        model_key: 'key',
        comparison: 'text',
      },
      unique: [['import_id', 'day', 'model_key']],
    })
  },
}
