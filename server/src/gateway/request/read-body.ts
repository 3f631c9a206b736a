import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib'
import { AppError } from '../../lib/app-error.ts'
import { malformed } from '../bodies/parsed-body.ts'

const decoders = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  br: promisify(brotliDecompress),
  deflate: promisify(inflate),
  zstd: promisify(zstdDecompress),
}

const tooLarge = (limit: number): AppError =>
  new AppError('body_too_large', { params: { megabytes: Math.floor((limit / 1024 / 1024) * 100) / 100 } })

/** From here on the pieces are joined as they come: at the end, 30 MB would keep the other calls waiting for 20 to 60 ms. */
const largeBytes = 1024 * 1024

const joined = (chunks: readonly Buffer[]): Buffer => {
  const [only] = chunks
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks)
}

const received = (request: IncomingMessage, limit: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const length = Number(request.headers['content-length'] ?? 0)
    const chunks: Buffer[] = []
    let whole: Buffer | undefined
    let size = 0
    if (length > limit) {
      reject(tooLarge(limit))
      // What still comes is read and forgotten, so that the client gets to our answer.
      request.resume()
      return
    }
    request.on('data', (chunk: Buffer) => {
      const at = size
      size += chunk.length
      if (size > limit) {
        chunks.length = 0
        whole = undefined
        reject(tooLarge(limit))
      } else if (length < largeBytes) chunks.push(chunk)
      else {
        // Memory of its own, which can be given to another thread; pages that nothing is written to cost nothing.
        whole ??= Buffer.allocUnsafeSlow(length)
        chunk.copy(whole, at)
      }
    })
    request.on('end', () => resolve(whole ?? joined(chunks)))
    // Also after an error, which others hear.
    request.on('close', () => {
      if (!request.complete) reject(new AppError('client_gone'))
    })
  })

const decoded = async (bytes: Buffer, encoding: string, limit: number): Promise<Buffer> => {
  const decoder = Object.entries(decoders).find(([name]) => name === encoding)?.[1]
  if (decoder === undefined) throw malformed(`content encoding ${encoding}`)
  try {
    return await decoder(bytes, { maxOutputLength: limit })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    throw code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge(limit) : malformed(`the body is not ${encoding}`)
  }
}

/**
 * The body of a request, decompressed. `limit` bounds it before and after.
 * Throws AppError: `body_too_large`, `invalid_request_body`, `client_gone`.
 */
export const readBody = (request: IncomingMessage, limit: number): Promise<Buffer> => {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? ''
  const bytes = received(request, limit)
  return encoding === '' || encoding === 'identity' ? bytes : bytes.then((coded) => decoded(coded, encoding, limit))
}
