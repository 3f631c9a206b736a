import { memoize } from '../../lib/memoize.ts'
import { createAddressList, isAddressOrNetwork } from '../../lib/security/address-list.ts'
import type { TokenRecord } from '../ports.ts'

/** Parsed once per text. Lines that are no address are skipped, but a list without any valid address blocks all callers. */
const addressList = memoize(1000, (text) => createAddressList(text.split(/[\s,]+/).filter(isAddressOrNetwork)))

/** Whether a key may be used from an address. */
export const isAllowedFrom = ({ allowIps }: Pick<TokenRecord, 'allowIps'>, ip: string): boolean =>
  allowIps.trim() === '' || addressList(allowIps).has(ip)
