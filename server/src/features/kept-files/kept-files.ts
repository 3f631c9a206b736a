import { randomBytes } from 'node:crypto'
import type { Database } from '../../db/database.ts'
import type { KeptFilesTable } from '../../db/schema/kept-files.ts'
import { AppError } from '../../lib/app-error.ts'
import { shortText } from '../../lib/bounded-text.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import type { Secrets } from '../../lib/security/secrets.ts'
import type { KeptFiles } from '../../relay/stored/kept-files.ts'
import { databasePlace, type FilePlaces, onlyDatabase } from './file-places.ts'
import { fileOf, openFileReads } from './file-reads.ts'
import { newPieceKey } from './piece-cipher.ts'
import { type ByteStore, inBlocks, type StoredBytes } from './pieces.ts'
import { openFileRemovals } from './removals.ts'

/** Bounds that the operator sets. */
export interface KeptFileBounds {
  /** Bytes of one file; 0 stores none. */
  readonly ofFile: number
  /** Bytes of all files of one payer; 0 for no bound. */
  readonly ofPayer: number
  /** Days after which a file is deleted; 0 for never. */
  readonly days: number
}

export interface KeptFileStoreParts {
  readonly database: Database
  readonly secrets: Pick<Secrets, 'encrypt' | 'decrypt'>
  readonly clock: Clock
  readonly bounds: () => KeptFileBounds
  /** Default: the database alone. */
  readonly places?: FilePlaces
}

export interface KeptFileStore extends KeptFiles {
  /**
   * Deletes files whose time is over, unfinished ones and those of deleted users, and what deleted files have left outside of the
   * database, a page at a time; answers how many.
   */
  purge(): Promise<number>
}

/** An upload that takes longer counts as broken off. */
const longestUploadSeconds = 86_400
/** Bytes that the share of a payer counts for a file beside its own. */
const bytesOfRow = 1024
/** UTF-16 units. */
const longestName = 512
const longestKind = 127
const purgePage = 100
/** Uploads that run at once see each other's bytes after so many, and at their end. */
const bytesBetweenSums = 8 * 1024 * 1024

const megabytes = (bytes: number): number => Math.floor((bytes / 1024 / 1024) * 100) / 100

const storedText = (text: string, most: number): string => shortText(text.toWellFormed(), most).replaceAll('\0', '')

const newObjectName = (): string => randomBytes(16).toString('hex')

/** Files from before they had names of objects are all in the database, where the id counts. */
const storedOf = ({ id, object_name }: KeptFilesTable, key: Buffer): StoredBytes => ({
  id,
  objectName: object_name ?? id,
  key,
})

const newFileId = (): string => `file-${randomBytes(16).toString('hex')}`

