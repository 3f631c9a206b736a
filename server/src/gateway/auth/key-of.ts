import type { IncomingHttpHeaders } from 'node:http'
import { ownMember } from '@tollgate/contract/own-member'

/** An API key as it was sent: the stored part, and the channel that an admin may force with it. */
export interface SentKey {
  readonly key: string
  /** What followed the second dash; undefined for none. */
  readonly channel: string | undefined
}

const text = (headers: IncomingHttpHeaders, name: string): string => {
  const value = ownMember(headers, name)
  return typeof value === 'string' ? value : (value?.[0] ?? '')
}

const bearer = 'Bearer '

const withoutBearer = (value: string): string =>
  // As nearly everybody writes it.
  (value.startsWith(bearer) ? value.slice(bearer.length) : value.replace(/^bearer(\s+|$)/i, '')).trim()

/** What a session speaks. */
export const realtimeProtocol = 'realtime'

const insecureKey = 'openai-insecure-api-key.'

/** Browsers can only put a key among the protocols of a WebSocket. */
const protocolKey = (headers: IncomingHttpHeaders): string => {
  const protocols = text(headers, 'sec-websocket-protocol')
  if (protocols === '') return ''
  const names = protocols.split(',').map((protocol) => protocol.trim())
  const found = names.find((protocol) => protocol.startsWith(insecureKey))
  if (found !== undefined) return found.slice(insecureKey.length)
  // Who names a protocol and no key has it elsewhere.
  return names.includes(realtimeProtocol) ? '' : protocols
}

const queryKey = (query: string): string =>
  query.includes('key=') ? (new URLSearchParams(query).get('key') ?? '') : ''

const rawKey = (headers: IncomingHttpHeaders, path: string, query: string): string => {
  const protocol = protocolKey(headers)
  if (protocol !== '') return protocol
  if (path.includes('/v1/messages') && text(headers, 'x-api-key') !== '') return text(headers, 'x-api-key')
  const authorization = withoutBearer(headers.authorization ?? '')
  if (authorization !== '' && authorization !== 'midjourney-proxy') return authorization
  const others = [text(headers, 'mj-api-secret'), text(headers, 'x-api-key'), text(headers, 'x-goog-api-key')]
  return withoutBearer(others.find((key) => key !== '') ?? '') || text(headers, 'api-key') || queryKey(query)
}

/** Finds the key wherever clients put it. Its `key` is empty when there is none. */
export const sentKeyOf = (headers: IncomingHttpHeaders, path: string, query: string): SentKey => {
  const raw = rawKey(headers, path, query)
  const bare = raw.startsWith('sk-') ? raw.slice(3) : raw
  // Nearly every key: cheaper than to split what has one part.
  if (!bare.includes('-')) return { key: bare, channel: undefined }
  const [key = '', channel] = bare.split('-')
  return { key, channel }
}
