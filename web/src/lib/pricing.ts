import { useQuery } from '@tanstack/react-query'
import { ownMember } from '@tollgate/contract/own-member'
import { type ApiError, callWhole } from './api/api.ts'
import { calls, type PricingItem } from './api/contract.ts'
import { useSession } from './api/session.ts'
import { queryKeyOf } from './query.ts'

/** The price list as its reader sees it. */
export interface Pricing {
  readonly models: readonly PricingItem[]
  /** Groups that the reader may use, default first. */
  readonly groups: readonly PricedGroup[]
  /** `tool` or `tool:models` → currency units per thousand calls, before the group's ratio. */
  readonly toolPrices: Readonly<Record<string, number>>
  /** `tier` or `tier:models` → factor of the token prices. */
  readonly tierRatios: Readonly<Record<string, number>>
}

export interface PricedGroup {
  readonly name: string
  readonly ratio: number
  readonly description: string
}

const groupsOf = (ratios: Readonly<Record<string, number>>, texts: Readonly<Record<string, string>>): PricedGroup[] =>
  Object.entries(ratios)
    .map(([name, ratio]) => ({ name, ratio, description: ownMember(texts, name) ?? '' }))
    .sort((a, b) => Number(b.name === 'default') - Number(a.name === 'default') || a.name.localeCompare(b.name))

const read = async (signal: AbortSignal): Promise<Pricing> => {
  const { data, group_ratio, usable_group, tool_prices, tier_ratios } = await callWhole(calls.listPricing, {}, signal)
  // The contract's types do not include fields beside `data`.
  const [ratios, texts] = [group_ratio as Record<string, number>, usable_group as Record<string, string>]
  const [toolPrices, tierRatios] = [tool_prices as Record<string, number>, tier_ratios as Record<string, number>]
  return { models: data ?? [], groups: groupsOf(ratios, texts), toolPrices, tierRatios }
}

/** Everybody sees other groups, so the list belongs to who is signed in. */
export const usePricing = () => {
  const reader = useSession()?.id ?? 0
  return useQuery<Pricing, ApiError>({
    queryKey: [...queryKeyOf(calls.listPricing), 'with groups', reader],
    queryFn: ({ signal }) => read(signal),
  })
}
