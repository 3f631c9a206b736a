import type { Transaction } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { KeptFilesTable } from '../../db/schema/kept-files.ts'
import type { Tables } from '../../db/schema.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import { databasePlace, type FilePlaces } from './file-places.ts'
import { removeObjects } from './object-bytes.ts'

/** A row of a file that is to be deleted. */
export type RemovedFile = Pick<KeptFilesTable, 'id' | 'state' | 'object_name' | 'place_id'>

export interface FileRemovals {
  /**
   * Deletes the row of a file with its bytes, unless the row is gone or was written anew; answers whether it did. Bytes outside of the
   * database are noted for `deleteObjects`: without the key in the row they can no longer be read.
   */
  remove(file: RemovedFile, how?: { readonly isOwnUpload: boolean }): Promise<boolean>
  /** Deletes what is due outside of the database, a page at a time; answers how many files it was. */
  deleteObjects(): Promise<number>
}

/** Seconds that an upload whose row was deleted needs at most to notice it, and until a place that failed is asked again. */
const pauseSeconds = 3600
const pageSize = 100

/** Deletes files so that no crash leaves bytes that nothing names. */
export const openFileRemovals = (
  database: Database,
  { places, clock }: { readonly places: FilePlaces; readonly clock: Clock },
): FileRemovals => {
  const { query } = database

  const removeBytes = async (
    trx: Transaction<Tables>,
    { id, place_id, object_name, bytes }: RemovedFile & { readonly bytes: number },
    due: number,
  ): Promise<void> => {
    if (place_id === databasePlace) await trx.deleteFrom('kept_file_pieces').where('file_id', '=', id).execute()
    else if (object_name !== null)
      await trx.insertInto('kept_file_removals').values({ place_id, object_name, bytes, due_time: due }).execute()
  }

  return {
    remove: (file, { isOwnUpload } = { isOwnUpload: false }) =>
      database.transaction(async (trx) => {
        // An upload that goes on meanwhile notes no more bytes from here on, and ends when it notices.
        const { numUpdatedRows } = await trx
          .updateTable('kept_files')
          .set({ state: 'removed' })
          .where('id', '=', file.id)
          .where('object_name', file.object_name === null ? 'is' : '=', file.object_name)
          .executeTakeFirst()
        if (numUpdatedRows === 0n) return false
        const { bytes } = await trx
          .selectFrom('kept_files')
          .select('bytes')
          .where('id', '=', file.id)
          .executeTakeFirstOrThrow()
        const isUploading = file.state === 'writing' && !isOwnUpload
        await removeBytes(trx, { ...file, bytes }, unixSeconds(clock) + (isUploading ? pauseSeconds : 0))
        await trx.deleteFrom('kept_files').where('id', '=', file.id).execute()
        return true
      }),

    async deleteObjects() {
      const due = await query
        .selectFrom('kept_file_removals')
        .selectAll()
        .where('due_time', '<=', unixSeconds(clock))
        .orderBy('due_time')
        .limit(pageSize)
        .execute()
      let done = 0
      for (const { id, place_id, object_name: objectName, bytes } of due) {
        try {
          await removeObjects(await places.placeAt(place_id), { objectName, bytes })
          await query.deleteFrom('kept_file_removals').where('id', '=', id).execute()
          done += 1
        } catch (error) {
          places.failed(error)
          const later = unixSeconds(clock) + pauseSeconds
          await query.updateTable('kept_file_removals').set({ due_time: later }).where('id', '=', id).execute()
        }
      }
      return done
    },
  }
}
