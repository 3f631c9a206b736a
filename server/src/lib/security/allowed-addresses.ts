import { memoize } from '../memoize.ts'
import { createAddressList, isAddressOrNetwork } from './address-list.ts'

/** Parsed once per text. Lines that are no address are skipped, but a list without any valid address blocks all callers. */
const addressList = memoize(1000, (text) => createAddressList(text.split(/[\s,]+/).filter(isAddressOrNetwork)))

/** True for an address from which a key may be used. */
export const isAllowedFrom = ({ allowIps }: { readonly allowIps: string }, ip: string): boolean =>
  allowIps.trim() === '' || addressList(allowIps).has(ip)
