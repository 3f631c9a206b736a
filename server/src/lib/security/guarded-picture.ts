import { AppError } from '../app-error.ts'
import type { EgressGuard } from './egress.ts'
import { createGuardedDownload } from './guarded-download.ts'

/** A picture on its way from the service that made it. */
export interface FetchedPicture {
  readonly type: string
  readonly parts: AsyncIterable<Uint8Array>
}

/** Fetches a picture. Throws AppError('drawing_image_failed') where there is none to be had. */
export type PictureFetcher = (address: string) => Promise<FetchedPicture>

/** Formats that cannot hold scripts. */
const pictureTypes = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif'])
const largestBytes = 50 * 1024 * 1024
const timeoutMs = 30_000
/** The most milliseconds for a whole picture, even if bytes keep coming. */
const longestMs = 120_000

const failed = (reason: string, cause?: unknown): AppError =>
  new AppError('drawing_image_failed', { details: { reason }, ...(cause === undefined ? {} : { cause }) })

const limited = async function* (body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let read = 0
  for await (const part of body) {
    read += part.length
    if (read > largestBytes) throw failed('larger than 50 MB')
    yield part
  }
}

/**
 * Downloads pictures from addresses that an upstream returned: only formats without scripts.
 */
export const createPictureFetcher = (egress: EgressGuard): PictureFetcher => {
  const download = createGuardedDownload(egress, { timeoutMs })

  const fetchFrom = async (address: string): Promise<FetchedPicture> => {
    const { status, headers, body } = await download(address, {
      headers: { accept: 'image/*' },
      signal: AbortSignal.timeout(longestMs),
    })
    const type =
      String(headers['content-type'] ?? '')
        .split(';')[0]
        ?.trim()
        .toLowerCase() ?? ''
    if (status !== 200 || !pictureTypes.has(type)) {
      await body.dump()
      throw failed(`status ${status}, type ${type}`)
    }
    return { type, parts: limited(body) }
  }

  return async (address) => {
    try {
      return await fetchFrom(address)
    } catch (error) {
      throw error instanceof AppError && error.code === 'drawing_image_failed' ? error : failed('not reachable', error)
    }
  }
}

/** The same as one piece, for answers that hold pictures. Throws AppError('drawing_image_failed') for more than `limit` bytes. */
export const wholePictures =
  (fetchPicture: PictureFetcher, limit: number) =>
  async (address: string, signal: AbortSignal): Promise<Buffer> => {
    const { parts } = await fetchPicture(address)
    const read: Uint8Array[] = []
    let size = 0
    for await (const part of parts) {
      signal.throwIfAborted()
      size += part.length
      if (size > limit) throw failed(`larger than ${limit} bytes`)
      read.push(part)
    }
    return Buffer.concat(read)
  }
