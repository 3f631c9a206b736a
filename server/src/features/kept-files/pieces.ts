import type { Database } from '../../db/database.ts'
import { decryptPiece, encryptPiece } from './piece-cipher.ts'

/** Bytes of a piece, which is one row; the last of a file is shorter. */
export const pieceBytes = 256 * 1024

/** Joins chunks of any length to pieces of `pieceBytes`, of which one is in memory. */
export async function* inPieces(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let waiting: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    let rest = chunk
    while (length + rest.length >= pieceBytes) {
      const room = pieceBytes - length
      yield Buffer.concat([...waiting, rest.subarray(0, room)])
      rest = rest.subarray(room)
      waiting = []
      length = 0
    }
    if (rest.length > 0) waiting.push(rest)
    length += rest.length
  }
  if (length > 0) yield Buffer.concat(waiting)
}

export interface PieceStore {
  write(file: { readonly id: string; readonly key: Buffer }, start: number, bytes: Buffer): Promise<void>
  /** Bytes from `from` up to `end`, the length of the file. Throws where a piece is missing. */
  read(
    file: { readonly id: string; readonly key: Buffer },
    range: { readonly from: number; readonly end: number },
  ): AsyncGenerator<Buffer>
  removeOf(ids: readonly string[]): Promise<void>
}

export const openPieces = ({ query }: Pick<Database, 'query'>): PieceStore => ({
  async write({ id, key }, start, bytes) {
    const row = {
      file_id: id,
      start_byte: start,
      bytes: bytes.length,
      content: encryptPiece(key, start, bytes),
    }
    await query.insertInto('kept_file_pieces').values(row).execute()
  },

  async *read({ id, key }, { from, end }) {
    for (let start = from - (from % pieceBytes); start < end; start += pieceBytes) {
      const row = await query
        .selectFrom('kept_file_pieces')
        .select('content')
        .where('file_id', '=', id)
        .where('start_byte', '=', start)
        .executeTakeFirst()
      if (row === undefined) throw new Error(`the file ${id} was deleted while it was read`)
      const bytes = decryptPiece(key, start, row.content)
      yield from > start ? bytes.subarray(from - start) : bytes
    }
  },

  async removeOf(ids) {
    if (ids.length === 0) return
    await query
      .deleteFrom('kept_file_pieces')
      .where('file_id', 'in', [...ids])
      .execute()
  },
})
