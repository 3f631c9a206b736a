import { randomBytes } from 'node:crypto'
import { keyTextLength } from '../../db/column-lengths.ts'
import type { Database } from '../../db/database.ts'
import { madeIn } from '../../db/made-by.ts'
import type { KeptFilesTable } from '../../db/schema/kept-files.ts'
import { AppError } from '../../lib/app-error.ts'
import { isStorable, shortText } from '../../lib/bounded-text.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import type { Secrets } from '../../lib/security/secrets.ts'
import { mayRead, type Reader } from '../../relay/reader.ts'
import type { KeptFile, KeptFilePage, KeptFiles } from '../../relay/stored/kept-files.ts'
import { newPieceKey } from './piece-cipher.ts'
import { inPieces, openPieces } from './pieces.ts'

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
}

export interface KeptFileStore extends KeptFiles {
  /** Deletes files whose time is over, unfinished ones and those of deleted users, a page at a time; answers how many. */
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
/** Uploads that run at once see each other's bytes after so many pieces, and at their end. */
const piecesBetweenSums = 32

const megabytes = (bytes: number): number => Math.floor((bytes / 1024 / 1024) * 100) / 100

const storedText = (text: string, most: number): string => shortText(text.toWellFormed(), most).replaceAll('\0', '')

const newFileId = (): string => `file-${randomBytes(16).toString('hex')}`

const fileOf = (row: KeptFilesTable): KeptFile => ({
  id: row.id,
  maker: { userId: row.user_id, tokenId: row.token_id, projectId: row.project_id, memberId: row.member_id },
  filename: row.filename,
  purpose: row.purpose,
  bytes: row.bytes,
  contentType: row.content_type,
  createdAt: row.created_time,
  expiresAt: row.expires_time,
})

/** Opens the store of files. Their bytes are rows of `pieceBytes`, encrypted with a key of each file. */
export const openKeptFiles = ({ database, secrets, clock, bounds }: KeptFileStoreParts): KeptFileStore => {
  const { query } = database
  const pieces = openPieces(database)

  /** The least time that an order number leaves between two files of one node is a thousandth of a millisecond. */
  let lastOrder = 0
  const nextOrder = (): number => {
    lastOrder = Math.max(lastOrder + 1, clock() * 1000)
    return lastOrder
  }

  const removeOfPayer = async (id: string, userId: number): Promise<void> => {
    const { numDeletedRows } = await query
      .deleteFrom('kept_files')
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .executeTakeFirst()
    if (numDeletedRows > 0n) await pieces.removeOf([id])
  }

  /** Takes back an upload, but not the one that has replaced it meanwhile. */
  const removeBroken = async ({ id, key_cipher: cipher }: Pick<KeptFilesTable, 'id' | 'key_cipher'>): Promise<void> => {
    const { numDeletedRows } = await query
      .deleteFrom('kept_files')
      .where('id', '=', id)
      .where('key_cipher', '=', cipher)
      .executeTakeFirst()
    const other = await query.selectFrom('kept_files').select('id').where('id', '=', id).executeTakeFirst()
    if (numDeletedRows > 0n || other === undefined) await pieces.removeOf([id])
  }

  const removeRows = async (ids: readonly string[]): Promise<void> => {
    if (ids.length === 0) return
    await query
      .deleteFrom('kept_files')
      .where('id', 'in', [...ids])
      .execute()
    await pieces.removeOf(ids)
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

  const write = async (
    file: { readonly id: string; readonly key: Buffer },
    userId: number,
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
    for await (const piece of inPieces(bounded())) {
      await pieces.write(file, start, piece)
      start += piece.length
      written += 1
      await query.updateTable('kept_files').set({ bytes: start }).where('id', '=', file.id).execute()
      if (written % piecesBetweenSums === 0) await assertShare(userId)
    }
    await assertShare(userId)
    return bytes
  }

  const endOf = (wanted: number | undefined): number => {
    const { days } = bounds()
    const latest = days === 0 ? 0 : unixSeconds(clock) + days * 86_400
    if (wanted === undefined || wanted === 0) return latest
    return latest === 0 ? wanted : Math.min(wanted, latest)
  }

  const rowsReadBy = (reader: Reader) =>
    query
      .selectFrom('kept_files')
      .selectAll()
      .where(madeIn(reader))
      .where('state', '=', 'ready')
      .where(({ or, eb }) => or([eb('expires_time', '=', 0), eb('expires_time', '>', unixSeconds(clock))]))

  const rowOf = async (id: string, reader: Reader): Promise<KeptFilesTable | undefined> => {
    if (!isStorable(id, keyTextLength)) return undefined
    const row = await query.selectFrom('kept_files').selectAll().where('id', '=', id).executeTakeFirst()
    if (row === undefined || row.state !== 'ready' || !mayRead(reader, fileOf(row).maker)) return undefined
    return row.expires_time === 0 || row.expires_time > unixSeconds(clock) ? row : undefined
  }

  const placeOf = async (id: string, reader: Reader): Promise<KeptFilesTable> => {
    const row = await rowOf(id, reader)
    if (row === undefined) throw new AppError('kept_file_not_found', { params: { id } })
    return row
  }

  /** Rows on one side of a file in the order of a list. */
  const beside = async (
    rows: ReturnType<typeof rowsReadBy>,
    reader: Reader,
    { id, isLater }: { readonly id: string; readonly isLater: boolean },
  ): Promise<ReturnType<typeof rowsReadBy>> => {
    const { order_number: order } = await placeOf(id, reader)
    const side = isLater ? '>' : '<'
    return rows.where(({ or, and, eb }) =>
      or([eb('order_number', side, order), and([eb('order_number', '=', order), eb('id', side, id)])]),
    )
  }

  return {
    async create(file, chunks) {
      const { maker, purpose, contentType, expiresAt } = file
      if (bounds().ofFile === 0) throw new AppError('kept_files_off')
      await assertShare(maker.userId)
      const id = file.id ?? newFileId()
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
      }
      await query.insertInto('kept_files').values(row).execute()
      try {
        const bytes = await write({ id, key }, maker.userId, chunks)
        const late = await file.late?.(row.created_time)
        const ready = {
          bytes,
          state: 'ready',
          purpose: storedText(late?.purpose ?? purpose, longestKind),
          expires_time: endOf(late?.expiresAt ?? expiresAt),
        }
        const { numUpdatedRows } = await query
          .updateTable('kept_files')
          .set(ready)
          .where('id', '=', id)
          .where('key_cipher', '=', row.key_cipher)
          .executeTakeFirst()
        if (numUpdatedRows === 0n) throw new Error(`the file ${id} was deleted while it was written`)
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
      const row = await query
        .selectFrom('kept_files')
        .select(['key_cipher', 'bytes'])
        .where('id', '=', id)
        .where('state', '=', 'ready')
        .executeTakeFirst()
      if (row === undefined) throw new AppError('kept_file_not_found', { params: { id } })
      const key = Buffer.from(secrets.decrypt('kept_file', row.key_cipher), 'base64')
      yield* pieces.read({ id, key }, { from, end: row.bytes })
    },

    async list(reader, { after, before, limit, order, purpose }: KeptFilePage) {
      let rows = rowsReadBy(reader)
      rows = purpose === undefined ? rows.where('purpose', 'not like', '.%') : rows.where('purpose', '=', purpose)
      if (after !== undefined) rows = await beside(rows, reader, { id: after, isLater: order === 'asc' })
      if (before !== undefined) rows = await beside(rows, reader, { id: before, isLater: order === 'desc' })
      const isBackwards = before !== undefined && after === undefined
      const direction = isBackwards === (order === 'asc') ? 'desc' : 'asc'
      const found = await rows
        .orderBy('order_number', direction)
        .orderBy('id', direction)
        .limit(limit + 1)
        .execute()
      const page = found.slice(0, limit).map(fileOf)
      return { files: isBackwards ? page.toReversed() : page, hasMore: found.length > limit }
    },

    async remove(id, reader) {
      if ((await rowOf(id, reader)) === undefined) return false
      await removeRows([id])
      return true
    },

    async purge() {
      const over = await query
        .selectFrom('kept_files')
        .select('id')
        .where('expires_time', '>', 0)
        .where('expires_time', '<=', unixSeconds(clock))
        .limit(purgePage)
        .execute()
      const ofDeleted = await query
        .selectFrom('kept_files')
        .select('id')
        .where('user_id', 'in', (users) =>
          users.selectFrom('users').select('users.id').where('users.deleted_at', 'is not', null),
        )
        .limit(purgePage)
        .execute()
      const ids = [...new Set([...over, ...ofDeleted].map(({ id }) => id))]
      await removeRows(ids)
      return ids.length
    },
  }
}
