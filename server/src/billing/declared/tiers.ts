import { ownMember } from '@tollgate/contract/own-member'
import { defaultTierRatios } from '@tollgate/contract/prices'
import type { Price } from '../price.ts'
import { declaredKey } from './declarations.ts'
import { familyOf } from './families.ts'

/**
 * Service tiers that are understood, by maker; `*` are those of every maker. One without a factor for a model costs what the standard
 * tier does. Standard ones have no name (`tierOf`).
 */
const declaredTiers: Readonly<Record<string, ReadonlySet<string>>> = {
  // Capacity that is paid apart; and batches, which cost half where a price says so.
  '*': new Set(['provisioned_throughput', 'batch', 'batches', 'reserved', 'scale']),
  openai: new Set(['flex', 'priority', 'fast']),
  // platform.claude.com/docs/en/api/service-tiers: priority is capacity that is paid apart.
  anthropic: new Set(['priority', 'flex']),
  google: new Set(['flex', 'priority']),
  bedrock: new Set(['flex', 'priority']),
  // console.groq.com/docs/flex-processing: flex asks the price of on_demand.
  other: new Set(['flex']),
}

const tierNames: ReadonlySet<string> = new Set([
  ...Object.values(declaredTiers).flatMap((names) => [...names]),
  ...Object.keys(defaultTierRatios).map((key) => key.split(':', 1)[0] ?? key),
])

/** True for the name of a tier of any maker. */
export const isTierName = (tier: string): boolean => tierNames.has(tier)

const isDeclaredTier = (tier: string, model: string): boolean =>
  declaredTiers['*']?.has(tier) === true || ownMember(declaredTiers, familyOf(model))?.has(tier) === true

const modelOf = (key: string): string => key.slice(key.indexOf(':') + 1)

const dearestOf = (family: string | undefined): number =>
  Object.entries(defaultTierRatios).reduce(
    (most, [key, ratio]) =>
      key.includes(':') && (family === undefined || familyOf(modelOf(key)) === family) ? Math.max(most, ratio) : most,
    1,
  )

/** The dearest factor that the tables know of a maker; of any maker where they know none of this one. */
const dearestOfFamily = (family: string): number => {
  const own = dearestOf(family)
  return own > 1 ? own : dearestOf(undefined)
}

export interface TierFactor {
  readonly ratio: number
  /** True where neither a price nor a table knows the tier: the factor is the dearest that is known. */
  readonly unknown: boolean
}

/** The factor of a tier for a model at its price. */
export const tierFactor = (
  tier: string,
  { tiers, model, declared }: Pick<Price, 'tiers' | 'model' | 'declared'>,
): TierFactor => {
  const priced = tiers === undefined ? undefined : ownMember(tiers, tier)
  if (priced !== undefined) return { ratio: priced, unknown: false }
  if (isDeclaredTier(tier, model)) return { ratio: 1, unknown: false }
  const own = declared && ownMember(declared, declaredKey({ kind: 'tier', place: familyOf(model), name: tier }))
  if (own !== undefined) return { ratio: own.as === 'factor' ? own.factor : 1, unknown: false }
  return { ratio: Math.max(dearestOfFamily(familyOf(model)), ...Object.values(tiers ?? {})), unknown: true }
}
