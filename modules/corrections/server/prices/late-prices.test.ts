import type { DatedPrice, Receipt } from '@tollgate/contract'
import { defaultTierRatios } from '@tollgate/contract/prices'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createListBook, type PriceSource } from '#server/billing/book/list-book.ts'
import { sourceOf } from '#server/billing/book/price-list-data.ts'
import { storedSource } from '#server/billing/book/price-table.ts'
import { shippedLists } from '#server/billing/book/shipped-lists.ts'
import { cost, receiptOf, recompute } from '#server/billing/cost.ts'
import { declaredKey } from '#server/billing/declared/declarations.ts'
import { createPriceBook } from '#server/billing/prices.ts'
import { noUsage, type Usage } from '#server/billing/usage.ts'
import { litellmReader } from '#server/features/price-lists/sources/litellm.ts'
import { priceSettings } from '#server/features/pricing/price-options.ts'
import { bookThatLearns, priceRowsOf, without } from '#server-test/support/billing/late-price.ts'
import { hasSecondSource, publicTable, withoutSecondSource } from '#server-test/support/billing/second-source.ts'
import { testOptions } from '#server-test/support/features/pricing.ts'
import { correctionPrices } from './correction-price.ts'

const day = 86_400_000
const august = Date.UTC(2026, 7, 1)
const end = Date.UTC(2026, 10, 29)

const optionsWith = (list: Parameters<typeof createPriceBook>[0]['list']) =>
  testOptions({
    ModelRatio: {},
    ModelPrice: {},
    PriceListsEnabled: true,
    ServiceTierRatios: defaultTierRatios,
    ...(list === undefined ? {} : { list }),
  })

interface Call {
  /** Milliseconds since 1970. */
  readonly at: number
  readonly usage: Usage
}

/** The receipt with which a call was charged when no list knew its model, and the one after a correction. */
const replay = (before: PriceSource, after: PriceSource, model: string, { at, usage }: Call) => {
  const learnt = end - day
  const options = optionsWith(bookThatLearns(before, after, learnt))
  const price = createPriceBook(priceSettings(options)).of(model, 'vip', { acceptsUnpriced: false, at })
  if (price === undefined) return undefined
  const charged = receiptOf(usage, price, { estimated: false })
  const prices = correctionPrices(
    () => options,
    () => end,
  )
  const reasons = charged.provisional ?? []
  const settles = Object.fromEntries(
    reasons.filter(({ kind }) => kind === 'price').map((reason) => [declaredKey(reason), { as: 'priced' as const }]),
  )
  const logged = {
    id: 1,
    created_at: Math.floor(at / 1000),
    model_name: model,
    group: 'vip',
    quota: charged.quota,
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    other: '{}',
  }
  const corrected = prices.open(prices.freezeDeclared(settles))(logged, JSON.stringify(charged), { isTask: false })
  if (typeof corrected === 'string') throw new Error(corrected)
  const known = createPriceBook(priceSettings(optionsWith(createListBook([after])))).of(model, 'vip', {
    acceptsUnpriced: false,
    at,
  })
  return { charged, corrected, right: known && receiptOf(usage, known, { estimated: false }) }
}

const isRight = (charged: Receipt, corrected: Receipt, right: Receipt): void => {
  expect(corrected.quota).toBe(Math.min(charged.quota, right.quota))
  expect(recompute(corrected)).toBe(corrected.quota)
  if (right.quota < charged.quota) {
    expect(corrected.lines).toEqual(right.lines)
    expect(corrected.context_above).toBe(right.context_above)
    expect(corrected.provisional?.some(({ kind }) => kind === 'price') ?? false).toBe(false)
  }
}

const usages = fc.record({
  input: fc.nat(400_000),
  cacheRead: fc.nat(100_000),
  cacheWrite: fc.nat(50_000),
  cacheWrite1h: fc.nat(50_000),
  output: fc.nat(60_000),
})

const calls = fc.record({
  at: fc.integer({ min: august, max: end - 2 * day }),
  usage: fc
    .tuple(usages, fc.constantFrom(undefined, 'priority', 'batch', 'ultrafast'))
    .map(([tokens, tier]): Usage => ({ ...noUsage, ...tokens, ...(tier === undefined ? {} : { tier }) })),
})

const rate = (most: number) => fc.integer({ min: 1, max: most }).map((cents) => String(cents / 100))
const rates = (most: number) =>
  fc.record({ input: rate(most), cache_read: rate(most), cache_write: rate(most), output: rate(most) })

