import type { PricePreview, PriceTraffic } from '@tollgate/contract'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { testLog } from '../../../test/support/db/rows.ts'
import { chargedRow, printed, testOptions } from '../../../test/support/features/pricing.ts'
import { createListBook } from '../../billing/book/list-book.ts'
import { storedSource } from '../../billing/book/price-table.ts'
import { cost } from '../../billing/cost.ts'
import { createPriceBook } from '../../billing/prices.ts'
import { noUsage } from '../../billing/usage.ts'
import type { Database } from '../../db/database.ts'
import { openPreview, type Preview, type PreviewParts } from './preview.ts'
import { type PriceOptionChange, priceSettings, withChanges } from './price-options.ts'
import { openTrafficStore } from './traffic-store.ts'

const now = 1_900_000_000
const day = 86_400
const options = testOptions()

/** Calls of several models and groups over six days, all different. */
const manyCalls = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    chargedRow(
      {
        model: ['plain', 'half', 'draw-1'][index % 3] ?? '',
        group: ['default', 'vip'][index % 2] ?? '',
        usage: { input: 100 + index * 7, cacheRead: (index % 5) * 31, output: 20 + index * 3 },
        at: now - Math.floor((index * 6 * day) / count) - 1,
      },
      options,
    ),
  )

const quotaOf = (rows: readonly { quota: number }[]): number => rows.reduce((sum, { quota }) => sum + quota, 0)

