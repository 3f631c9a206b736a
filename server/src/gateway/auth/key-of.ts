import type { IncomingHttpHeaders } from 'node:http'
import { ownMember } from '@tollgate/contract/own-member'
import type { Dialect } from '../../dialects/dialect.ts'
import { checkQueryNames } from '../../relay/raw/query-names.ts'

/** An API key as it was sent: the stored part, and the channel that an admin may force with it. */
export interface SentKey {
  readonly key: string
  /** The part behind the second dash; undefined for none. */
  readonly channel: string | undefined
  /** The whole key where a dash stands in it: keys of other gateways may have dashes of their own. */
  readonly whole?: string
}

/** Finds the key in every place that clients of the dialects use. */
export interface KeyFinder {
  /** Its `key` is empty when there is none. */
  sentKey(headers: IncomingHttpHeaders, path: string, query: string): SentKey
  /**
   * A query as an upstream gets it: without its key. Throws AppError('invalid_url') for names by which a server takes another
   * method or other headers.
   */
  withoutKey(query: string): string
}

const text = (headers: IncomingHttpHeaders, name: string): string => {
  const value = ownMember(headers, name)
  return typeof value === 'string' ? value : (value?.[0] ?? '')
}

/** The first of the headers that is not empty. */
const firstText = (headers: IncomingHttpHeaders, names: readonly string[]): string => {
  for (const name of names) {
    const value = text(headers, name)
    if (value !== '') return value
  }
  return ''
}

const bearer = 'Bearer '

/** Beginning of nearly every Authorization header. */
const usualStart = `${bearer}sk-`

const withoutBearer = (value: string): string =>
  // The usual spelling first.
  (value.startsWith(bearer) ? value.slice(bearer.length) : value.replace(/^bearer(\s+|$)/i, '')).trim()

/**
 * AWS's SDKs sign with an access key whose id they send: it is the key (docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html).
 * The signature proves nothing beside it, since what is sent holds the whole key, as in `Authorization: Bearer`.
 */
const signedKey = (authorization: string): string =>
  /^AWS4-(?:HMAC-SHA256|ECDSA-P256-SHA256) Credential=([^/,\s]+)\//.exec(authorization)?.[1] ?? ''

/** WebSocket subprotocol of OpenAI's realtime sessions. */
export const realtimeProtocol = 'realtime'

const insecureKey = 'openai-insecure-api-key.'

/** Browsers can only put a key among the protocols of a WebSocket. */
const protocolKey = (headers: IncomingHttpHeaders): string => {
  const protocols = text(headers, 'sec-websocket-protocol')
  if (protocols === '') return ''
  const names = protocols.split(',').map((protocol) => protocol.trim())
  const found = names.find((protocol) => protocol.startsWith(insecureKey))
  if (found !== undefined) return found.slice(insecureKey.length)
  // A client that offers the protocol without a key sends its key in another place.
  return names.includes(realtimeProtocol) ? '' : protocols
}

/** Bearer value of Midjourney proxy clients, which send the key itself in a header of its own. */
const drawingPlaceholder = 'midjourney-proxy'
const drawingHeader = 'mj-api-secret'
/** Azure's, for OpenAI's API. */
const azureHeader = 'api-key'

/** Client secrets begin with it. They may hold dashes, while a channel follows the dash of an API key. */
export const secretPrefix = 'ek_'

const split = (raw: string): SentKey => {
  const bare = raw.startsWith('sk-') ? raw.slice(3) : raw
  // Nearly every key: cheaper than to split what has one part.
  if (!bare.includes('-') || bare.startsWith(secretPrefix)) return { key: bare, channel: undefined }
  const [key = '', channel] = bare.split('-')
  return { key, channel, whole: bare }
}

export const createKeyFinder = (dialects: readonly Pick<Dialect, 'keys'>[]): KeyFinder => {
  const places = dialects.flatMap(({ keys }) => (keys === undefined ? [] : [keys]))
  const headerNames = [drawingHeader, ...places.flatMap(({ headers }) => headers)]
  const preferred = places.flatMap(({ firstAt, headers }) => (firstAt === undefined ? [] : [{ firstAt, headers }]))
  const queryNames = places.flatMap(({ query }) => (query === undefined ? [] : [{ name: query, mark: `${query}=` }]))

  const preferredKey = (headers: IncomingHttpHeaders, path: string): string => {
    for (const place of preferred) if (path.includes(place.firstAt)) return firstText(headers, place.headers)
    return ''
  }

  const isPreferred = (path: string): boolean => {
    for (const { firstAt } of preferred) if (path.includes(firstAt)) return true
    return false
  }

  const queryKey = (query: string): string => {
    for (const { name, mark } of queryNames) {
      const key = query.includes(mark) ? (new URLSearchParams(query).get(name) ?? '') : ''
      if (key !== '') return key
    }
    return ''
  }

  const rawKey = (headers: IncomingHttpHeaders, path: string, query: string): string => {
    const first = protocolKey(headers) || preferredKey(headers, path)
    if (first !== '') return first
    const authorization = signedKey(headers.authorization ?? '') || withoutBearer(headers.authorization ?? '')
    if (authorization !== '' && authorization !== drawingPlaceholder) return authorization
    return withoutBearer(firstText(headers, headerNames)) || text(headers, azureHeader) || queryKey(query)
  }

  return {
    sentKey(headers, path, query) {
      const { authorization } = headers
      // Fast path for the usual header where no other place comes first; same result as below.
      if (authorization?.startsWith(usualStart) === true && headers['sec-websocket-protocol'] === undefined) {
        const key = authorization.slice(usualStart.length).trimEnd()
        if (key !== '' && !key.includes('-') && !isPreferred(path)) return { key, channel: undefined }
      }
      return split(rawKey(headers, path, query))
    },
    withoutKey(query) {
      if (query !== '') checkQueryNames(query, { fenced: false })
      let rest = query
      for (const { name, mark } of queryNames) {
        if (!rest.includes(mark)) continue
        const parameters = new URLSearchParams(rest)
        parameters.delete(name)
        rest = parameters.size === 0 ? '' : `?${parameters}`
      }
      return rest
    },
  }
}
