import type { Database } from '../../db/database.ts'
import { decryptPiece, encryptPiece, tagBytes } from './piece-cipher.ts'
import { type ByteStore, pieceBytes } from './pieces.ts'

/** Used by one write after the other: each reads it before anything else runs. */
const encrypted = Buffer.allocUnsafeSlow(pieceBytes + tagBytes)

/** Bytes of files in rows of one piece. */
export const openDatabaseBytes = ({ query }: Pick<Database, 'query'>): ByteStore => ({
  blockBytes: pieceBytes,

  async write({ id, key }, start, bytes) {
    const length = encryptPiece({ key, start }, bytes, encrypted)
    const content = encrypted.toString('base64', 0, length)
    const row = { file_id: id, start_byte: start, bytes: bytes.length, content }
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
      if (row === undefined) return
      const bytes = decryptPiece(key, start, Buffer.from(row.content, 'base64'))
      yield from > start ? bytes.subarray(from - start) : bytes
    }
  },
})
