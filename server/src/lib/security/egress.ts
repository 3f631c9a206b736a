import { lookup as systemLookup } from 'node:dns/promises'
import { isIP, isIPv6, type LookupFunction } from 'node:net'
import { AppError } from '../app-error.ts'
import { createAddressList, isAddressOrNetwork } from './address-list.ts'
import { plainAddress } from './client-address.ts'
import { embeddedIpv4, isGlobalUnicast } from './embedded-addresses.ts'

/** An address that may be connected to. */
export interface SafeAddress {
  readonly address: string
  readonly family: 4 | 6
}

/** Resolves a host name to its addresses; the system's resolver unless a test passes another. */
export type Resolve = (host: string) => Promise<readonly { address: string }[]>

export interface EgressGuard {
  /**
   * Checks a URL before it is fetched: http or https only, and every address of its host is public or allowed. Returns
   * the addresses. Throws AppError('address_blocked' | 'port_blocked'). Redirects must be checked again.
   */
  check(url: string | URL): Promise<readonly SafeAddress[]>
  /**
   * For undici's `connect: { lookup }` (and `net.connect`): resolves and checks in the same step in which the
   * connection is made, so a name cannot resolve to another address after `check`. Not called for hosts that are addresses.
   */
  readonly lookup: LookupFunction
  /** Throws AppError('address_blocked') when `host` is a blocked address. Host names pass; `lookup` checks them. */
  assertLiteral(host: string): void
}

/** Metadata services of clouds, which return credentials to every caller. */
const metadata = createAddressList(['169.254.169.254', '169.254.170.2', '100.100.100.200', 'fd00:ec2::254'])

const reserved = createAddressList([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
])

const systemResolve: Resolve = (host) => systemLookup(host, { all: true, verbatim: true })

const normalizedHost = (hostname: string): string => plainAddress(hostname.toLowerCase().replace(/\.$/, ''))

const safeAddress = (address: string): SafeAddress => ({ address, family: isIP(address) === 6 ? 6 : 4 })

/**
 * Guards outgoing calls. Addresses that users choose (webhooks) must be public. With `operator: true`, for addresses of channels,
 * private networks are allowed, because a model server on this machine is a normal channel; metadata services of clouds are not.
 * Operators also learn of a name that is not found: AppError('address_unknown'). `allow` lists hosts, addresses and networks that are
 * allowed in both cases (EGRESS_ALLOW). `ports` are the only allowed ports; any port when absent.
 */
export const createEgressGuard = (parts: {
  allow: readonly string[]
  operator?: boolean
  ports?: readonly number[]
  resolve?: Resolve
}): EgressGuard => {
  const resolve = parts.resolve ?? systemResolve
  const allowedAddresses = createAddressList(parts.allow.filter(isAddressOrNetwork))
  const allowedHosts = new Set(parts.allow.filter((entry) => !isAddressOrNetwork(entry)).map(normalizedHost))
  const forbidden = parts.operator === true ? metadata : reserved

  const blocked = (host: string, cause?: unknown): AppError =>
    new AppError('address_blocked', { params: { host }, ...(cause === undefined ? {} : { cause }) })
  const isForbidden = (address: string): boolean => forbidden.has(address) || metadata.has(address)
  const isBlocked = (address: string): boolean => {
    if (isIP(address) === 0) return true
    if (allowedAddresses.has(address)) return false
    if (isForbidden(address) || embeddedIpv4(address).some(isForbidden)) return true
    return parts.operator !== true && isIPv6(address) && !isGlobalUnicast(address)
  }

  const resolved = async (host: string): Promise<readonly string[]> => {
    if (isIP(host) !== 0) return [host]
    try {
      return (await resolve(host)).map(({ address }) => plainAddress(address))
    } catch (cause) {
      // Users must not learn which names a private network has.
      throw parts.operator === true
        ? new AppError('address_unknown', { params: { host }, cause })
        : blocked(host, cause)
    }
  }

  /** One blocked address is enough to throw, because the connection may use any of them. */
  const addressesOf = async (hostname: string): Promise<readonly SafeAddress[]> => {
    const host = normalizedHost(hostname)
    const addresses = await resolved(host)
    if (addresses.length === 0) throw blocked(host)
    if (!allowedHosts.has(host) && addresses.some(isBlocked)) throw blocked(host)
    return addresses.map(safeAddress)
  }

  const assertPort = ({ port, protocol }: URL): void => {
    const portNumber = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
    if (parts.ports?.includes(portNumber) === false)
      throw new AppError('port_blocked', { params: { port: portNumber } })
  }

  return {
    async check(url) {
      const parsed = URL.canParse(String(url)) ? new URL(url) : undefined
      if (parsed === undefined) throw blocked(String(url).slice(0, 100))
      if (parsed.protocol !== 'https:' && parsed.protocol !== 'http:') throw blocked(parsed.protocol)
      assertPort(parsed)
      return addressesOf(parsed.hostname.replace(/^\[|\]$/g, ''))
    },
    assertLiteral(host) {
      const address = normalizedHost(host.replace(/^\[|\]$/g, ''))
      if (isIP(address) !== 0 && isBlocked(address)) throw blocked(address)
    },
    lookup(hostname, options, callback) {
      addressesOf(hostname).then(
        (addresses) => {
          const fitting = addresses.filter(({ family }) => !options.family || options.family === family)
          const [first] = fitting
          if (first === undefined) callback(blocked(hostname), '', 0)
          else if (options.all) callback(null, [...fitting])
          else callback(null, first.address, first.family)
        },
        (error: Error) => callback(error, '', 0),
      )
    },
  }
}
