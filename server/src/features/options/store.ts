import type { Transaction } from 'kysely'
import type { Database } from '../../db/database.ts'
import { upsert } from '../../db/dialect.ts'
import type { Tables } from '../../db/schema.ts'

export interface OptionStore {
  /** Stored text by key; secrets are still encrypted. */
  readAll(): Promise<ReadonlyMap<string, string>>
  /** Stores a row, or removes it when `row` is undefined, together with what `also` writes. */
  put(key: string, row: string | undefined, also: (trx: Transaction<Tables>) => Promise<void>): Promise<void>
}

export const optionStore = (database: Database): OptionStore => ({
  async readAll() {
    const rows = await database.query.selectFrom('options').select(['key', 'value']).execute()
    return new Map(rows.map((row) => [row.key, row.value]))
  },
  put: (key, row, also) =>
    database.transaction(async (trx) => {
      if (row === undefined) await trx.deleteFrom('options').where('key', '=', key).execute()
      else await upsert(trx, 'options', [{ key, value: row }], { key: ['key'], set: ['value'] })
      await also(trx)
    }),
})
