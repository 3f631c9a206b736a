import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'

const decoders = { gzip: promisify(gunzip), br: promisify(brotliDecompress), deflate: promisify(inflate) }

/** The bytes behind a content encoding; throws for an unknown one, and for more than `limit` bytes. */
export const decodeBody = async (bytes: Buffer, encoding: string, limit: number): Promise<Buffer> => {
  if (encoding === '' || encoding === 'identity') return bytes
  const decoder = Object.entries(decoders).find(([name]) => name === encoding)?.[1]
  if (decoder === undefined) throw new Error(`content encoding ${encoding}`)
  return decoder(bytes, { maxOutputLength: limit })
}
