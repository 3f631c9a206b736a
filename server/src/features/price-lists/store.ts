import { type PriceDecision, type PriceDoubt, priceDoubt, type StoredPrice, storedPrice } from '@tollgate/contract'
import type { Selectable, Transaction } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../db/database.ts'
import { insertReturningId } from '../../db/dialect.ts'
import type { PriceVersionsTable, Tables } from '../../db/schema.ts'

export type VersionRow = Selectable<PriceVersionsTable>

/** Decision about a change: `drop` lets the list's own price count again. */
export type Decision = PriceDecision | 'drop' | undefined

export interface Change {
  readonly provider: string
  readonly model: string
  readonly before: StoredPrice | undefined
  readonly after: StoredPrice | undefined
  readonly doubts: readonly PriceDoubt[]
  readonly decision: Decision
}

export interface ChangeRow extends Change {
  readonly id: number
}

export type NewVersion = Omit<VersionRow, 'id'>

const doubtList = z.array(priceDoubt)
const decisions = z.enum(['apply', 'keep', 'drop'])
const price = (text: string): StoredPrice | undefined => (text === '' ? undefined : storedPrice.parse(JSON.parse(text)))
const text = (value: StoredPrice | undefined): string => (value === undefined ? '' : JSON.stringify(value))

const mostListed = 200
const idsPerStatement = 500

/** Price lists, versions of prices and their changes, in the database. */
export const openPriceStore = ({ query, insertMany }: Pick<Database, 'query' | 'insertMany'>) => ({
  listIdOf: async (digest: string): Promise<number | undefined> =>
    (await query.selectFrom('price_lists').select('id').where('digest', '=', digest).executeTakeFirst())?.id,
  list: (id: number) => query.selectFrom('price_lists').selectAll().where('id', '=', id).executeTakeFirst(),
  lists: () => query.selectFrom('price_lists').selectAll().orderBy('id').execute(),
  /** Versions whose prices count, or counted, in the order in which they begin. */
  appliedVersions: (): Promise<VersionRow[]> =>
    query
      .selectFrom('price_versions')
      .selectAll()
      .where('status', 'in', ['applied', 'undone'])
      .orderBy('effective_from')
      .orderBy('id')
      .execute(),
  newestVersions: (): Promise<VersionRow[]> =>
    query.selectFrom('price_versions').selectAll().orderBy('id', 'desc').limit(mostListed).execute(),
  version: (id: number): Promise<VersionRow | undefined> =>
    query.selectFrom('price_versions').selectAll().where('id', '=', id).executeTakeFirst(),
  /** How many changes each version has, and how many of them are held back. */
  async counts(ids: readonly number[]): Promise<Map<number, { changes: number; held: number }>> {
    const counts = new Map<number, { changes: number; held: number }>()
    if (ids.length === 0) return counts
    const rows = await query
      .selectFrom('price_changes')
      .select((eb) => ['version_id', 'decision', eb.fn.countAll().as('count')])
      .where('version_id', 'in', ids)
      .groupBy(['version_id', 'decision'])
      .execute()
    for (const { version_id, decision, count } of rows) {
      const sum = counts.get(version_id) ?? { changes: 0, held: 0 }
      sum.changes += Number(count)
      if (decision === '') sum.held += Number(count)
      counts.set(version_id, sum)
    }
    return counts
  },
  async changes(version: number): Promise<ChangeRow[]> {
    const rows = await query
      .selectFrom('price_changes')
      .selectAll()
      .where('version_id', '=', version)
      .orderBy('id')
      .execute()
    return rows.map(({ id, provider, model, before, after, doubts, decision }) => ({
      id,
      provider,
      model,
      before: price(before),
      after: price(after),
      doubts: doubtList.parse(JSON.parse(doubts)),
      decision: decision === '' ? undefined : decisions.parse(decision),
    }))
  },
  addChanges: (trx: Transaction<Tables>, version: number, changes: readonly Change[]): Promise<void> =>
    insertMany(
      'price_changes',
      changes.map(({ provider, model, before, after, doubts, decision }) => ({
        version_id: version,
        provider,
        model,
        before: text(before),
        after: text(after),
        doubts: JSON.stringify(doubts),
        decision: decision ?? '',
      })),
      { trx },
    ),
})
export type PriceStore = ReturnType<typeof openPriceStore>

export const addVersion = (trx: Transaction<Tables>, row: NewVersion): Promise<number> =>
  insertReturningId(trx, 'price_versions', row)

/** Sets what becomes of changes. */
export const decide = async (
  trx: Transaction<Tables>,
  ids: readonly number[],
  decision: PriceDecision,
): Promise<void> => {
  for (let from = 0; from < ids.length; from += idsPerStatement) {
    await trx
      .updateTable('price_changes')
      .set({ decision })
      .where('id', 'in', ids.slice(from, from + idsPerStatement))
      .execute()
  }
}

/** True if the version had one of these statuses until now; two nodes that try get it once. */
export const settle = async (
  trx: Transaction<Tables>,
  id: number,
  from: string,
  to: { status: string; decided_at: number; effective_from?: number; actor_id?: number; actor_name?: string },
): Promise<boolean> => {
  const { numUpdatedRows } = await trx
    .updateTable('price_versions')
    .set(to)
    .where('id', '=', id)
    .where('status', '=', from)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
