import { ownMember } from '@tollgate/contract/own-member'
import { memoize } from '../../lib/memoize.ts'

/** Headers of a response, their names in lower case. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>

/** The network as one function: production is `undici`'s dispatch, tests read a fixture. */
export type Upstream = {
  send(request: UpstreamRequest, events: UpstreamEvents): UpstreamControl
  /** A WebSocket for more than one message; `ws` or `wss` in `origin`. */
  connect(request: SocketRequest, events: SocketEvents): UpstreamSocket
}

/** Milliseconds: until connected, until the first byte of the head, and between chunks of the body. 0 turns one off. */
export interface UpstreamTimeouts {
  readonly connect: number
  readonly firstByte: number
  readonly idle: number
}

export interface UpstreamRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /**
   * Scheme, host and port. With `ws` or `wss` the body is the only message sent over a WebSocket, and every received message arrives as
   * a server-sent event.
   */
  readonly origin: string
  /** Path and query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | undefined
  /** Empty for none. */
  readonly proxy: string
  readonly timeouts: UpstreamTimeouts
  /** True if repeating it is harmless although the upstream may have received it; reads always are. */
  readonly isRepeatable?: boolean
  /** Over a WebSocket: true for the last message of the answer; without it the upstream's close is the end. */
  readonly isLast?: ((message: string) => boolean) | undefined
}

export interface UpstreamEvents {
  onHead(status: number, headers: Headers): void
  onData(chunk: Buffer): void
  onEnd(): void
  /** Exactly one of onEnd and onError comes, and nothing after it. */
  onError(error: Error): void
}

export interface UpstreamControl {
  /** True if the request may have reached the upstream: it was given to an open connection. */
  readonly sent: boolean
  pause(): void
  resume(): void
  /** No event comes after this. */
  abort(): void
}

export type SocketRequest = Pick<UpstreamRequest, 'origin' | 'path' | 'headers' | 'proxy'> & {
  readonly timeouts: Pick<UpstreamRequest['timeouts'], 'connect'>
}

export interface SocketEvents {
  /** The handshake succeeded, with these headers. */
  onOpen(headers: Headers): void
  /** A text, or the bytes of a binary message. */
  onMessage(message: string | Buffer): void
  /** The handshake was refused. Exactly one of this and the next two is called, and nothing after it. */
  onRefused(status: number, headers: Headers, body: Buffer): void
  onClose(code: number, reason: string): void
  onError(error: Error): void
}

export interface UpstreamSocket {
  /** Bytes that were sent and not read yet. */
  readonly waiting: number
  send(message: string): void
  pause(): void
  resume(): void
  ping(): void
  /** No event comes after this. */
  close(code?: number): void
}

interface Address {
  readonly origin: string
  readonly path: string
}

const cut = (url: string): Address => {
  const scheme = url.indexOf('://')
  const at = url.slice(scheme < 0 ? 0 : scheme + 3).search(/[/?#]/)
  if (at < 0) return { origin: url, path: '/' }
  const end = at + (scheme < 0 ? 0 : scheme + 3)
  const path = url.slice(end)
  return { origin: url.slice(0, end), path: path.startsWith('/') ? path : `/${path}` }
}

const cutBefore = memoize(1000, cut)

/** `https://host:1/a?b` → origin and path. Only cuts; a nonsensical address is the connection's to refuse. */
export const splitUrl = (url: string): Address =>
  // The query may contain a signature or a key.
  url.includes('?') ? cut(url) : cutBefore(url)

/** The first value of a header; empty for none. */
export const headerText = (headers: Headers, name: string): string => {
  const value = ownMember(headers, name)
  return (typeof value === 'string' ? value : value?.[0]) ?? ''
}

/** True for a stream. `requested`: the client requested one. Some upstreams stream under another type; JSON and HTML never are streams. */
export const isStream = (headers: Headers, requested: boolean): boolean => {
  const type = headerText(headers, 'content-type').toLowerCase()
  return type.startsWith('text/event-stream') || (requested && !/application\/json|html/.test(type))
}
