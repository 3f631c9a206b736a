import { constants, createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'
import type { MemoryShare } from '../../lib/memory/reserved-memory.ts'
import { malformed } from './parsed-body.ts'

/** Bytes of each piece that comes out. */
const chunkSize = 64 * 1024

/** Windows of zstd are 8 MB at most in contents of HTTP (RFC 9659); those of brotli 16 MB by themselves (RFC 7932 §9.1). */
const zstdWindow = { params: { [constants.ZSTD_d_windowLogMax]: 23 } }

const decoders = new Map([
  ['gzip', () => createGunzip({ chunkSize })],
  ['x-gzip', () => createGunzip({ chunkSize })],
  ['br', () => createBrotliDecompress({ chunkSize })],
  ['deflate', () => createInflate({ chunkSize })],
  ['zstd', () => createZstdDecompress({ chunkSize, ...zstdWindow })],
])

/** Bodies that are unpacked at the same time, since each has a window beside its output; others queue. */
const mostAtOnce = 2

/** Bytes counted for a decoder itself. Its window is at most as large as its output. */
const ofDecoder = 32 * 1024

let running = 0
const waiting: (() => void)[] = []

const turn = async (): Promise<void> => {
  if (running < mostAtOnce) running += 1
  else await new Promise<void>((resolve) => waiting.push(resolve))
}

const turnOver = (): void => {
  const next = waiting.shift()
  if (next === undefined) running -= 1
  else next()
}

/** Limits of a body while it is unpacked. */
export interface UnpackLimits {
  /** Most bytes of output. */
  readonly most: number
  /** Counts input and output, chunk by chunk. */
  readonly share: MemoryShare
  /** Creates the error for output above `most`. */
  readonly tooLarge: () => Error
}

/**
 * The decompressed bytes of a body. Throws AppError: `invalid_request_body` for bytes that are not in this coding, `bodies_full` where
 * the share is exhausted, and the error of `tooLarge`.
 */
export const unpacked = async (bytes: Buffer, encoding: string, { most, share, tooLarge }: UnpackLimits) => {
  const decoder = decoders.get(encoding)
  if (decoder === undefined) throw malformed(`content encoding ${encoding}`)
  await turn()
  try {
    share.hold(bytes.length + ofDecoder)
    const chunks: Buffer[] = []
    let size = 0
    const stream = decoder()
    await new Promise<void>((resolve, reject) => {
      const refuse = (error: unknown): void => {
        chunks.length = 0
        stream.destroy()
        reject(error)
      }
      stream.on('data', (chunk: Buffer) => {
        size += chunk.length
        try {
          if (size > most) throw tooLarge()
          share.hold(bytes.length + ofDecoder + size)
          chunks.push(chunk)
        } catch (error) {
          refuse(error)
        }
      })
      stream.on('end', resolve)
      stream.on('error', () => refuse(malformed(`the body is not ${encoding}`)))
      stream.end(bytes)
    })
    const [only] = chunks
    const plain = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, size)
    share.hold(size)
    return plain
  } finally {
    turnOver()
  }
}
