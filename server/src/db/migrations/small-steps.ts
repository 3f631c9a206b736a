import { type Kysely, sql } from 'kysely'
import { addColumns, createIndex, createTable } from '../tables.ts'

// Steps of a few lines each; their numbers and their order are in `migrations/index.ts`.

/**
 * Times whose charges have no rows in the logs because the operator switched them off. Where that is so today, nothing says
 * since when: all the time until now counts.
 */
export const logGaps = {
  up: async (on: Kysely<unknown>): Promise<void> => {
    await createTable(on, 'log_gaps', {
      columns: { from_time: 'whole', until_time: 'whole' },
      primaryKey: 'from_time',
    })
    const { rows } = await sql<{ value: string }>`
      select ${sql.ref('value')} as value from options where ${sql.ref('key')} = 'LogConsumeEnabled'`.execute(on)
    if (rows[0]?.value !== 'false') return
    const now = Math.floor(Date.now() / 1000)
    await sql`insert into log_gaps (from_time, until_time) values (0, ${now})`.execute(on)
  },
}

/** Calls that a report and the log disagree about one by one, and the time zone that a report counts its days in. */
export const reconciledCalls = {
  up: async (on: Kysely<unknown>): Promise<void> => {
    await addColumns(on, 'report_imports', { utc_offset: 'count' })
    await createTable(on, 'report_calls', {
      columns: { id: 'id', import_id: 'whole', list: 'key', comparison: 'text' },
      indexes: [['import_id', 'list', 'id']],
    })
  },
}

/** Operators' descriptions of models. */
export const modelCards = {
  up: (on: Kysely<unknown>): Promise<void> =>
    createTable(on, 'model_cards', {
      columns: { id: 'id', model: 'key', fields: 'text', changed_time: 'whole' },
      unique: [['model']],
    }),
}

/** Names that stand for lists of models and channels. */
export const virtualModels = {
  up: (on: Kysely<unknown>): Promise<void> =>
    createTable(on, 'virtual_models', {
      columns: { id: 'id', name: 'key', spec: 'text', changed_time: 'whole' },
      unique: [['name']],
    }),
}

/** Imports from databases of other gateways: ids of imported rows, and earlier use of accounts. */
export const imports = {
  up: async (on: Kysely<unknown>): Promise<void> => {
    await createTable(on, 'import_rows', {
      columns: { id: 'id', site: 'key', kind: 'key', source_id: 'key', target_id: 'whole' },
      unique: [['site', 'kind', 'source_id']],
    })
    await createTable(on, 'opening_uses', {
      columns: { id: 'id', account: 'key', account_id: 'whole', used: 'count' },
      unique: [['account', 'account_id']],
    })
  },
}

/** Entries by their time: statements read them one by one where a month ends within an hour of UTC. */
export const ledgerTimes = {
  up: async (on: Kysely<unknown>): Promise<void> => {
    await createIndex(on, 'ledger_entries', ['created_at', 'account_id'], { unique: false })
  },
}
