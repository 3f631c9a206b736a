import { ownMember } from '@tollgate/contract/own-member'
import { headerValue } from '../../lib/header-value.ts'
import { memoize } from '../../lib/memoize.ts'

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

export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>

/**
 * What of an upstream's head the client gets: names and values in turn, without a length. Every value can be written into a
 * head (`headerValue`); headers that would make the head too large are left out, the type of the content is not among them.
 */
export const keptHeaders = (headers: AnswerHeaders, kept: string[] = []): string[] => {
  let left = mostCharacters
  for (const name in headers) {
    const given = ownMember(headers, name)
    if (given === undefined || isDropped(name)) continue
    const value = headerValue(typeof given === 'string' ? given : (given[0] ?? ''))
    if (left < value.length && name !== 'content-type') continue
    left -= value.length
    kept.push(name, value)
  }
  return kept
}

/** The same with the length, computed anew. */
export const answerHeaders = (headers: AnswerHeaders, length: number): string[] =>
  keptHeaders(headers, ['content-length', String(length)])
