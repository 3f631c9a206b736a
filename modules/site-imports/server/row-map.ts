import type { ImportKind } from '@tollgate/contract'
import type { Transaction } from 'kysely'
import type { Database } from '#server/db/database.ts'
import type { Tables } from '#server/db/schema.ts'

/** Kinds of a site's rows that are mapped; a wallet is the user that pays for an organisation, under the id of the organisation. */
export type MappedKind = ImportKind | 'wallet'

/** Which rows of a site were moved already, and what they are here. */
export interface RowMap {
  /** Ids here by ids of the source; those that were not moved are missing. */
  known(kind: MappedKind, sourceIds: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** Remembers moved rows, in the transaction that writes them. */
  add(trx: Transaction<Tables>, kind: MappedKind, rows: ReadonlyMap<string, number>): Promise<void>
  /** In a dry run: rows that would be moved, so that others find them. */
  pretend(kind: MappedKind, sourceIds: readonly string[]): void
}

/** The id of what a dry run would have made. */
const pretended = -1

export const openRowMap = (database: Database, site: string): RowMap => {
  const dry = new Map<MappedKind, Set<string>>()
  return {
    async known(kind, sourceIds) {
      const ids = [...new Set(sourceIds)].filter((id) => id !== '')
      if (ids.length === 0) return new Map()
      const rows = await database.query
        .selectFrom('import_rows')
        .select(['source_id', 'target_id'])
        .where('site', '=', site)
        .where('kind', '=', kind)
        .where('source_id', 'in', ids)
        .execute()
      const found = new Map(rows.map((row) => [row.source_id, row.target_id]))
      const assumed = dry.get(kind)
      if (assumed !== undefined) for (const id of ids) if (!found.has(id) && assumed.has(id)) found.set(id, pretended)
      return found
    },
    async add(trx, kind, rows) {
      if (rows.size === 0) return
      const entries = [...rows].map(([source_id, target_id]) => ({ site, kind, source_id, target_id }))
      await database.insertMany('import_rows', entries, { trx })
    },
    pretend(kind, sourceIds) {
      const assumed = dry.get(kind) ?? new Set()
      for (const id of sourceIds) assumed.add(id)
      dry.set(kind, assumed)
    },
  }
}
