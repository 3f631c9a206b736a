import type { Transaction } from 'kysely'
import type { Database } from '../../db/database.ts'
import { upsert } from '../../db/dialect.ts'
import type { Tables } from '../../db/schema.ts'

export interface OptionRow {
  readonly key: string
  /** undefined removes the row. */
  readonly row: string | undefined
}

export interface OptionStore {
  /** Stored text by key; secrets are still encrypted. */
  readAll(): Promise<ReadonlyMap<string, string>>
  /** Stores or removes rows together with what `also` writes: all of it or nothing. */
  put(rows: readonly OptionRow[], also: (trx: Transaction<Tables>) => Promise<void>): Promise<void>
}

const stays = (entry: OptionRow): entry is OptionRow & { row: string } => entry.row !== undefined

export const optionStore = (database: Database): OptionStore => ({
  async readAll() {
    const rows = await database.query.selectFrom('options').select(['key', 'value']).execute()
    return new Map(rows.map((row) => [row.key, row.value]))
  },
  put: (rows, also) =>
    database.transaction(async (trx) => {
      const gone = rows.filter((entry) => !stays(entry)).map(({ key }) => key)
      if (gone.length > 0) await trx.deleteFrom('options').where('key', 'in', gone).execute()
      const kept = rows.filter(stays).map(({ key, row }) => ({ key, value: row }))
      await upsert(trx, 'options', kept, { key: ['key'], set: ['value'] })
      await also(trx)
    }),
})
