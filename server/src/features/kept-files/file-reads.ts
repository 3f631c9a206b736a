import { keyTextLength } from '../../db/column-lengths.ts'
import type { Database } from '../../db/database.ts'
import { madeIn } from '../../db/made-by.ts'
import type { KeptFilesTable } from '../../db/schema/kept-files.ts'
import { AppError } from '../../lib/app-error.ts'
import { isStorable } from '../../lib/bounded-text.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import { mayRead, type Reader } from '../../relay/reader.ts'
import type { KeptFile, KeptFilePage, KeptFiles } from '../../relay/stored/kept-files.ts'

export const fileOf = (row: KeptFilesTable): KeptFile => ({
  id: row.id,
  maker: { userId: row.user_id, tokenId: row.token_id, projectId: row.project_id, memberId: row.member_id },
  filename: row.filename,
  purpose: row.purpose,
  bytes: row.bytes,
  contentType: row.content_type,
  createdAt: row.created_time,
  expiresAt: row.expires_time,
})

export interface FileReads extends Pick<KeptFiles, 'list'> {
  /** Row of a file that a key reads; undefined for one of others, one that has expired and none. */
  rowOf(id: string, reader: Reader): Promise<KeptFilesTable | undefined>
}

/** Finds the rows of files that keys read. */
export const openFileReads = ({ query }: Pick<Database, 'query'>, clock: Clock): FileReads => {
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

  /** Rows on one side of a file in the order of a list. */
  const beside = async (
    rows: ReturnType<typeof rowsReadBy>,
    reader: Reader,
    { id, isLater }: { readonly id: string; readonly isLater: boolean },
  ): Promise<ReturnType<typeof rowsReadBy>> => {
    const row = await rowOf(id, reader)
    if (row === undefined) throw new AppError('kept_file_not_found', { params: { id } })
    const { order_number: order } = row
    const side = isLater ? '>' : '<'
    return rows.where(({ or, and, eb }) =>
      or([eb('order_number', side, order), and([eb('order_number', '=', order), eb('id', side, id)])]),
    )
  }

  return {
    rowOf,

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
  }
}
