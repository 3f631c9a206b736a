import { describe, expect, it } from 'vitest'
import { decimal } from '#server/billing/decimal.ts'
import { noUsage, type Usage } from '#server/billing/usage.ts'
import { priceSettings } from '#server/features/pricing/price-options.ts'
import { listed } from '../../tests/compared-site.ts'
import { openListCost } from '../list-cost.ts'
import type { OwnUsage } from '../own-usage.ts'
import { type ReportLine, reportLine } from '../report.ts'
import { compareReport, summaryOf } from './compare.ts'

const day = 1_793_836_800
const settings = priceSettings(listed)
const listCostOf = openListCost(() => settings)

/** 100 calls of 1,000 prompt tokens, 600 of them cached, and 100 more: $0.275 at $2.50, $1.25 and $10 a million. */
const own = (usage: Partial<Usage> = {}, model = 'gpt-4o'): OwnUsage => ({
  at: day + 3_600,
  model,
  upstreamModel: model,
  usage: { ...noUsage, input: 40_000, cacheRead: 60_000, output: 10_000, calls: 100, ...usage },
  above: 0,
  detailed: true,
})

const causesOf = (
  lines: readonly (Partial<ReportLine> & { model?: string })[],
  ours: readonly OwnUsage[] = [own()],
) => {
  const made = lines.map((line) => reportLine({ day, model: 'gpt-4o', ...line }))
  const compared = compareReport({ lines: made, own: ours, listCostOf }, { from: day, until: day })
  return compared.flatMap((one) => one.day.causes.map(({ cause }) => cause))
}

const dollars = (amount: number) => decimal(amount.toFixed(9))
const truth = { calls: 100, input: 40_000, cacheRead: 60_000, output: 10_000, cost: dollars(0.275) }

describe('a report that counts no calls, as of Anthropic', () => {
  const { calls: _, ...tokens } = truth

  it.each([
    ['agrees', {}, []],
    ['ignores the cache', { input: 100_000, cacheRead: 0, cost: dollars(0.35) }, ['cache_ignored']],
    ['has another price', { cost: dollars(0.22) }, ['price_changed']],
    ['has more calls', { input: 44_000, cacheRead: 66_000, output: 11_000, cost: dollars(0.3025) }, ['missing_here']],
    ['has fewer calls', { input: 36_000, cacheRead: 54_000, output: 9_000, cost: dollars(0.2475) }, ['missing_there']],
    ['rounds to cents', { cost: dollars(0.28) }, ['rounding']],
  ])('%s', (_name, lie, causes) => expect(causesOf([{ ...tokens, ...lie }])).toEqual(causes))
})

describe('a report that does not split prompts by cache, as of OpenRouter', () => {
  const unsplit = { calls: 100, input: 100_000, output: 10_000, cost: dollars(0.275) }

  it.each([
    ['agrees', {}, []],
    ['ignores the cache', { cost: dollars(0.35) }, ['cache_ignored']],
    ['has another price', { cost: dollars(0.55) }, ['price_changed']],
    ['has more calls', { calls: 120, input: 120_000, output: 12_000, cost: dollars(0.33) }, ['missing_here']],
    ['has fewer calls', { calls: 70, input: 70_000, output: 7_000, cost: dollars(0.1925) }, ['missing_there']],
    ['rounds to cents', { cost: dollars(0.28) }, ['rounding']],
  ])('%s', (_name, lie, causes) => expect(causesOf([{ ...unsplit, ...lie }])).toEqual(causes))
})

describe('a report of amounts only', () => {
  it.each([
    ['agrees', 0.275, []],
    ['ignores the cache', 0.35, ['cache_ignored']],
    ['differs for no reason that it shows', 0.31234, ['unexplained']],
    ['rounds to cents', 0.27, ['rounding']],
  ])('%s', (_name, cost, causes) => expect(causesOf([{ cost: dollars(cost) }])).toEqual(causes))
})

describe('a report of single calls', () => {
  const call = { calls: 1, input: 400, cacheRead: 600, output: 100, cost: dollars(0.00275), requestId: 'r' }
  const calls = Array.from({ length: 100 }, () => call)

  it('agrees', () => expect(causesOf(calls)).toEqual([]))
  it('that rounds each of them to cents is named, however much that adds up to', () => {
    expect(causesOf(calls.map((one) => ({ ...one, cost: dollars(0) })))).toEqual(['rounding'])
    expect(causesOf(calls.map((one) => ({ ...one, cost: dollars(0.01) })))).toEqual(['rounding'])
  })
  it('with other counts of tokens is named', () => {
    const first = { ...call, output: 130, cost: dollars(0.00305) }
    expect(causesOf([first, ...calls.slice(1)])).toEqual(['tokens_differ'])
  })
})

describe('two causes at once', () => {
  it('are both named, and their amounts add up', () => {
    const lie = { ...truth, calls: 110, input: 110_000, cacheRead: 0, output: 11_000, cost: dollars(0.462) }
    const [compared] = compareReport(
      { lines: [reportLine({ day, model: 'gpt-4o', ...lie })], own: [own()], listCostOf },
      { from: day, until: day },
    )
    expect(compared?.day.causes).toEqual([
      { cause: 'missing_here', amount: '0.0275', calls: 10 },
      { cause: 'cache_ignored', amount: '0.0825' },
      { cause: 'price_changed', amount: '0.077', factor: '1.2' },
    ])
    expect(compared?.day.difference).toBe('0.187')
  })
})

describe('models', () => {
  it('meet under the names of both sides', () => {
    expect(causesOf([{ ...truth, model: 'openai/gpt-4o-2024-08-06' }])).toEqual([])
  })

  it('that only one side has are calls that the other lacks', () => {
    expect(causesOf([{ ...truth, model: 'gpt-4o-mini' }])).toEqual(['missing_there', 'missing_here'])
  })

  it('without a list price are named where something differs or not', () => {
    expect(causesOf([{ ...truth, model: 'homegrown' }], [own({}, 'homegrown')])).toEqual(['no_price'])
  })

  it('of charges for none are other charges', () => {
    expect(causesOf([truth, { model: '', cost: dollars(0.1) }])).toEqual(['other_charges'])
  })
})

it('prices long prompts by their own rates, and days by their prices', () => {
  const seen: unknown[] = []
  const spy: typeof listCostOf = (model, usage, when) => {
    seen.push({ at: when.at, above: when.above })
    return listCostOf(model, usage, when)
  }
  compareReport(
    { lines: [], own: [own(), { ...own(), at: day + 7_200, above: 200_000 }], listCostOf: spy },
    { from: day, until: day },
  )
  expect(seen).toEqual([
    { at: day + 3_600, above: 0 },
    { at: day + 7_200, above: 200_000 },
  ])
})

it('sums up both sides, the difference and the causes', () => {
  const lines = [truth, { ...truth, day: day + 86_400, calls: 0, input: 0, cacheRead: 0, output: 0, cost: dollars(1) }]
  const made = lines.map((line) => reportLine({ day, model: 'gpt-4o', ...line }))
  const compared = compareReport({ lines: made, own: [own()], listCostOf }, { from: day, until: day + 86_400 })
  expect(summaryOf(compared.map((one) => one.day))).toEqual({
    ours_cost: '0.275',
    theirs_cost: '1.275',
    difference: '1',
    causes: [{ cause: 'missing_here', amount: '1' }],
    calls: null,
  })
})