/** Opens the store of files. Their bytes stand in the database or at a place of the operator's, encrypted with a key of each file. */
export const openKeptFiles = (parts: KeptFileStoreParts): KeptFileStore => {
  const { database, secrets, clock, bounds, places = onlyDatabase(database) } = parts
  const { query } = database
  const removals = openFileRemovals(database, { places, clock })
  const { rowOf, list } = openFileReads(database, clock)

  /** The least time that an order number leaves between two files of one node is a thousandth of a millisecond. */
  let lastOrder = 0
  const nextOrder = (): number => {
    lastOrder = Math.max(lastOrder + 1, clock() * 1000)
    return lastOrder
  }

  const removeOfPayer = async (id: string, userId: number): Promise<void> => {
    const row = await query
      .selectFrom('kept_files')
      .selectAll()
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .executeTakeFirst()
    if (row !== undefined) await removals.remove(row)
  }

  /** Takes back an upload, but not the one that has replaced it meanwhile. */
  const removeBroken = async (row: KeptFilesTable): Promise<void> => {
    if ((await removals.remove(row, { isOwnUpload: true })) || row.place_id !== databasePlace) return
    const other = await query.selectFrom('kept_files').select('id').where('id', '=', row.id).executeTakeFirst()
    // Pieces that were written after the row was deleted.
    if (other === undefined) await query.deleteFrom('kept_file_pieces').where('file_id', '=', row.id).execute()
  }

  const assertShare = async (userId: number): Promise<void> => {
    const { ofPayer } = bounds()
    if (ofPayer === 0) return
    const { bytes, count } = await query
      .selectFrom('kept_files')
      .select(({ fn }) => [fn.sum<number | null>('bytes').as('bytes'), fn.countAll<number>().as('count')])
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    if ((bytes ?? 0) + Number(count) * bytesOfRow > ofPayer)
      throw new AppError('kept_files_full', { params: { megabytes: megabytes(ofPayer) } })
  }

  const changeUpload = async (row: KeptFilesTable, changes: Partial<KeptFilesTable>): Promise<void> => {
    const { numUpdatedRows } = await query
      .updateTable('kept_files')
      .set(changes)
      .where('id', '=', row.id)
      .where('object_name', '=', row.object_name)
      .where('state', '=', 'writing')
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new Error(`the file ${row.id} was deleted while it was written`)
  }

  /** Writes the bytes of a file in the state `writing`; answers how many they are. */
  const write = async (
    row: KeptFilesTable,
    { store, stored }: { readonly store: ByteStore; readonly stored: StoredBytes },
    chunks: AsyncIterable<Uint8Array>,
  ): Promise<number> => {
    const { ofFile } = bounds()
    let [bytes, written] = [0, 0]
    const bounded = async function* (): AsyncGenerator<Uint8Array> {
      for await (const chunk of chunks) {
        bytes += chunk.length
        if (bytes > ofFile) throw new AppError('kept_file_too_large', { params: { megabytes: megabytes(ofFile) } })
        yield chunk
      }
    }
    let start = 0
    for await (const block of inBlocks(bounded(), store.blockBytes)) {
      await store.write(stored, start, block)
      start += block.length
      written += block.length
      await changeUpload(row, { bytes: start })
      if (written < bytesBetweenSums) continue
      written = 0
      await assertShare(row.user_id)
    }
    await assertShare(row.user_id)
    return bytes
  }

  const endOf = (wanted: number | undefined): number => {
    const { days } = bounds()
    const latest = days === 0 ? 0 : unixSeconds(clock) + days * 86_400
    if (wanted === undefined || wanted === 0) return latest
    return latest === 0 ? wanted : Math.min(wanted, latest)
  }

  return {
    async create(file, chunks) {
      const { maker, purpose, contentType, expiresAt } = file
      if (bounds().ofFile === 0) throw new AppError('kept_files_off')
      await assertShare(maker.userId)
      const id = file.id ?? newFileId()
      const placeId = await places.current()
      const store = await places.bytesAt(placeId)
      if (file.id !== undefined) await removeOfPayer(file.id, maker.userId)
      const key = newPieceKey()
      const row: KeptFilesTable = {
        id,
        user_id: maker.userId,
        token_id: maker.tokenId,
        project_id: maker.projectId,
        member_id: maker.memberId,
        filename: storedText(file.filename, longestName),
        purpose: storedText(purpose, longestKind),
        content_type: storedText(contentType, longestKind),
        bytes: 0,
        key_cipher: secrets.encrypt('kept_file', key.toString('base64')),
        state: 'writing',
        order_number: nextOrder(),
        created_time: unixSeconds(clock),
        expires_time: unixSeconds(clock) + longestUploadSeconds,
        place_id: placeId,
        object_name: newObjectName(),
      }
      await query.insertInto('kept_files').values(row).execute()
      try {
        const bytes = await write(row, { store, stored: storedOf(row, key) }, chunks)
        const late = await file.late?.(row.created_time)
        const ready = {
          bytes,
          state: 'ready',
          purpose: storedText(late?.purpose ?? purpose, longestKind),
          expires_time: endOf(late?.expiresAt ?? expiresAt),
        }
        await changeUpload(row, ready)
        return fileOf({ ...row, ...ready })
      } catch (error) {
        await removeBroken(row)
        throw error
      }
    },

    async find(id, reader) {
      const row = await rowOf(id, reader)
      return row && fileOf(row)
    },

    async *open({ id }, from = 0) {
      const find = () =>
        query.selectFrom('kept_files').selectAll().where('id', '=', id).where('state', '=', 'ready').executeTakeFirst()
      const row = await find()
      if (row === undefined) throw new AppError('kept_file_not_found', { params: { id } })
      const key = Buffer.from(secrets.decrypt('kept_file', row.key_cipher), 'base64')
      const store = await places.bytesAt(row.place_id)
      let at = from
      for await (const bytes of store.read(storedOf(row, key), { from, end: row.bytes })) {
        at += bytes.length
        yield bytes
      }
      if (at >= row.bytes) return
      const left = await find()
      if (left?.object_name !== row.object_name) throw new Error(`the file ${id} was deleted while it was read`)
      throw new AppError('kept_file_bytes_missing', { params: { id } })
    },

    list,

    async remove(id, reader) {
      const row = await rowOf(id, reader)
      return row !== undefined && removals.remove(row)
    },

    async purge() {
      const over = await query
        .selectFrom('kept_files')
        .selectAll()
        .where('expires_time', '>', 0)
        .where('expires_time', '<=', unixSeconds(clock))
        .limit(purgePage)
        .execute()
      const ofDeleted = await query
        .selectFrom('kept_files')
        .selectAll()
        .where('user_id', 'in', (users) =>
          users.selectFrom('users').select('users.id').where('users.deleted_at', 'is not', null),
        )
        .limit(purgePage)
        .execute()
      const rows = new Map([...over, ...ofDeleted].map((row) => [row.id, row]))
      for (const row of rows.values()) await removals.remove(row)
      return rows.size + (await removals.deleteObjects())
    },
  }
}
