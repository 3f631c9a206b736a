import { defaultTierRatios } from '@tollgate/contract/prices'
import { beforeAll, describe, expect, it } from 'vitest'
import { bookWith } from '../../test/support/billing/price.ts'
import {
  hasSecondSource as isThere,
  type SecondPrice,
  secondSource as second,
  withoutSecondSource,
} from '../../test/support/billing/second-source.ts'
import { openShippedBook } from './book/shipped-book.ts'
import { cost } from './cost.ts'
import { toNumber } from './decimal.ts'
import { priceInTier } from './overrides/tier-rates.ts'
import type { PriceBook } from './prices.ts'
import { anyTier, reservation } from './reserve.ts'
import { noUsage } from './usage.ts'

let book: PriceBook
beforeAll(async () => {
  book = bookWith({ modelRatio: {}, tierRatios: defaultTierRatios, list: await openShippedBook() })
})

/** Price of an output token in a tier, relative to the standard tier. */
const ratioOf = (model: string, tier: string): number => {
  const price = book.of(model, 'default', { acceptsUnpriced: true })
  if (price === undefined) return 1
  const own = priceInTier(price, tier)
  return (toNumber(own.rates.output) / toNumber(price.rates.output)) * (own.tiers?.[tier] ?? 1)
}

/** Price of a tier relative to the standard one; undefined where the second source has none. */
const statedRatio = (price: SecondPrice, tier: string): number | undefined => {
  const [usual, other] = [price.output_cost_per_token, price[`output_cost_per_token_${tier}`]]
  return typeof usual === 'number' && typeof other === 'number' && usual > 0 ? other / usual : undefined
}

/** By more than a page's rounding of small prices. */
const differs = (ours: number, theirs: number | undefined): boolean =>
  theirs !== undefined && Math.abs(ours - theirs) > 0.06

describe.skipIf(!isThere)(`service tiers${withoutSecondSource}`, () => {
  const makers: ReadonlySet<unknown> = new Set(['openai', 'gemini', 'vertex_ai-language-models', 'bedrock_converse'])
  const names = Object.keys(second).filter((name) => makers.has(second[name]?.provider) && !name.includes('/'))

  it.each(['flex', 'priority', 'ultrafast'])('cost in the tier %s what the second source says', (tier) => {
    const stated = names.filter((name) => statedRatio(second[name] ?? {}, tier) !== undefined)
    expect(stated.length).toBeGreaterThan(tier === 'ultrafast' ? 3 : 50)
    expect(stated.filter((name) => differs(ratioOf(name, tier), statedRatio(second[name] ?? {}, tier)))).toEqual([])
  })

  it('cost in a batch of OpenAI, Anthropic and Gemini what the second source says', () => {
    const batched: ReadonlySet<unknown> = new Set(['openai', 'anthropic', 'gemini'])
    const unlike: ReadonlySet<string> = new Set(['gpt-3.5-turbo-1106', 'ft:gpt-4o-2024-08-06'])
    const stated = Object.keys(second).filter(
      (name) =>
        batched.has(second[name]?.provider) &&
        !name.includes('/') &&
        !unlike.has(name) &&
        statedRatio(second[name] ?? {}, 'batches') !== undefined,
    )
    expect(stated.length).toBeGreaterThan(80)
    for (const tier of ['batch', 'batches'])
      expect(stated.filter((name) => differs(ratioOf(name, tier), statedRatio(second[name] ?? {}, 'batches')))).toEqual(
        [],
      )
  })
})

describe('charges in a tier that was asked for by name', () => {
  const priceOf = (model: string) => {
    const price = book.of(model, 'default', { acceptsUnpriced: false })
    if (price === undefined) throw new Error(`${model} has no price`)
    return price
  }

  it.each([
    ['gpt-6-astra', 'ultrafast', { input: 60_000, cacheRead: 40_000, output: 10_000 }, 3_420_000],
    ['gpt-6-astra', 'batch', { input: 60_000, cacheRead: 40_000, output: 10_000 }, 285_000],
    ['grok-4.5', 'priority', { input: 6000, cacheRead: 4000, output: 1000 }, 19_200],
    ['grok-4.5', 'flex', { input: 6000, cacheRead: 4000, output: 1000 }, 19_200],
    ['claude-opus-5-5', 'batch', { input: 10_000, output: 1000 }, 15_000],
  ])('%s in %s', (model, tier, tokens, quota) => {
    expect(cost({ ...noUsage, ...tokens, tier }, priceOf(model))).toBe(quota)
  })

  it('are reserved for: the hold covers the dearest tokens in the fastest tier, and auto does not reserve for it', () => {
    const expected = { promptTokens: 1, outputTokens: 1000, leastTokens: 0 }
    const price = priceOf('gpt-6-astra')
    expect(reservation({ ...expected, tier: 'ultrafast' }, price)).toBeGreaterThanOrEqual(
      cost({ ...noUsage, input: 1, output: 1000, tier: 'ultrafast' }, price),
    )
    expect(reservation({ ...expected, tier: anyTier }, price)).toBe(
      reservation({ ...expected, tier: 'priority' }, price),
    )
  })
})
