import { memoize } from '../../lib/memoize.ts'
import { createAddressList, isAddressOrNetwork } from '../../lib/security/address-list.ts'
import type { TokenRecord } from '../ports.ts'

/** Parsed once per text. Lines that are no address are skipped, but a list without any valid address blocks all callers. */
const addressList = memoize(1000, (text) => createAddressList(text.split(/[\s,]+/).filter(isAddressOrNetwork)))

/** True for an address from which a key may be used. */
export const isAllowedFrom = ({ allowIps }: Pick<TokenRecord, 'allowIps'>, ip: string): boolean =>
  allowIps.trim() === '' || addressList(allowIps).has(ip)
