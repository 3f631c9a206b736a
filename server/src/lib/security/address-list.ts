import { BlockList, isIP, isIPv4 } from 'node:net'
import { memoize } from '../memoize.ts'

export interface AddressList {
  /** IPv4 addresses written as IPv6 (`::ffff:10.0.0.1`) count as IPv4; anything unreadable is not in the list. */
  has(address: string): boolean
}

/** True for an address or a network in CIDR notation: `10.0.0.1`, `10.0.0.0/8`, `fd00::/8`. */
export const isAddressOrNetwork = (entry: string): boolean => {
  const [host = '', bits, ...rest] = entry.split('/')
  const family = isIP(host)
  if (family === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32))
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv4(address) ? 'ipv4' : 'ipv6')

/** Creates a list of addresses and networks (CIDR). Throws for an entry that is neither. */
export const createAddressList = (entries: readonly string[]): AddressList => {
  const list = new BlockList()
  for (const entry of entries) {
    if (!isAddressOrNetwork(entry))
      throw new Error(`"${entry}" is neither an address nor a network such as 10.0.0.0/8.`)
    const [host = '', bits] = entry.split('/')
    if (bits === undefined) list.addAddress(host, familyOf(host))
    else list.addSubnet(host, Number(bits), familyOf(host))
  }
  return { has: (address) => isIP(address) !== 0 && list.check(address, familyOf(address)) }
}

/** Parsed once per text. Lines that are no address are skipped, but a list without any valid address blocks all callers. */
const addressList = memoize(1000, (text) => createAddressList(text.split(/[\s,]+/).filter(isAddressOrNetwork)))

/** True for an address from which a key may be used. */
export const isAllowedFrom = ({ allowIps }: { readonly allowIps: string }, ip: string): boolean =>
  allowIps.trim() === '' || addressList(allowIps).has(ip)
