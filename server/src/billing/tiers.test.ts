import { existsSync, readFileSync } from 'node:fs'
import { defaultTierRatios } from '@tollgate/contract/prices'
import { beforeAll, describe, expect, it } from 'vitest'
import { bookWith } from '../../test/support/billing/price.ts'
import { openShippedBook } from './book/shipped-book.ts'
import type { PriceBook } from './prices.ts'

/** Dollars per token in the standard tier and in others. */
type SecondPrice = Readonly<Record<string, number | string | undefined>>

const file = new URL('../../../../shared/data/prices-2026-11.json', import.meta.url)
const isThere = existsSync(file)
const second: Readonly<Record<string, SecondPrice>> = isThere ? JSON.parse(readFileSync(file, 'utf8')) : {}

let book: PriceBook
beforeAll(async () => {
  book = bookWith({ modelRatio: {}, tierRatios: defaultTierRatios, list: await openShippedBook() })
})

const ratioOf = (model: string, tier: string): number =>
  book.of(model, 'default', { acceptsUnpriced: true })?.tiers?.[tier] ?? 1

/** What a tier costs relative to the standard one; undefined where the second source names no price of it. */
const statedRatio = (price: SecondPrice, tier: string): number | undefined => {
  const [usual, other] = [price.output_cost_per_token, price[`output_cost_per_token_${tier}`]]
  return typeof usual === 'number' && typeof other === 'number' && usual > 0 ? other / usual : undefined
}

/** By more than a page's rounding of small prices. */
const differs = (ours: number, theirs: number | undefined): boolean =>
  theirs !== undefined && Math.abs(ours - theirs) > 0.06

describe.skipIf(!isThere)(`service tiers${isThere ? '' : ' (skipped: ../shared/data is absent)'}`, () => {
  const makers: ReadonlySet<unknown> = new Set(['openai', 'gemini', 'vertex_ai-language-models', 'bedrock_converse'])
  const names = Object.keys(second).filter((name) => makers.has(second[name]?.provider) && !name.includes('/'))

  it.each(['flex', 'priority'])('cost in the tier %s what the second source says', (tier) => {
    const stated = names.filter((name) => statedRatio(second[name] ?? {}, tier) !== undefined)
    expect(stated.length).toBeGreaterThan(50)
    expect(stated.filter((name) => differs(ratioOf(name, tier), statedRatio(second[name] ?? {}, tier)))).toEqual([])
  })
})
