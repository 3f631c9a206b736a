import type { IncomingMessage } from 'node:http'
import { ownMember } from '@tollgate/contract/own-member'
import { createAddressList } from '../../lib/security/address-list.ts'
import { forwardingHeaders, plainAddress } from '../../lib/security/client-address.ts'

/** A host with its port: nothing else may come into an address. */
const plainHost = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

const hostOf = (address: string): string => {
  try {
    return new URL(address).host
  } catch {
    return ''
  }
}

/** The first of the values that proxies have added to a header. */
const headerOf = (request: IncomingMessage, name: string): string | undefined => {
  const value = ownMember(request.headers, name)
  return (Array.isArray(value) ? value[0] : value)?.split(',')[0]?.trim()
}

const isEncrypted = ({ socket }: IncomingMessage): boolean => 'encrypted' in socket && socket.encrypted === true

/**
 * The gateway's address under which a caller came, without a slash at its end; empty where that is not known. It is the address in the
 * settings where the caller came to its host, or through a proxy that does not say to which one; else the host that the caller named.
 * Hosts and schemes that proxies state count where the proxy is trusted.
 */
export const createPublicAddress = (parts: {
  readonly trustedProxies: readonly string[]
  /** Option ServerAddress; empty for none. */
  readonly serverAddress: () => string
  /** Path below which the site is reached; empty or absent for the root of its host. */
  readonly basePath?: string
}): ((request: IncomingMessage) => string) => {
  const proxies = createAddressList(parts.trustedProxies)
  return (request) => {
    const configured = parts.serverAddress().replace(/\/+$/, '')
    const isForwarded = forwardingHeaders.some((name) => headerOf(request, name) !== undefined)
    const isTrusted = isForwarded && proxies.has(plainAddress(request.socket.remoteAddress ?? ''))
    const forwardedHost = isTrusted ? headerOf(request, 'x-forwarded-host') : undefined
    const host = forwardedHost ?? headerOf(request, 'host') ?? ''
    const isKnown = plainHost.test(host)
    const isConfigured = !isKnown || hostOf(configured) === host.toLowerCase() || (isForwarded && !forwardedHost)
    if (configured !== '' && isConfigured) return configured
    if (!isKnown) return ''
    const scheme = isTrusted ? headerOf(request, 'x-forwarded-proto')?.toLowerCase() : undefined
    const isSecure = scheme === undefined ? isEncrypted(request) : scheme === 'https'
    return `${isSecure ? 'https' : 'http'}://${host}${parts.basePath ?? ''}`
  }
}
