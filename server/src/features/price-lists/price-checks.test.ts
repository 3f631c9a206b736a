import type { DatedPrice, StoredPrice } from '@tollgate/contract'
import { describe, expect, it } from 'vitest'
import { sourcePrice } from '../../../test/support/features/price-lists.ts'
import { doubtsOf } from './price-checks.ts'

const now = Date.UTC(2026, 10, 23)
const usual = { input: '2', output: '8', cache_read: '0.5' }

const doubts = (before: DatedPrice['rates'] | undefined, after: DatedPrice['rates'] | undefined, model = 'gpt-x') =>
  doubtsOf(before && sourcePrice(model, before), after && sourcePrice(model, after), now).map(
    ({ kind, reason, factor }) => [kind, reason, factor].filter((part) => part !== undefined).join(' '),
  )

describe('a changed price', () => {
  it.each([
    ['twice as much', { ...usual, input: '4' }, []],
    ['three times as much', { ...usual, input: '6' }, []],
    ['a third', { ...usual, output: '2.67' }, []],
    ['ten times as much', { ...usual, input: '20' }, ['input jump 10']],
    ['a tenth', { ...usual, cache_read: '0.05' }, ['cache_read jump 0.1']],
    ['a thousand times as much', { ...usual, input: '2000' }, ['input unit 1000']],
    ['a millionth', { ...usual, output: '0.000008' }, ['output unit 0.000001']],
    ['nothing', { ...usual, output: '0' }, ['output to_zero']],
    ['prompts only', { input: '2', cache_read: '0.5' }, ['output no_output', 'output to_zero']],
  ])('of %s has the doubts %j', (_, after, expected) => expect(doubts(usual, after)).toEqual(expected))

  it('has doubts when something becomes charged for, or is not priced any more', () => {
    expect(doubts({ ...usual, input: '0' }, usual)).toEqual(['input from_zero'])
    expect(doubts(usual, undefined)).toEqual(['input gone'])
  })

  it('is compared with what the part cost before it had a price of its own', () => {
    expect(doubts({ input: '2', output: '8' }, usual)).toEqual(['cache_read jump 0.25'])
    expect(doubts({ input: '2', output: '8' }, { ...usual, cache_read: '1' })).toEqual([])
  })

  it('is looked at on announced days and for long prompts, too', () => {
    const before = {
      ...sourcePrice('m', usual),
      prices: [{ rates: usual, contexts: [{ above: 200_000, rates: usual }] }],
    }
    const announced = {
      ...before,
      prices: [...before.prices, { from: '2027-01-01', rates: { ...usual, input: '200' } }],
    }
    expect(doubtsOf(before, announced, now)).toEqual([{ kind: 'input', reason: 'jump', factor: 100 }])
    const long = {
      ...before,
      prices: [{ rates: usual, contexts: [{ above: 200_000, rates: { ...usual, output: '80' } }] }],
    }
    expect(doubtsOf(before, long, now)).toEqual([{ kind: 'output', reason: 'jump', factor: 10 }])
  })
})

describe('the price of a new model', () => {
  it('is doubtful by itself where no model costs so much or answers cost nothing', () => {
    expect(doubts(undefined, usual)).toEqual([])
    expect(doubts(undefined, { input: '2' })).toEqual(['output no_output'])
    expect(doubts(undefined, { input: '2' }, 'text-embedding-9')).toEqual([])
    expect(doubts(undefined, { input: '2500000', output: '8' })).toEqual(['input implausible'])
    expect(doubts(undefined, { input: '0.0000025', output: '8' })).toEqual(['input implausible'])
  })
})

describe('prices of service tiers', () => {
  const priced = (in_tiers?: StoredPrice['prices'][number]['in_tiers']): StoredPrice => ({
    provider: 'openai',
    model: 'gpt-x',
    source: '',
    prices: [{ rates: { input: '2', output: '8' }, ...(in_tiers === undefined ? {} : { in_tiers }) }],
  })
  const tier = (output: string) => priced({ ultrafast: { rates: { input: '12', output } } })

  it('may be several times the usual price when they are new, and are looked at like others when they change', () => {
    expect(doubtsOf(priced(), tier('48'), Date.now())).toEqual([])
    expect(doubtsOf(priced(), tier('4800'), Date.now())).not.toEqual([])
    expect(doubtsOf(tier('48'), tier('4.8'), Date.now())).toEqual([{ kind: 'output', reason: 'jump', factor: 0.1 }])
    expect(doubtsOf(tier('48'), tier('50'), Date.now())).toEqual([])
  })
})
