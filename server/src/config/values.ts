import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { readBasePath } from '../lib/base-path.ts'
import { isAddressOrNetwork } from '../lib/security/address-list.ts'
import { ConfigError } from './environment.ts'

/** As written; throws ConfigError where it is the example of the documentation. */
export const secret = (name: string, written: string | undefined): string | undefined => {
  if (written === 'random_string')
    throw new ConfigError(name, 'it is still the example value random_string; choose a secret of your own')
  return written
}

/** Addresses and networks (CIDR); throws ConfigError for anything else. */
export const networks = (name: string, entries: readonly string[]): readonly string[] => {
  for (const entry of entries) {
    if (!isAddressOrNetwork(entry)) {
      throw new ConfigError(name, `"${entry}" is neither an address nor a network such as 10.0.0.0/8`)
    }
  }
  return entries
}

/**
 * Hosts, addresses and networks. Throws ConfigError for anything else: hosts are compared as they are, and a URL or a broken
 * network would silently allow nothing.
 */
export const hostsAndNetworks = (name: string, entries: readonly string[]): readonly string[] => {
  for (const entry of entries) {
    if (isAddressOrNetwork(entry) || /^[\p{L}\p{N}._-]+$|^\[[\da-f:.]+\]$/iu.test(entry)) continue
    throw new ConfigError(name, `"${entry}" is neither a host nor an address nor a network such as 10.0.0.0/8`)
  }
  return entries
}

/** Addresses of DNS servers, with or without a port; throws ConfigError for anything else. */
export const nameServers = (name: string, entries: readonly string[]): readonly string[] => {
  for (const entry of entries) {
    const [, address = entry] = /^\[(.+)\](?::\d{1,5})?$/.exec(entry) ?? /^([\d.]+)(?::\d{1,5})?$/.exec(entry) ?? []
    if (isIP(address) === 0)
      throw new ConfigError(name, `"${entry}" is not an address such as 192.0.2.1, 192.0.2.1:5353 or [2001:db8::1]:53`)
  }
  return entries
}

/** Throws ConfigError for what is no port. */
export const ports = (name: string, entries: readonly string[]): readonly number[] =>
  entries.map((entry) => {
    const port = /^\d{1,5}$/.test(entry) ? Number(entry) : 0
    if (port < 1 || port > 65_535) throw new ConfigError(name, `"${entry}" is not a port from 1 to 65535`)
    return port
  })

const longestPlace = 255

/** A folder as an absolute path, or `s3://bucket/prefix` without a slash at its end; throws ConfigError for one that is too long. */
export const placeOfFiles = (name: string, written: string | undefined): string | undefined => {
  if (written === undefined) return undefined
  const place = written.startsWith('s3://') ? written.replace(/\/+$/, '') : resolve(written)
  if (place === 's3:') throw new ConfigError(name, 'it names no bucket')
  if (place.length > longestPlace) throw new ConfigError(name, `it is longer than ${longestPlace} characters`)
  return place
}

/** The path below which the site is reached, empty for the root; throws ConfigError for what is none or begins like a path of the site's own. */
export const basePath = (name: string, written: string = ''): string => {
  const read = readBasePath(written)
  if ('problem' in read) throw new ConfigError(name, read.problem)
  return read.path
}
