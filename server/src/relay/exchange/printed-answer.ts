import { ownMember } from '@tollgate/contract/own-member'
import { headerList, headerValue } from '../../lib/header-value.ts'
import { memoize } from '../../lib/memoize.ts'
import type { Client } from '../call.ts'
import type { Headers } from '../upstream/upstream.ts'

/** A whole answer, or the end of a stream, with its head. It exists before the call is charged; then it is only sent. */
export interface PrintedAnswer {
  readonly status: number
  /** Names and values in turn; not sent again where a stream has begun. */
  readonly head: readonly string[]
  readonly bytes: Buffer | string
}

/** Ends the answer of a client that has not gone. */
export const sendAnswer = (client: Client, { status, head, bytes }: PrintedAnswer): void => {
  if (client.gone) return
  if (!client.begun) client.head(status, head)
  client.end(bytes)
}

/** The head of a stream. */
export const streamHead: readonly string[] = [
  'content-type',
  'text/event-stream',
  'cache-control',
  'no-cache',
  'x-accel-buffering',
  'no',
]

/** Names the fields that were dropped; names and values in turn, empty for none. */
export const unsupportedHeader = (fields: readonly string[]): readonly string[] =>
  fields.length === 0 ? [] : ['X-Tollgate-Lost-Fields', headerList(fields)]

const dropped: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'content-length',
  'content-encoding',
  'set-cookie',
  'date',
  'server',
  'via',
  'alt-svc',
  'strict-transport-security',
  'x-request-id',
  'request-id',
  'x-oneapi-request-id',
  // Those of a gateway like this one are about what the operator pays.
  'x-tollgate-cost',
  'x-tollgate-receipt',
  'openai-organization',
  'openai-project',
])

const droppedPrefixes = ['access-control-', 'cf-', 'x-amzn-', 'x-envoy-']

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/

/** The same few names come with every answer. A name that is no token would break the head. */
const isDropped = memoize(
  1000,
  (name) => dropped.has(name) || !token.test(name) || droppedPrefixes.some((prefix) => name.startsWith(prefix)),
)

/** Characters of all values together, at most: common clients refuse heads above 16 kB, their own headers included. */
const mostCharacters = 12_000

/**
 * The headers of an upstream that the client gets: names and values in turn, without a length. Every value can be written
 * into a head (`headerValue`); headers that would make the head too large are left out, the content type is not among them.
 */
export const keptHeaders = (headers: Headers, kept: string[] = []): string[] => {
  let left = mostCharacters
  for (const name in headers) {
    const received = ownMember(headers, name)
    if (received === undefined || isDropped(name)) continue
    const value = headerValue(typeof received === 'string' ? received : (received[0] ?? ''))
    if (left < value.length && name !== 'content-type') continue
    left -= value.length
    kept.push(name, value)
  }
  return kept
}

/** The headers of an answer with their `Content-Length` computed anew. */
export const answerHeaders = (headers: Headers, length: number): string[] =>
  keptHeaders(headers, ['content-length', String(length)])
