import type { IncomingMessage } from 'node:http'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib'
import { AppError } from '../../lib/app-error.ts'
import type { JsonBounds } from '../../lib/json/json-bounds.ts'
import type { Client } from '../../relay/call.ts'
import type { Caller, RelayOptions } from '../../relay/ports.ts'
import type { Relay } from '../../relay/relay.ts'
import { promptReaderOf } from '../../relay/usage/prompt-reader.ts'
import type { Route } from '../routes.ts'
import type { BodyParser } from './body-parser.ts'
import { type BodyRoom, bodiesFull, type RoomShare } from './body-room.ts'
import { malformed, type ParsedBody, parseBody } from './parsed-body.ts'

export interface BodiesParts {
  readonly relay: Pick<Relay, 'assertCanPay'>
  readonly parser: BodyParser
  readonly bodyRoom: BodyRoom
  readonly bounds: JsonBounds
  readonly maxRequestBytes: number
  readonly options: () => Pick<RelayOptions, 'sensitiveWords'>
}

interface Request {
  readonly request: IncomingMessage
  readonly client: Pick<Client, 'gone'>
  readonly route: Route
  /** What the body takes of the memory for bodies, until the call is over; undefined for small ones. */
  bodyShare?: RoomShare | undefined
}

/** Reads and parses the bodies of calls. */
export interface Bodies {
  /**
   * The bytes of a body, decompressed. A body that is not small is taken only from a caller who can pay for a call.
   * Throws AppError: `insufficient_user_quota`, `pre_consume_token_quota_failed`, `body_too_large`, `bodies_full`,
   * `invalid_request_body`, `client_gone`.
   */
  paid(request: Request, caller: Caller): Promise<Buffer>
  /** The same for calls that cost nothing. */
  free(request: Request): Promise<Buffer>
  /**
   * What the bytes hold, which must not be used afterwards; at once unless the body is large.
   * Throws AppError: `invalid_request_body`, `body_too_complex`, `client_gone`.
   */
  parsed(request: Request, bytes: Buffer): ParsedBody | Promise<ParsedBody>
}

/** Bytes. Longer bodies are parsed in another thread, as parsing keeps all other calls waiting. */
export const largeBodyBytes = 1024 * 1024

/** Bytes. Longer bodies are taken only from callers who can pay for a call, and while there is memory for them. */
const paidBodyBytes = 64 * 1024

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

/** What a body may take: bytes, and its share of the memory for bodies. */
interface BodyLimits {
  readonly most: number
  readonly share: RoomShare | undefined
}

const received = (request: IncomingMessage, { most, share }: BodyLimits): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const length = Number(request.headers['content-length'] ?? 0)
    let chunks: Buffer[] = []
    let whole: Buffer | undefined
    let size = 0
    let isRefused = false
    const refuse = (error: unknown): void => {
      isRefused = true
      chunks = []
      whole = undefined
      reject(error)
    }
    /** Throws AppError where so many bytes are too many. */
    const check = (bytes: number): void => {
      if (bytes > most) throw tooLarge(most)
      share?.hold(bytes)
    }
    try {
      check(length)
    } catch (error) {
      refuse(error)
      // What still comes is read and forgotten, so that the client gets to our answer.
      request.resume()
      return
    }
    const take = (chunk: Buffer): void => {
      const at = size
      size += chunk.length
      if (size > length) check(size)
      if (length < largeBytes) chunks.push(chunk)
      else {
        // Memory of its own, which can be given to another thread; pages that nothing is written to cost nothing.
        whole ??= Buffer.allocUnsafeSlow(length)
        chunk.copy(whole, at)
      }
    }
    request.on('data', (chunk: Buffer) => {
      if (isRefused) return
      try {
        take(chunk)
      } catch (error) {
        refuse(error)
      }
    })
    request.on('end', () => resolve(whole ?? joined(chunks)))
    // Also after an error, which others hear.
    request.on('close', () => {
      if (!request.complete) reject(new AppError('client_gone'))
    })
  })

const decoded = async (bytes: Buffer, encoding: string, { most, share }: BodyLimits): Promise<Buffer> => {
  const decoder = Object.entries(decoders).find(([name]) => name === encoding)?.[1]
  if (decoder === undefined) throw malformed(`content encoding ${encoding}`)
  // The room that is left, so that a small body which becomes a large one is not made before it is counted.
  const room = share?.mostBytes ?? most
  try {
    const plain = await decoder(bytes, { maxOutputLength: Math.max(1, Math.min(most, room)) })
    share?.hold(plain.length)
    return plain
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : ''
    if (error instanceof AppError) throw error
    if (code === 'ERR_BUFFER_TOO_LARGE') throw room < most ? bodiesFull() : tooLarge(most)
    throw malformed(`the body is not ${encoding}`)
  }
}

/**
 * The body of a request, decompressed, within `limits` before and after.
 * Throws AppError: `body_too_large`, `bodies_full`, `invalid_request_body`, `client_gone`.
 */
const readBody = (request: IncomingMessage, limits: BodyLimits): Promise<Buffer> => {
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? ''
  const bytes = received(request, limits)
  return encoding === '' || encoding === 'identity' ? bytes : bytes.then((coded) => decoded(coded, encoding, limits))
}

/** Whether a request says that its body is small; unknown lengths and compressed bodies are not. */
const isSurelySmall = ({ headers }: IncomingMessage): boolean =>
  headers['content-encoding'] === undefined && Number(headers['content-length'] ?? Number.NaN) <= paidBodyBytes

export const createBodies = ({ relay, parser, bodyRoom, bounds, maxRequestBytes, options }: BodiesParts): Bodies => {
  const most = Math.min(maxRequestBytes, bodyRoom.largest)
  const small: BodyLimits = { most, share: undefined }

  const readLarge = (request: Request): Promise<Buffer> => {
    request.bodyShare ??= bodyRoom.share()
    return readBody(request.request, { most, share: request.bodyShare })
  }

  const paidFirst = async (request: Request, caller: Caller): Promise<Buffer> => {
    // Before the body is received, so that it need not be.
    await relay.assertCanPay(caller)
    return readLarge(request)
  }

  return {
    // Not async, because that would be one wait more for each call.
    paid: (request, caller) =>
      isSurelySmall(request.request) ? readBody(request.request, small) : paidFirst(request, caller),

    free: (request) => (isSurelySmall(request.request) ? readBody(request.request, small) : readLarge(request)),

    parsed({ client, route }, bytes) {
      if (bytes.length <= largeBodyBytes) return parseBody(bytes, bounds)
      const pathModel = 'model' in route ? route.model : ''
      const reader = promptReaderOf('dialect' in route ? route : {}).module
      const question = { reader, pathModel, words: options().sensitiveWords, bounds }
      return parser.parse(bytes, question, () => !client.gone)
    },
  }
}
