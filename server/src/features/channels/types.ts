import type { ChannelType } from '@tollgate/contract'
import { providerOf, typesInSelectOrder, unbuiltProviderOf } from '../../providers/index.ts'
import { hasBalance } from './balance.ts'

/** What the console shows of a channel type; undefined for numbers that mean nothing. */
export const channelTypeOf = (type: number): ChannelType | undefined => {
  const built = providerOf(type)
  const known = built ?? unbuiltProviderOf(type)
  if (!known) return undefined
  return {
    type,
    name: known.name,
    ...known.console,
    fields: [...known.console.fields],
    base_url: known.baseUrl,
    models: [...known.models],
    lists_models: built?.modelList !== undefined,
    bills_aborted: built?.billsAborted === true,
    has_balance: hasBalance(type),
    relays: built !== undefined,
    ...('reason' in known ? { reason: known.reason } : {}),
  }
}

/** Every type that the console offers, in the order of its select. */
export const offeredTypes = (): ChannelType[] =>
  typesInSelectOrder.map(channelTypeOf).filter((type) => type !== undefined)
