import type { IncomingMessage } from 'node:http'
import type { JsonBounds } from '../../lib/json/json-bounds.ts'
import type { Client } from '../../relay/call.ts'
import type { Caller, RelayOptions } from '../../relay/ports.ts'
import type { Relay } from '../../relay/relay.ts'
import { promptReaderOf } from '../../relay/usage/prompt-reader.ts'
import { readBody } from '../request/read-body.ts'
import type { Route } from '../routes.ts'
import { largeBodyBytes, paidBodyBytes } from './body-bounds.ts'
import type { BodyParser } from './body-parser.ts'
import { type ParsedBody, parseBody } from './parsed-body.ts'

export interface BodiesParts {
  readonly relay: Pick<Relay, 'assertCanPay'>
  readonly parser: BodyParser
  readonly bounds: JsonBounds
  readonly maxRequestBytes: number
  readonly options: () => Pick<RelayOptions, 'sensitiveWords'>
}

interface Request {
  readonly request: IncomingMessage
  readonly client: Pick<Client, 'gone'>
  readonly route: Route
}

/** Reads and parses the bodies of calls. */
export interface Bodies {
  /**
   * The bytes of a body, decompressed. A body that is not small is taken only from a caller who can pay for a call.
   * Throws AppError: `insufficient_user_quota`, `pre_consume_token_quota_failed`, and those of `readBody`.
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

/** Whether a request says that its body is small; unknown lengths and compressed bodies are not. */
const isSurelySmall = ({ headers }: IncomingMessage): boolean =>
  headers['content-encoding'] === undefined && Number(headers['content-length'] ?? Number.NaN) <= paidBodyBytes

export const createBodies = ({ relay, parser, bounds, maxRequestBytes, options }: BodiesParts): Bodies => {
  const paidFirst = async (request: IncomingMessage, caller: Caller): Promise<Buffer> => {
    // Before the body is received, so that it need not be.
    await relay.assertCanPay(caller)
    return readBody(request, maxRequestBytes)
  }

  return {
    // Not async, because that would be one wait more for each call.
    paid: ({ request }, caller) =>
      isSurelySmall(request) ? readBody(request, maxRequestBytes) : paidFirst(request, caller),

    free: ({ request }) => readBody(request, maxRequestBytes),

    parsed({ client, route }, bytes) {
      if (bytes.length <= largeBodyBytes) return parseBody(bytes, bounds)
      const pathModel = 'model' in route ? route.model : ''
      const reader = promptReaderOf('dialect' in route ? route : {}).module
      const question = { reader, pathModel, words: options().sensitiveWords, bounds }
      return parser.parse(bytes, question, () => !client.gone)
    },
  }
}
