import type { IncomingMessage } from 'node:http'
import { isIP, isIPv6 } from 'node:net'
import { ownMember } from '@tollgate/contract/own-member'
import { memoize } from '../memoize.ts'
import { onFirstUse } from '../on-first-use.ts'
import { type AddressList, createAddressList } from './address-list.ts'

/** The network address of a caller. */
export interface ClientAddress {
  /** IPv4 without an IPv6 prefix; empty when the socket is closed. */
  readonly ip: string
  /** True when a forwarding header was present, trusted or not. */
  readonly forwarded: boolean
}

type Header = (name: string) => string | undefined

const local = onFirstUse(() =>
  createAddressList([
    '127.0.0.0/8',
    '10.0.0.0/8',
    '172.16.0.0/12',
    '192.168.0.0/16',
    '169.254.0.0/16',
    '::1',
    'fc00::/7',
    'fe80::/10',
  ]),
)

/** True for this machine and for private networks. */
export const isPrivateOrLoopback = (ip: string): boolean => local().has(ip)

/** Removes the IPv6 prefix of IPv4, brackets, port and zone from an address: `[::ffff:10.0.0.1]:80` → `10.0.0.1`. */
export const plainAddress = (text: string): string => {
  const trimmed = text.trim()
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(trimmed)?.[1]
  const withoutPort = bracketed ?? (/^[\d.]+:\d+$/.test(trimmed) ? trimmed.replace(/:\d+$/, '') : trimmed)
  return withoutPort.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '')
}

const cachedPlainAddress = memoize(1000, plainAddress)

/** Cached, because every call of a connection has the same peer. */
const plainPeer = (socketAddress = ''): string => cachedPlainAddress(socketAddress)

/** Headers in which proxies send the client's address. */
export const forwardingHeaders = [
  'x-forwarded-for',
  'x-real-ip',
  'forwarded',
  'via',
  'x-forwarded-host',
  'x-forwarded-proto',
]

/** The rightmost hop that is not a trusted proxy. Hops left of it are under the client's control. */
const clientBehind = (hops: readonly string[], proxies: AddressList, peer: string): string => {
  let client = peer
  for (const hop of hops.toReversed()) {
    if (!proxies.has(client) || isIP(hop) === 0) return client
    client = hop
  }
  return client
}

/**
 * Reads client addresses: the socket's, unless it is a trusted proxy; then the rightmost
 * untrusted hop of `X-Forwarded-For`, else `X-Real-IP`.
 */
export const createClientAddressReader = (
  trustedProxies: readonly string[],
): ((socketAddress: string | undefined, header: Header) => ClientAddress) => {
  const proxies = createAddressList(trustedProxies)
  return (socketAddress, header) => {
    const peer = plainPeer(socketAddress)
    const forwarded = forwardingHeaders.some((name) => header(name) !== undefined)
    if (!forwarded || !proxies.has(peer)) return { ip: peer, forwarded }
    const hops = header('x-forwarded-for') ?? header('x-real-ip') ?? ''
    return { ip: clientBehind(hops.split(',').map(plainAddress), proxies, peer), forwarded }
  }
}

/** Reads only the address; without trusted proxies no header is read. */
export const createClientIpReader = (
  trustedProxies: readonly string[],
): ((socketAddress: string | undefined, header: Header) => string) => {
  const read = createClientAddressReader(trustedProxies)
  return trustedProxies.length === 0 ? plainPeer : (socketAddress, header) => read(socketAddress, header).ip
}

/** The same of a request of `node:http`. */
export const createRequestAddress = (trustedProxies: readonly string[]): ((request: IncomingMessage) => string) => {
  const ipOf = createClientIpReader(trustedProxies)
  return ({ socket, headers }) =>
    ipOf(socket.remoteAddress, (name) => {
      const value = ownMember(headers, name)
      return Array.isArray(value) ? value.join(', ') : value
    })
}

/** Key for limits per address: the IPv4 address, or the /64 network that one IPv6 subscriber has. */
export const limitKey = (ip: string): string => {
  if (!isIPv6(ip)) return ip
  const [head = '', tail] = ip.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const middle =
    tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0')
  return [...left, ...middle, ...right].slice(0, 4).join(':')
}
