import { type ReportSource, reportSource, sourceSettings } from '@tollgate/contract'
import { parseJson } from '@tollgate/contract/json'
import type { Selectable, Transaction } from 'kysely'
import { z } from 'zod'
import type { Database } from '#server/db/database.ts'
import { insertReturningId } from '#server/db/dialect.ts'
import type { Tables } from '#server/db/schema.ts'
import type { ReportSourcesTable } from './tables.ts'

export type ReportSourceRow = Selectable<ReportSourcesTable>
export type SourceColumns = Omit<ReportSourceRow, 'id'>

const ids = z.array(z.int().positive())

/** A stored source without its key. */
export const shownSource = (row: ReportSourceRow): ReportSource => ({
  id: row.id,
  kind: reportSource.shape.kind.parse(row.kind),
  name: row.name,
  channel_ids: ids.safeParse(parseJson(row.channel_ids)).data ?? [],
  base_url: row.base_url,
  settings: sourceSettings.parse(parseJson(row.settings) ?? {}),
  key_hint: row.key_hint,
  created_time: row.created_time,
})

/** Store of the sources of reports. */
export const openSourceStore = ({ query }: Database) => ({
  list: (): Promise<ReportSourceRow[]> => query.selectFrom('report_sources').selectAll().orderBy('id').execute(),
  get: (id: number): Promise<ReportSourceRow | undefined> =>
    query.selectFrom('report_sources').selectAll().where('id', '=', id).executeTakeFirst(),
  insert: (row: SourceColumns, trx: Transaction<Tables>): Promise<number> =>
    insertReturningId(trx, 'report_sources', row),
  update: async (id: number, row: Omit<SourceColumns, 'created_time'>, trx: Transaction<Tables>): Promise<void> => {
    await trx.updateTable('report_sources').set(row).where('id', '=', id).execute()
  },
  remove: async (id: number, trx: Transaction<Tables>): Promise<void> => {
    await trx.deleteFrom('report_sources').where('id', '=', id).execute()
  },
})

export type SourceStore = ReturnType<typeof openSourceStore>
