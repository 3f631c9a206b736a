import type { IncomingMessage } from 'node:http'
import { AppError } from '../../lib/app-error.ts'
import type { JsonBounds } from '../../lib/json/json-bounds.ts'
import type { MemoryShare, ReservedMemory } from '../../lib/memory/reserved-memory.ts'
import type { Client } from '../../relay/call.ts'
import type { Caller, RelayOptions } from '../../relay/ports.ts'
import type { Relay } from '../../relay/relay.ts'
import { promptReaderOf } from '../../relay/usage/prompt-reader.ts'
import type { Route } from '../routes.ts'
import type { BodyParser } from './body-parser.ts'
import { type ParsedBody, parseBody } from './parsed-body.ts'
import { unpacked } from './unpacked.ts'

export interface BodiesParts {
  readonly relay: Pick<Relay, 'assertCanPay'>
  readonly parser: BodyParser
  readonly keptMemory: ReservedMemory
  readonly bounds: JsonBounds
  readonly maxRequestBytes: number
  readonly options: () => Pick<RelayOptions, 'sensitiveWords'>
}

interface Request {
  readonly request: IncomingMessage
  readonly client: Pick<Client, 'gone'>
  readonly route: Route
  /** The caller; absent before authentication. */
  readonly caller?: Pick<Caller, 'userId'> | undefined
  /** The body's share of the memory for requests, released when the call is over; undefined before the body is read. */
  bodyShare?: MemoryShare | undefined
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
   * The parsed body. `bytes` must not be used afterwards. Synchronous unless the body is large. Throws AppError: `invalid_request_body`,
   * `body_too_complex`, `client_gone`.
   */
  parsed(request: Request, bytes: Buffer): ParsedBody | Promise<ParsedBody>
}

/** Bytes. Longer bodies are parsed in another thread, because parsing blocks all other calls. */
export const largeBodyBytes = 1024 * 1024

/** Bytes. Longer bodies are taken only from callers who can pay for a call. */
const paidBodyBytes = 64 * 1024

/** Bytes that a call with a shorter body counts as, for its own objects while it waits for its answer. */
const ofCall = 4 * 1024

const tooLarge = (limit: number): AppError =>
  new AppError('body_too_large', { params: { megabytes: Math.floor((limit / 1024 / 1024) * 100) / 100 } })

/** Bytes. Longer bodies are joined chunk by chunk: joining 30 MB at the end would block other calls for 20 to 60 ms. */
const largeBytes = 1024 * 1024

/** Limits of one body while it is received. */
interface BodyLimits {
  /** Bytes. */
  readonly most: number
  /** Its share of the memory that callers may fill, until its call is over. */
  readonly share: MemoryShare
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
    /** Throws AppError when `bytes` exceed the limit or the memory for requests. */
    const check = (bytes: number): void => {
      if (bytes > most) throw tooLarge(most)
      share.hold(Math.max(bytes, ofCall))
    }
    try {
      check(length)
    } catch (error) {
      refuse(error)
      // The rest is read and discarded, so that the client reads the error.
      request.resume()
      return
    }
    const take = (chunk: Buffer): void => {
      const at = size
      size += chunk.length
      if (size > length) check(size)
      if (length < largeBytes) chunks.push(chunk)
      else {
        // Own memory, which can be transferred to another thread; unwritten pages cost nothing.
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
    request.on('end', () => resolve(whole ?? (chunks.length === 1 ? chunks[0] : undefined) ?? Buffer.concat(chunks)))
    // Also emitted after an error, which has its own listener.
    request.on('close', () => {
      if (!request.complete) reject(new AppError('client_gone'))
    })
  })

/**
 * The body of a request, decompressed, within `limits` before and after.
 * Throws AppError: `body_too_large`, `bodies_full`, `invalid_request_body`, `client_gone`.
 */
const readBody = (request: IncomingMessage, limits: BodyLimits): Promise<Buffer> => {
  const bytes = received(request, limits)
  const encoding = request.headers['content-encoding']?.trim().toLowerCase() ?? ''
  return encoding === '' || encoding === 'identity'
    ? bytes
    : bytes.then((coded) => unpacked(coded, encoding, { ...limits, tooLarge: () => tooLarge(limits.most) }))
}

/** True if the headers promise a small body; false for unknown lengths and compressed bodies. */
const isSurelySmall = ({ headers }: IncomingMessage): boolean =>
  headers['content-encoding'] === undefined && Number(headers['content-length'] ?? Number.NaN) <= paidBodyBytes

export const createBodies = ({ relay, parser, keptMemory, bounds, maxRequestBytes, options }: BodiesParts): Bodies => {
  const most = Math.min(maxRequestBytes, keptMemory.largest)

  const read = (request: Request): Promise<Buffer> => {
    request.bodyShare ??= keptMemory.share(request.caller?.userId)
    return readBody(request.request, { most, share: request.bodyShare })
  }

  const paidFirst = async (request: Request, caller: Caller): Promise<Buffer> => {
    // Checked before the body is received, so that a refused one is not read.
    await relay.assertCanPay(caller)
    return read(request)
  }

  return {
    // Not async: that would add one microtask to each call.
    paid: (request, caller) => (isSurelySmall(request.request) ? read(request) : paidFirst(request, caller)),

    free: read,

    parsed({ client, route }, bytes) {
      if (bytes.length <= largeBodyBytes) return parseBody(bytes, bounds)
      const pathModel = 'model' in route ? route.model : ''
      const reader = promptReaderOf('dialect' in route ? route : {}).module
      const question = { reader, pathModel, words: options().sensitiveWords, bounds }
      return parser.parse(bytes, question, () => !client.gone)
    },
  }
}