/** A price from August on and another one from a day of September on, both with their prices for long prompts and a tier. */
const histories = fc
  .record({
    first: rates(500),
    later: rates(500),
    long: rates(900),
    batch: rates(300),
    from: fc.integer({ min: 0, max: 100 }),
  })
  .map(({ first, later, long, batch, from }): DatedPrice[] => [
    { rates: first, contexts: [{ above: 272_000, rates: long }], in_tiers: { batch: { rates: batch } } },
    { rates: later, from: new Date(august + from * day).toISOString().slice(0, 10) },
  ])

describe('calls of a model that the lists did not know yet', () => {
  const elder = { rates: { input: '10', cache_read: '1', cache_write: '12.5', output: '50' } }

  it('cost what they should have on their day, to the unit, and never more than was charged', () => {
    fc.assert(
      fc.property(histories, calls, (history, call) => {
        const before = priceRowsOf({ 'gpt-6.2-astra': [elder] })
        const after = priceRowsOf({ 'gpt-6.2-astra': [elder], 'gpt-6.3-astra': history })
        const found = replay(before, after, 'gpt-6.3-astra', call)
        if (found?.right === undefined) throw new Error('no price')
        const { charged, corrected, right } = found
        const used = charged.lines.length > 0
        expect(charged.provisional?.[0]?.kind).toBe(used ? 'price' : undefined)
        if (used) isRight(charged, corrected, right)
      }),
      { numRuns: 1000 },
    )
  })

  it('stay as they are until the lists know it', () => {
    const before = priceRowsOf({ 'gpt-6.2-astra': [elder] })
    const call = { at: august, usage: { ...noUsage, input: 1000, output: 100 } }
    const { charged, corrected } = replay(before, before, 'gpt-6.3-astra', call) ?? expect.fail('no price')
    expect(corrected).toEqual(charged)
  })
})

/** How many calls of each model are replayed: `PRICE_REPLAY` where it is more. */
const callsOfModel = Math.max(4, Number(process.env.PRICE_REPLAY ?? 0))

/** The history of August to November, replayed: each model of the lists that a family stands in for was unknown on the day of its call. */
const replayed = (all: PriceSource, models: readonly { readonly provider: string; readonly id: string }[]): number => {
  let [compared, dearer, units, back] = [0, 0, 0, 0]
  for (const { provider, id } of models) {
    const before = without(all, (model) => model.id === id || model.id.startsWith(`${id}-20`))
    fc.assert(
      fc.property(calls, (call) => {
        const found = replay(before, all, id, call)
        if (found?.right === undefined || found.charged.provisional?.[0]?.kind !== 'price') return
        compared += 1
        if (found.right.quota < found.charged.quota) dearer += 1
        units += found.charged.quota
        back += found.charged.quota - found.corrected.quota
        isRight(found.charged, found.corrected, found.right)
      }),
      { numRuns: callsOfModel },
    )
    expect(provider).not.toBe('')
  }
  console.log(
    `${models.length} models, ${compared} provisional calls of ${units} units; ${dearer} gave back ${back} units`,
  )
  return compared
}

const makers: ReadonlySet<string> = new Set(['openai', 'anthropic', 'google', 'x-ai'])

describe('the price history of August to November 2026', () => {
  it('is right after the corrections, for every model of the shipped lists that has a family', async () => {
    const all = sourceOf(await shippedLists())
    const models = all.models().filter(({ provider, id }) => makers.has(provider) && /^(gpt-[56]|claude-.*5)/.test(id))
    expect(replayed(all, models.slice(0, 25))).toBeGreaterThan(20)
  })

  it.skipIf(!hasSecondSource || process.env.PRICE_REPLAY === undefined)(
    `is right for the models of the file${withoutSecondSource}`,
    () => {
      const all = storedSource(litellmReader.read(publicTable()).prices, 'public table')
      const models = all.models().filter(({ provider, id }) => makers.has(provider) && !id.includes('/'))
      expect(replayed(all, models)).toBeGreaterThan(300)
    },
    600_000 + callsOfModel * 60_000,
  )
})

it('a call costs the same whichever way its price was learnt', () => {
  const after = priceRowsOf({ 'gpt-6.3-astra': [{ rates: { input: '8', output: '40' } }] })
  const price = createPriceBook(priceSettings(optionsWith(createListBook([after])))).of('gpt-6.3-astra', 'vip', {
    acceptsUnpriced: false,
  })
  expect(price && cost({ ...noUsage, input: 1000 }, price)).toBe(2000)
})
