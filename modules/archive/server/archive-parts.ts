import type { Insertable, Selectable, Transaction } from 'kysely'
import type { Database } from '#server/db/database.ts'
import type { Tables } from '#server/db/schema.ts'
import type { LogCursor } from '#server/features/logs/filter.ts'
import type { LogArchivesTable } from './tables.ts'

export type ArchivePart = Selectable<LogArchivesTable>
export type NewArchivePart = Insertable<LogArchivesTable>

/** The list of archive files, in the main database. */
export interface ArchiveParts {
  /** Those that hold rows of a span, the newest rows first. Unix seconds, both included. */
  within(span: { readonly from?: number | undefined; readonly to?: number | undefined }): Promise<ArchivePart[]>
  /** Those that may hold a row. */
  ofRow(id: number): Promise<ArchivePart[]>
  /** Those whose rows are not all deleted from the database yet, oldest first. */
  unfinished(): Promise<ArchivePart[]>
  /** From now on its rows are read from the file, and neither counts nor verification look for them in the database. */
  add(part: NewArchivePart): Promise<void>
  /** Deletes its rows up to a place with `work`, and notes that: both or neither, where logs live in the same database. */
  whileDeleting(
    part: Pick<ArchivePart, 'id'>,
    until: LogCursor,
    work: (on: Transaction<Tables>) => Promise<void>,
  ): Promise<void>
  finish(part: Pick<ArchivePart, 'id'>, now: number): Promise<void>
}

export const openArchiveParts = (database: Database): ArchiveParts => {
  const { query } = database
  const parts = query.selectFrom('log_archives').selectAll()
  return {
    within: ({ from, to }) =>
      parts
        .where('last_time', '>=', from || 0)
        .where('first_time', '<=', to || Number.MAX_SAFE_INTEGER)
        .orderBy('last_time', 'desc')
        .orderBy('id', 'desc')
        .execute(),
    ofRow: (id) => parts.where('first_id', '<=', id).where('last_id', '>=', id).orderBy('id').execute(),
    unfinished: () => parts.where('finished_time', '=', 0).orderBy('id').execute(),
    async add(part) {
      await database.transaction(async (trx) => {
        await trx.insertInto('log_archives').values(part).execute()
        await trx
          .insertInto('log_purges')
          .values({
            name: `archive:${part.name}`,
            type: 0,
            before: part.last_time + 1,
            total: part.rows,
            deleted: part.rows,
            created_time: part.created_time,
            finished_time: part.created_time,
          })
          .execute()
      })
    },
    async whileDeleting({ id }, { createdAt, id: row }, work) {
      await database.transaction(async (trx) => {
        await work(trx)
        await trx
          .updateTable('log_archives')
          .set({ deleted_until: createdAt, deleted_id: row })
          .where('id', '=', id)
          .execute()
      })
    },
    async finish({ id }, now) {
      await query.updateTable('log_archives').set({ finished_time: now }).where('id', '=', id).execute()
    },
  }
}
