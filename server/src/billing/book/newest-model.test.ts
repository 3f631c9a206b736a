import { defaultTierRatios } from '@tollgate/contract/prices'
import { beforeAll, describe, expect, it } from 'vitest'
import { bookWith } from '../../../test/support/billing/price.ts'
import { hasSecondSource, secondSource, withoutSecondSource } from '../../../test/support/billing/second-source.ts'
import { cost, receiptOf } from '../cost.ts'
import { toNumber } from '../decimal.ts'
import type { Price } from '../price.ts'
import type { PriceBook } from '../prices.ts'
import { noUsage } from '../usage.ts'
import { openShippedBook } from './shipped-book.ts'

let on: PriceBook
let off: PriceBook
beforeAll(async () => {
  const list = await openShippedBook()
  const settings = { modelRatio: {}, modelPrice: {}, tierRatios: defaultTierRatios, list }
  on = bookWith({ ...settings, provisionalModels: true })
  off = bookWith(settings)
})

const priceIn = (book: PriceBook, model: string): Price | undefined =>
  book.of(model, 'default', { acceptsUnpriced: false })

describe('a model that no list names', () => {
  it.each([
    ['gpt-6.3-astra', 'gpt-6.2-astra', 40],
    ['gpt-6.3-sol', 'gpt-6.2-sol', 10],
    ['gpt-6.2-terra', 'gpt-6.1-terra', 5],
    ['gpt-7-astra-2027-01-31', 'gpt-6.2-astra', 40],
    ['claude-opus-6', 'claude-opus-5-5', 20],
    ['claude-sonnet-6-20270101', 'claude-sonnet-5-5', 10],
    ['anthropic/claude-opus-6', 'anthropic/claude-opus-5.5', 20],
  ])('%s costs what %s does, and says so', (model, other, output) => {
    const price = priceIn(on, model)
    expect(price?.provisional).toMatchObject({ kind: 'price', name: model, value: other })
    expect(toNumber(price?.rates.output ?? { digits: 0n, scale: 0 })).toBe(output)
    expect(priceIn(off, model)).toBeUndefined()
    expect(on.isPriced(model)).toBe(false)
  })

  it('costs what the dearest of its maker’s newest does where its words are new, too', () => {
    expect(priceIn(on, 'gpt-6.3-nova')?.provisional?.value).toBe('gpt-6.2-astra')
  })

  it.each(['gpt-image-nova', 'my-model-7', 'llama-9', 'gpt-nova', 'gpt-9-realtime-nova', 'constructor', ''])(
    '%s belongs to no family and stays refused',
    (model) => {
      expect(priceIn(on, model)).toBeUndefined()
    },
  )

  it('marks its receipts, and nothing where the answer used nothing', () => {
    const price = priceIn(on, 'gpt-6.3-astra')
    if (price === undefined) throw new Error('no price')
    const receipt = receiptOf({ ...noUsage, input: 1000, output: 100 }, price, { estimated: false })
    expect(receipt.provisional).toEqual([
      { kind: 'price', place: 'openai', name: 'gpt-6.3-astra', value: 'gpt-6.2-astra' },
    ])
    expect(receiptOf(noUsage, price, { estimated: false }).provisional).toBeUndefined()
  })

  it('has the operator’s price where there is one', () => {
    const own = bookWith({ modelRatio: { 'gpt-6.3-astra': 2 }, provisionalModels: true })
    expect(priceIn(own, 'gpt-6.3-astra')?.provisional).toBeUndefined()
  })
})

describe('the newest models of November', () => {
  it.each([
    ['gpt-6.2-astra', { input: 60_000, cacheRead: 40_000, output: 10_000 }, 448_000],
    ['gpt-6.2-sol', { input: 60_000, cacheRead: 40_000, output: 10_000 }, 112_000],
    ['openai/gpt-6.2-sol', { input: 60_000, output: 10_000 }, 110_000],
  ])('%s can be called on a fresh installation at its own price', (model, tokens, quota) => {
    const price = priceIn(on, model)
    expect(price?.provisional).toBeUndefined()
    expect(price && cost({ ...noUsage, ...tokens }, price)).toBe(quota)
  })

  it('are provisional in a tier that no page states for them, at the dearest of the maker', () => {
    const price = priceIn(on, 'gpt-6.2-astra')
    if (price === undefined) throw new Error('no price')
    const receipt = receiptOf({ ...noUsage, output: 1000, tier: 'ultrafast' }, price, { estimated: false })
    expect(receipt).toMatchObject({ tier: { ratio: '6' }, provisional: [{ kind: 'tier', name: 'ultrafast' }] })
  })

  it.skipIf(!hasSecondSource)(`include every text model of the makers in the file${withoutSecondSource}`, () => {
    const makers: ReadonlySet<unknown> = new Set(['openai', 'anthropic', 'gemini', 'xai', 'deepseek'])
    const chats = Object.entries(secondSource).filter(
      ([, { provider, mode }]) => makers.has(provider) && (mode === 'chat' || mode === 'responses'),
    )
    expect(chats.length).toBeGreaterThan(200)
    // Providers list their ids without a prefix. A container is no model.
    const ids = new Set(chats.map(([name]) => name.slice(name.lastIndexOf('/') + 1)).filter((id) => id !== 'container'))
    expect([...ids].filter((id) => priceIn(on, id) === undefined)).toEqual([])
  })
})
