import type { PreparedLists } from '../../billing/book/prepared-lists.ts'
import { nameOf, type PriceListData, packLists, sourceOf, unpackLists } from '../../billing/book/price-list-data.ts'
import type { Database } from '../../db/database.ts'
import { insertReturningId, isUniqueViolation } from '../../db/dialect.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import { listDifferences } from './differences.ts'
import type { LiveLists } from './live-lists.ts'
import { guarded } from './propose.ts'
import { addVersion, type PriceStore } from './store.ts'

/** Receipts name a list by its version: other content under a version that was used before gets a number. */
const withOwnNames = (lists: PriceListData, earlier: readonly PriceListData[]): PriceListData => {
  const named = <T extends { readonly version: string }>(part: T, others: readonly (T | undefined)[]): T => {
    const content = ({ version: _, ...rest }: T): string => JSON.stringify(rest)
    const base = (version: string): string => version.replace(/ #\d+$/, '')
    const same = others.filter((other) => other !== undefined && base(other.version) === part.version)
    const known = same.find((other) => other !== undefined && content(other) === content(part))
    if (known !== undefined) return { ...part, version: known.version }
    const count = new Set(same.map((other) => other?.version)).size
    return count === 0 ? part : { ...part, version: `${part.version} #${count + 1}` }
  }
  return {
    catalogue: named(
      lists.catalogue,
      earlier.map(({ catalogue }) => catalogue),
    ),
    tables: lists.tables.map((table, index) =>
      named(
        table,
        earlier.map(({ tables }) => tables[index]),
      ),
    ),
  }
}

export interface ShippedParts {
  readonly database: Database
  readonly store: PriceStore
  readonly clock: Clock
  readonly live: LiveLists
  /** Names that enabled channels serve. */
  names(): readonly string[]
}

/**
 * Stores the lists of this version of the product. The first lists ever count from the beginning; later ones are only stored, see
 * `proposeShipped`. Several nodes may do it at once.
 */
export const keepShipped = async (
  shipped: PreparedLists,
  parts: Omit<ShippedParts, 'live' | 'names'>,
): Promise<number> => {
  const { database, store, clock } = parts
  const { digest } = shipped
  const known = await store.listIdOf(digest)
  if (known !== undefined) return known
  const earlier = (await store.lists()).map(({ data }) => unpackLists(data))
  const own = withOwnNames(shipped.lists(), earlier)
  const now = unixSeconds(clock)
  try {
    return await database.transaction(async (trx) => {
      const row = { created_at: now, name: nameOf(own), digest, data: packLists(own) }
      const id = await insertReturningId(trx, 'price_lists', row)
      const first = await trx.selectFrom('price_versions').select('id').limit(1).executeTakeFirst()
      if (first === undefined) {
        const version = { kind: 'shipped', source: row.name, status: 'applied', list_id: id, undoes: 0 }
        const actor = { actor_id: 0, actor_name: '' }
        await addVersion(trx, { ...version, ...actor, created_at: now, decided_at: now, effective_from: 0 })
      }
      return id
    })
  } catch (error) {
    const other = isUniqueViolation(error) ? await store.listIdOf(digest) : undefined
    if (other === undefined) throw error
    return other
  }
}

/** Changes by the lists of this version of the product; none while they are in force. */
export const shippedChanges = async (listId: number, { store, clock, live, names }: ShippedParts) => {
  const row = await store.list(listId)
  if (row === undefined) throw new Error(`there is no price list ${listId}`)
  const differences = listDifferences(live.source(), sourceOf(unpackLists(row.data)), names())
  return { name: row.name, changes: guarded(differences, clock()) }
}
