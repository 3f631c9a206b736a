import type { CallList, Page, ReconciledCall } from '@tollgate/contract'
import type { Transaction } from 'kysely'
import type { Database } from '#server/db/database.ts'
import type { Tables } from '#server/db/schema.ts'
import type { ListedCall } from './match-calls.ts'

export interface CallFilter {
  readonly p: number
  readonly page_size: number
  readonly list: CallList
}

export interface CallStore {
  /** Adds the calls of an import. */
  add(importId: number, calls: readonly ListedCall[], trx: Transaction<Tables>): Promise<void>
  page(importId: number, filter: CallFilter): Promise<Page<ReconciledCall>>
  /** Deletes the calls of an import. */
  clear(importId: number, trx: Transaction<Tables>): Promise<void>
}

const rowsAtOnce = 500

/** Calls that a report and the log disagree about. */
export const openCallStore = (database: Database): CallStore => ({
  add: async (importId, calls, trx) => {
    for (let start = 0; start < calls.length; start += rowsAtOnce) {
      const rows = calls
        .slice(start, start + rowsAtOnce)
        .map(({ list, call }) => ({ import_id: importId, list, comparison: JSON.stringify(call) }))
      await database.insertMany('report_calls', rows, { trx })
    }
  },
  page: async (importId, { p, page_size, list }) => {
    const fitting = database.query.selectFrom('report_calls').where('import_id', '=', importId).where('list', '=', list)
    const [rows, counted] = await Promise.all([
      fitting
        .select(['id', 'comparison'])
        .orderBy('id')
        .limit(page_size)
        .offset((p - 1) * page_size)
        .execute(),
      fitting.select(({ fn }) => fn.countAll().as('total')).executeTakeFirstOrThrow(),
    ])
    // Written by this store from the same type.
    const items = rows.map(({ id, comparison }) => ({ ...(JSON.parse(comparison) as ListedCall['call']), id }))
    return { items, total: Number(counted.total), page: p, page_size }
  },
  clear: async (importId, trx) => {
    await trx.deleteFrom('report_calls').where('import_id', '=', importId).execute()
  },
})
