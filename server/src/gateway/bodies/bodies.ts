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
  /** Who calls, once that is known. */
  readonly caller?: Pick<Caller, 'userId'> | undefined
  /** What the body takes of the memory that callers may fill, until the call is over; undefined before its body is read. */
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
   * What the bytes hold, which must not be used afterwards; at once unless the body is large.
   * Throws AppError: `invalid_request_body`, `body_too_complex`, `client_gone`.
   */
  parsed(request: Request, bytes: Buffer): ParsedBody | Promise<ParsedBody>
}

/** Bytes. Longer bodies are parsed in another thread, as parsing keeps all other calls waiting. */
export const largeBodyBytes = 1024 * 1024

/** Bytes. Longer bodies are taken only from callers who can pay for a call. */
const paidBodyBytes = 64 * 1024

/** Bytes that a call with a shorter body counts as: it takes memory itself while it waits for its answer. */
const ofCall = 4 * 1024

const tooLarge = (limit: number): AppError =>
  new AppError('body_too_large', { params: { megabytes: Math.floor((limit / 1024 / 1024) * 100) / 100 } })

/** From here on the pieces are joined as they come: at the end, 30 MB would keep the other calls waiting for 20 to 60 ms. */
const largeBytes = 1024 * 1024

/** What a body may take. */
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
    /** Throws AppError where so many bytes are too many. */
    const check = (bytes: number): void => {
      if (bytes > most) throw tooLarge(most)
      share.hold(Math.max(bytes, ofCall))
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
    request.on('end', () => resolve(whole ?? (chunks.length === 1 ? chunks[0] : undefined) ?? Buffer.concat(chunks)))
    // Also after an error, which others hear.
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

/** True if a request says that its body is small; unknown lengths and compressed bodies are not. */
const isSurelySmall = ({ headers }: IncomingMessage): boolean =>
  headers['content-encoding'] === undefined && Number(headers['content-length'] ?? Number.NaN) <= paidBodyBytes

export const createBodies = ({ relay, parser, keptMemory, bounds, maxRequestBytes, options }: BodiesParts): Bodies => {
  const most = Math.min(maxRequestBytes, keptMemory.largest)

  const read = (request: Request): Promise<Buffer> => {
    request.bodyShare ??= keptMemory.share(request.caller?.userId)
    return readBody(request.request, { most, share: request.bodyShare })
  }

  const paidFirst = async (request: Request, caller: Caller): Promise<Buffer> => {
    // Before the body is received, so that it need not be.
    await relay.assertCanPay(caller)
    return read(request)
  }

  return {
    // Not async, because that would be one wait more for each call.
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
