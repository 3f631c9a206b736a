import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { leastTopUp, type TopUpTerms, topUpPrice } from './top-up.ts'

const terms = (changes: Partial<TopUpTerms> = {}): TopUpTerms => ({
  inCurrency: true,
  quotaPerUnit: 500_000,
  price: 7.3,
  groupRatio: 1,
  least: 1,
  ...changes,
})

describe('the price of a top-up', () => {
  it.each([
    ['10 × 7.3', 10, {}, '73.00', 5_000_000],
    ['1 × 7.3 × 0.85', 1, { groupRatio: 0.85 }, '6.21', 500_000],
    ['a group ratio of 0 counts as 1', 1, { groupRatio: 0 }, '7.30', 500_000],
    ['3 × 0.335 is 1.005, rounded up', 3, { price: 0.335 }, '1.01', 1_500_000],
    ['1.5 units in quota units are charged and credited whole', 750_000, { inCurrency: false }, '10.95', 750_000],
    ['one quota unit over', 500_001, { inCurrency: false }, '7.30', 500_001],
    ['a fractional quota per unit', 2, { quotaPerUnit: 1.5 }, '14.60', 3],
    ['no binary fractions: 100 × 1.15', 100, { price: 1.15 }, '115.00', 50_000_000],
  ])('%s', (_, amount, changes, money, quota) => {
    expect(topUpPrice(amount, terms(changes))).toMatchObject({ money, quota })
  })

  it('is compared with one cent exactly', () => {
    const of = (price: number) => Math.sign(topUpPrice(1, terms({ price })).againstOneCent)
    expect([of(0), of(0.009), of(0.01), of(0.011)]).toEqual([-1, -1, 0, 1])
  })

  it('rounds units of currency down, never the quota', () => {
    expect(topUpPrice(1_250_000, terms({ inCurrency: false }))).toMatchObject({ units: 2, quota: 1_250_000 })
  })

  it('throws when the quota is not a safe integer', () => {
    expect(() => topUpPrice(Number.MAX_SAFE_INTEGER, terms())).toThrow(RangeError)
  })

  it('never differs from the exact price by more than half a cent', () => {
    const amounts = fc.integer({ min: 1, max: 1_000_000_000 })
    const prices = fc.integer({ min: 1, max: 1_000_000 })
    fc.assert(
      fc.property(amounts, prices, (amount, thousandths) => {
        const { money } = topUpPrice(amount, terms({ inCurrency: false, price: thousandths / 1000 }))
        // Everything in thousandths of a cent of a quota unit: exact in integers.
        const exact = BigInt(amount) * BigInt(thousandths)
        const charged = BigInt(money.replace('.', '')) * 5_000_000n
        const distance = exact > charged ? exact - charged : charged - exact
        expect(distance <= 2_500_000n).toBe(true)
      }),
    )
  })
})

it.each([
  [{}, 1],
  [{ least: 5 }, 5],
  [{ least: 0.5 }, 1],
  [{ least: 2, inCurrency: false }, 1_000_000],
  [{ least: 0.1, inCurrency: false }, 50_000],
  [{ least: 1, inCurrency: false, quotaPerUnit: 333.3 }, 334],
])('computes the least amount for %j as %i', (changes, least) => expect(leastTopUp(terms(changes))).toBe(least))
