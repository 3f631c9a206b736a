import { beforeEach, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { testOptions } from '../../../test/support/features/pricing.ts'
import { storedSource } from '../../billing/book/price-table.ts'
import { createVersionedBook } from '../../billing/book/versioned-book.ts'
import type { Database } from '../../db/database.ts'
import { openAudit } from '../audit/audit.ts'
import { hourlyPriceOf } from '../price-lists/change-times.ts'
import { priceAt, priceHistory } from './history.ts'
import { readOptionChanges } from './option-changes.ts'

const day = (text: string): number => Date.parse(text)
const lists = storedSource(
  [
    {
      provider: 'openai',
      model: 'gpt-x',
      source: 'https://prices.test',
      prices: [
        { rates: { input: '2', output: '8' } },
        { from: '2026-03-01', rates: { input: '1', output: '4' } },
        { from: '2027-01-01', rates: { input: '3', output: '12' } },
      ],
    },
    {
      provider: 'deepseek',
      model: 'peak',
      source: '',
      prices: [
        { rates: { input: '1', output: '4' } },
        { rates: { input: '2', output: '8' }, hours: { start: '00:00:00Z', end: '06:00:00Z', weekdays: true } },
      ],
    },
  ],
  'genai-prices 1',
)
const state = { from: 0, lists, overlay: new Map(), version: 1, listId: 1 }
const list = createVersionedBook([state])

describeEachEngine('the history of a price', (open) => {
  let database: Database
  const parts = (options = testOptions({ PriceListsEnabled: true, ModelRatio: {}, CompletionRatio: {}, list })) => ({
    options: () => options,
    momentsOf: () => [0, day('2026-03-01'), day('2027-01-01')],
    hourlyOf: (model: string, at: number) => hourlyPriceOf([state], model, at),
    trail: (model: string) => readOptionChanges(database, model),
    hasTrail: true,
  })
  const saved = (at: string, before: Record<string, number>, after: Record<string, number>) =>
    openAudit(database, () => day(at)).record({
      actor: { id: 1, username: 'root' },
      action: 'option.update',
      object: 'option',
      objectId: 'ModelRatio',
      before,
      after,
      ip: '',
    })

  beforeEach(async () => {
    database = await open()
  })

  it('names every announced day, also those of the future', async () => {
    const points = await priceHistory('gpt-x', parts())
    expect(points.map(({ from, version, price }) => [from, version, price?.rates.input])).toEqual([
      [0, 'genai-prices 1', '2'],
      [day('2026-03-01') / 1000, 'genai-prices 1, 2026-03-01', '1'],
      [day('2027-01-01') / 1000, 'genai-prices 1, 2027-01-01', '3'],
    ])
    expect(points[0]?.source).toBe('https://prices.test')
  })

  it('names the hours at which a model costs otherwise, whatever hour a version began at', async () => {
    // Both moments are within these hours, in which the usual price does not hold.
    const points = await priceHistory('peak', { ...parts(), momentsOf: () => [0, day('2026-11-24T03:00:00Z')] })
    expect(points).toEqual([
      {
        from: 0,
        version: 'genai-prices 1',
        source: '',
        price: { rates: { input: '1', output: '4' } },
        hours: [
          { rates: { input: '2', output: '8' }, hours: { start: '00:00:00Z', end: '06:00:00Z', weekdays: true } },
        ],
      },
    ])
    const [monday] = await priceAt('peak', day('2026-11-23T03:00:00Z'), parts())
    expect([monday?.price?.rates.input, monday?.hours]).toEqual(['2', undefined])
  })

  it('includes what operators set and took back, in dollars', async () => {
    await saved('2026-05-01', {}, { 'ModelRatio/gpt-x': 5 })
    await saved('2026-06-01', { 'ModelRatio/gpt-x': 5, 'ModelRatio/gpt-xl': 1 }, { 'ModelRatio/gpt-xl': 2 })
    const points = await priceHistory('gpt-x', parts())
    expect(points.map(({ version, price }) => [version, price?.rates.input, price?.rates.output])).toEqual([
      ['genai-prices 1', '2', '8'],
      ['genai-prices 1, 2026-03-01', '1', '4'],
      ['operator', '10', '40'],
      ['genai-prices 1, 2026-03-01', '1', '4'],
      ['genai-prices 1, 2027-01-01', '3', '12'],
    ])
    const [may] = await priceAt('gpt-x', day('2026-05-15'), parts())
    expect([may?.version, may?.price?.rates.input]).toEqual(['operator', '10'])
  })

  it('says what a fixed price costs, and that there is none', async () => {
    const fixed = testOptions({ ModelPrice: { 'gpt-x': 0.04 }, list })
    expect(await priceAt('gpt-x', day('2026-05-15'), parts(fixed))).toMatchObject([{ per_call: '0.04' }])
    expect(await priceHistory('unknown', parts())).toEqual([{ from: 0, version: '', source: '' }])
  })
})