describeEachEngine('the preview of changed prices', (open) => {
  let database: Database
  let preview: Preview

  const openWith = (more: Partial<PreviewParts> = {}): Preview =>
    openPreview({
      store: openTrafficStore(database),
      clock: () => now * 1000,
      options: () => options,
      served: () => ['draw-1', 'half', 'plain', 'unset'],
      ...more,
    })
  const trafficOf = async (changes: readonly PriceOptionChange[], asked = preview): Promise<PriceTraffic> =>
    (await asked(changes)).traffic

  beforeAll(async () => {
    database = await open()
  })
  beforeEach(async () => {
    await database.query.deleteFrom('logs').execute()
    preview = openWith()
  })

  const unchanged = [printed('ModelRatio', options.ModelRatio)]

  it('says that unchanged prices cost what was charged', async () => {
    const rows = manyCalls(700)
    await database.insertMany('logs', rows)
    const charged = quotaOf(rows)
    const result = await preview(unchanged)
    expect(result).toMatchObject({ models: [], groups: [], quota_per_unit: { before: 500_000, after: 500_000 } })
    expect(result.traffic).toEqual({
      basis: 'receipts',
      from: now - 7 * day + 1,
      to: now,
      calls: 700,
      receipts: 700,
      without_receipt: 0,
      charged,
      current: charged,
      proposed: charged,
      models: [],
    })
  })

  it('refuses prices at which a call costs more than a whole number holds', async () => {
    await database.insertMany('logs', manyCalls(3))
    const groups = Object.fromEntries(Object.keys(options.GroupRatio).map((group) => [group, 1e9]))
    const huge = [printed('ModelRatio', { ...options.ModelRatio, plain: 1e9 }), printed('GroupRatio', groups)]
    await expect(preview(huge)).rejects.toMatchObject({ code: 'invalid_parameter' })
    const beyond = [printed('ModelRatio', { ...options.ModelRatio, plain: 1e300 })]
    await expect(preview(beyond)).rejects.toMatchObject({ code: 'option_invalid' })
    expect((await preview(unchanged)).traffic.calls).toBe(3)
  })

  it('computes every receipt anew, page after page, also where many end in one second', async () => {
    const changes = [
      printed('ModelRatio', { plain: 3.3, half: 0.5 }),
      printed('ModelPrice', { half: 0.001, 'draw-1': 0.05 }),
      printed('CacheRatio', { plain: 0.1 }),
      printed('GroupRatio', { ...options.GroupRatio, vip: 0.75 }),
    ]
    const rows = manyCalls(600)
    const same = Array.from({ length: 600 }, (_, index) =>
      chargedRow({ model: 'plain', usage: { input: 1 + index, output: 3 }, at: now - 5 }, options),
    )
    await database.insertMany('logs', [...rows, ...same])

    const book = createPriceBook(priceSettings(withChanges(options, changes)))
    const expected = (model: string, group: string, usage: Partial<typeof noUsage>): number => {
      const price = book.of(model, group, { acceptsUnpriced: true })
      return price === undefined ? 0 : cost({ ...noUsage, ...usage }, price)
    }
    const all = [...rows, ...same]
    const proposed = all.reduce((sum, row) => {
      const { cache_tokens } = JSON.parse(String(row.other)) as { cache_tokens: number }
      const usage = {
        input: Number(row.prompt_tokens) - cache_tokens,
        cacheRead: cache_tokens,
        output: Number(row.completion_tokens),
      }
      return sum + expected(String(row.model_name), String(row.group), usage)
    }, 0)
    const traffic = await trafficOf(changes)
    expect(traffic).toMatchObject({
      calls: 1200,
      receipts: 1200,
      charged: quotaOf(all),
      current: quotaOf(all),
      proposed,
    })
    expect(traffic.models.reduce((sum, model) => sum + model.proposed, 0)).toBe(proposed)
    const moved = traffic.models.map((model) => Math.abs(model.proposed - model.current))
    expect(moved).toEqual(moved.toSorted((a, b) => b - a))
  })

  it('keeps apart what was charged under older prices and what the present ones make of it', async () => {
    const cheaper = testOptions({ ModelRatio: { plain: 0.25, half: 0.5 } })
    await database.insertMany('logs', [chargedRow({ model: 'plain', usage: { input: 4000 }, at: now - 9 }, cheaper)])
    const traffic = await trafficOf([printed('ModelRatio', { plain: 2.5, half: 0.5 })])
    expect(traffic).toMatchObject({ charged: 1000, current: 5000, proposed: 10_000 })
    expect(traffic.models).toEqual([{ model: 'plain', calls: 1, charged: 1000, current: 5000, proposed: 10_000 }])
  })

  it('says which tools and tiers cost something else, and computes their calls anew', async () => {
    const usage = { input: 1000, tools: { web_search: 2, image_generation: 1 }, tier: 'flex' }
    await database.insertMany('logs', [chargedRow({ model: 'plain', usage, at: now }, options)])
    const result = await preview([
      printed('ToolPrices', { web_search: 5, image_generation: 40 }),
      printed('ServiceTierRatios', { flex: 0.4, 'priority:pl*': 1.75 }),
    ])
    expect(result).toMatchObject({
      models: [],
      tools: [
        { key: 'image_generation', after: 40 },
        { key: 'web_search', before: 10, after: 5 },
        { key: 'web_search:half', before: 25 },
      ],
      tiers: [{ key: 'flex', before: 0.5, after: 0.4 }],
    })
    // 1000 × 1.25 × 0.5 + 2 × 10 ÷ 1000 × 500 000, then 1000 × 1.25 × 0.4 + (2 × 5 + 40) ÷ 1000 × 500 000
    expect(result.traffic).toMatchObject({ charged: 10_625, current: 10_625, proposed: 25_500 })
  })

  it('looks at seven days of charges and at nothing else', async () => {
    const usage = { input: 1000 }
    const inside = [now - 7 * day + 1, now].map((at) => chargedRow({ model: 'plain', usage, at }, options))
    const outside = [now - 7 * day, now + 1].map((at) => chargedRow({ model: 'plain', usage, at }, options))
    const failed = { ...chargedRow({ model: 'plain', usage, at: now }, options), type: 5 }
    const test = { ...testLog('a test'), created_at: now, token_name: '模型测试', quota: 99 }
    await database.insertMany('logs', [...inside, ...outside, failed, test])
    expect(await trafficOf(unchanged)).toMatchObject({ calls: 2, charged: 2500 })
  })

  it('counts calls without a receipt as they were charged, and says how many', async () => {
    const odd = [
      { ...testLog('no receipt'), created_at: now, model_name: 'plain', quota: 40, other: '' },
      { ...testLog('no json'), created_at: now, model_name: 'plain', quota: 2, other: '{"receipt":' },
    ]
    await database.insertMany('logs', odd)
    expect(await trafficOf([printed('ModelRatio', { plain: 100 })])).toMatchObject({
      calls: 2,
      receipts: 0,
      without_receipt: 2,
      charged: 42,
      proposed: 42,
    })
  })

  it('counts calls of a model that has no price as they were charged', async () => {
    const usage = { input: 1000 }
    const unset = chargedRow({ model: 'unset', usage, at: now }, options)
    await database.insertMany('logs', [unset, chargedRow({ model: 'plain', usage, at: now }, options)])
    const losing = await trafficOf([printed('ModelRatio', { unset: 1 })])
    expect(losing).toMatchObject({ charged: 38_750, current: 38_750, proposed: 1250 + 1000 })
    const inSelfUse = openWith({ options: () => testOptions({ SelfUseModeEnabled: true }) })
    expect((await trafficOf([printed('ModelRatio', {})], inSelfUse)).proposed).toBe(37_500 + 37_500)
  })

  it('says when nothing is logged', async () => {
    expect(await trafficOf(unchanged)).toMatchObject({ basis: 'none', calls: 0, charged: 0, proposed: 0, models: [] })
  })

  it('goes by an even sample when there are too many calls, and still leaves unchanged prices unchanged', async () => {
    const rows = manyCalls(900)
    await database.insertMany('logs', rows)
    const sampled = openWith({ limits: { exactCalls: 500, pageSize: 10, samplePages: 20 } })
    const still = await trafficOf(unchanged, sampled)
    const charged = quotaOf(rows)
    expect(still).toMatchObject({ basis: 'sample', calls: 900, charged, current: charged, proposed: charged })
    expect(still.receipts).toBeGreaterThan(100)
    expect(still.receipts).toBeLessThanOrEqual(200)

    const changes = [printed('CacheRatio', {}), printed('ModelRatio', { plain: 2.5, half: 0.5 })]
    const [exact, estimate] = [await trafficOf(changes), await trafficOf(changes, sampled)]
    expect(estimate.proposed).not.toBe(charged)
    expect(Math.abs(estimate.proposed - exact.proposed) / exact.proposed).toBeLessThan(0.02)
  })

  it('estimates a model that the sample missed from its sums', async () => {
    const rare = chargedRow({ model: 'half', usage: { input: 1000, output: 500 }, at: now - 1 }, options)
    const common = manyCalls(300).map((row) => ({ ...row, model_name: 'plain', created_at: now - 2 }))
    await database.insertMany('logs', [...common, rare])
    const sampled = openWith({ limits: { exactCalls: 10, pageSize: 2, samplePages: 4 } })
    const traffic = await trafficOf([printed('ModelRatio', { plain: 1.25, half: 1 })], sampled)
    expect(traffic.models).toEqual([
      { model: 'half', calls: 1, charged: rare.quota, current: rare.quota, proposed: rare.quota * 2 },
    ])
  })

  it('answers several at once, each with its own figures', async () => {
    await database.insertMany('logs', [chargedRow({ model: 'plain', usage: { input: 1000 }, at: now }, options)])
    const ratios = [1, 2, 3]
    const answers = await Promise.all(ratios.map((plain) => trafficOf([printed('ModelRatio', { plain })])))
    expect(answers.map(({ proposed }) => proposed)).toEqual([1000, 2000, 3000])
  })

  it('names every model whose price changes, served ones first, and every group', async () => {
    const result: PricePreview = await preview([
      printed('ModelRatio', { plain: 2.5, unset: 1, added: 3 }),
      printed('ModelPrice', { 'draw-1': 0.05 }),
      printed('GroupRatio', { default: 1, vip: 0.25, fresh: 2 }),
      printed('QuotaPerUnit', 1000),
    ])
    expect(result.models).toEqual([
      {
        model: 'draw-1',
        enabled: true,
        before: { price: 0.04, ratio: 37.5, completion_ratio: 1, cache_ratio: 1 },
        after: { price: 0.05, ratio: 37.5, completion_ratio: 1, cache_ratio: 1 },
      },
      { model: 'half', enabled: true, before: { ratio: 0.5, completion_ratio: 1, cache_ratio: 1 } },
      {
        model: 'plain',
        enabled: true,
        before: { ratio: 1.25, completion_ratio: 4, cache_ratio: 0.5 },
        after: { ratio: 2.5, completion_ratio: 4, cache_ratio: 0.5 },
      },
      { model: 'unset', enabled: true, after: { ratio: 1, completion_ratio: 1, cache_ratio: 1 } },
      { model: 'added', enabled: false, after: { ratio: 3, completion_ratio: 1, cache_ratio: 1 } },
    ])
    expect(result.groups).toEqual([
      { group: 'fresh', after: 2 },
      { group: 'hidden', before: 3 },
      { group: 'vip', before: 0.5, after: 0.25 },
    ])
    expect(result.quota_per_unit).toEqual({ before: 500_000, after: 1000 })
  })

  it('names models whose sound changes its price', async () => {
    const { models } = await preview([
      printed('AudioRatio', { plain: 8, 'gpt-4o-audio-preview': 16 }),
      printed('AudioCompletionRatio', { plain: 2, 'gpt-4o-audio-preview': 2 }),
    ])
    const figures = { ratio: 1.25, completion_ratio: 4, cache_ratio: 0.5 }
    expect(models).toEqual([
      {
        model: 'plain',
        enabled: true,
        before: figures,
        after: { ...figures, audio_ratio: 8, audio_completion_ratio: 2 },
      },
    ])
  })

  it('refuses what could not be saved either', async () => {
    const changes = [{ key: 'ModelRatio' as const, value: '{"plain": -1}' }]
    await expect(preview(changes)).rejects.toMatchObject({ code: 'option_invalid' })
    await expect(preview([{ key: 'ModelPrice', value: '{' }])).rejects.toMatchObject({ code: 'option_invalid' })
  })

  it('prices the same calls at other lists than those in force', async () => {
    const listAt = (input: string) =>
      createListBook([
        storedSource(
          [{ provider: '', model: 'listed', source: '', prices: [{ rates: { input, output: '4' } }] }],
          'test',
        ),
      ])
    const listed = testOptions({ PriceListsEnabled: true, list: listAt('2') })
    const rows = [chargedRow({ model: 'listed', usage: { input: 1000, output: 500 }, at: now - 10 }, listed)]
    await database.insertMany('logs', rows)
    const result = await openWith({ options: () => listed, served: () => ['listed'] })([], listAt('4'))
    expect(result.traffic).toMatchObject({ calls: 1, charged: 2000, current: 2000, proposed: 3000 })
    expect(result.models).toMatchObject([{ model: 'listed', before: { ratio: 1 }, after: { ratio: 2 } }])
  })
})
