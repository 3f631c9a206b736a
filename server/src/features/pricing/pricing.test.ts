import { expect, it } from 'vitest'
import { testOptions } from '../../../test/support/features/pricing.ts'
import { signedIn } from '../../../test/support/features/signed-in.ts'
import { callApi, testApi } from '../../../test/support/http/console.ts'
import { openShippedBook } from '../../billing/book/shipped-book.ts'
import { cost } from '../../billing/cost.ts'
import { createPriceBook } from '../../billing/prices.ts'
import { noUsage } from '../../billing/usage.ts'
import { type PriceOptions, priceSettings } from './price-options.ts'
import { type PricingParts, pricingRoutes } from './routes.ts'

const offered: Readonly<Record<string, readonly string[]>> = {
  default: ['plain', 'unset', 'draw-1', 'gpt-4o-audio-preview'],
  vip: ['plain', 'claude-3-opus-20240229'],
  hidden: ['secret-model'],
}
const allModels = ['claude-3-opus-20240229', 'draw-1', 'gpt-4o-audio-preview', 'plain', 'secret-model', 'unset']

const groups = {
  '': { default: { desc: '默认分组', ratio: 1 } },
  default: { default: { desc: '默认分组', ratio: 1 } },
  vip: { default: { desc: '默认分组', ratio: 1 }, vip: { desc: 'vip分组', ratio: 0.5 } },
} as const

const values = testOptions({
  ModelRatio: { plain: 1.25, 'gpt-4o-audio-preview': 1.25, 'claude-3-opus-20240229': 7.5 },
})

const parts = (more: Partial<PricingParts> = {}): PricingParts => {
  const served = { models: allModels, modelsOf: (group: string) => offered[group] ?? [] }
  return {
    options: () => values,
    served: () => served,
    usableGroups: (group) => groups[group as keyof typeof groups] ?? {},
    ownerOf: (model) => (model.startsWith('gpt-') ? 'openai' : 'custom'),
    history: { momentsOf: () => [], hourlyOf: () => undefined, trail: async () => [] },
    preview: async () => {
      throw new Error('not asked for')
    },
    ...more,
  }
}

const visitor = (pricing = parts()) => {
  const api = testApi({ callers: { bySession: async () => undefined, byAccessToken: async () => undefined } })
  pricingRoutes(api.on, pricing)
  return (path: string) => callApi(api, 'GET', path)
}

const as = (who: { role?: number; group?: string }, pricing = parts()) =>
  signedIn((on) => pricingRoutes(on, pricing), who)

it('shows visitors one entry per enabled model, in the shape that clients know', async () => {
  const { json } = await visitor()('/api/pricing')
  expect(json).toMatchObject({
    success: true,
    group_ratio: { default: 1 },
    usable_group: { default: '默认分组' },
  })
  const items = json.data as { model_name: string }[]
  expect(items.map(({ model_name }) => model_name)).toEqual(allModels)
  const named = (name: string) => items.find(({ model_name }) => model_name === name)
  expect(named('plain')).toEqual({
    model_name: 'plain',
    quota_type: 0,
    model_ratio: 1.25,
    model_price: 0,
    owner_by: '',
    owner: 'custom',
    completion_ratio: 4,
    cache_ratio: 0.5,
    cache_creation_ratio: 1.25,
    cache_creation_1h_ratio: 2,
    tiers: { flex: 0.5, priority: 1.75 },
    enable_groups: ['default'],
    priced: true,
  })
  expect(named('draw-1')).toMatchObject({ quota_type: 1, model_price: 0.04, model_ratio: 0, completion_ratio: 0 })
  expect(named('unset')).toMatchObject({ quota_type: 0, model_ratio: 37.5, priced: false })
  expect(named('gpt-4o-audio-preview')).toMatchObject({ owner: 'openai', audio_ratio: 16, audio_completion_ratio: 2 })
})

it('shows what sound costs: of models that only hear, no price of speech', async () => {
  const options = testOptions({ AudioRatio: { plain: 3 }, AudioCompletionRatio: { unset: 2 } })
  const { json } = await visitor(parts({ options: () => options }))('/api/pricing')
  const items = json.data as { model_name: string }[]
  const named = (name: string) => items.find(({ model_name }) => model_name === name)
  expect(named('plain')).toMatchObject({ audio_ratio: 3 })
  expect(named('plain')).not.toHaveProperty('audio_completion_ratio')
  expect(named('unset')).toMatchObject({ audio_ratio: 1, audio_completion_ratio: 2 })
  // By its name it speaks; nothing is known of its sound.
  expect(named('gpt-4o-audio-preview')).toMatchObject({ audio_ratio: 1, audio_completion_ratio: 4 })
  expect(named('claude-3-opus-20240229')).not.toHaveProperty('audio_ratio')
})

it('names only groups that the caller may use', async () => {
  const ofVisitor = await visitor()('/api/pricing')
  expect(ofVisitor.text).not.toMatch(/vip|hidden/)
  const { json } = await as({ group: 'vip' })('GET', '/api/pricing')
  expect(json).toMatchObject({
    group_ratio: { default: 1, vip: 0.5 },
    usable_group: { default: '默认分组', vip: 'vip分组' },
  })
  const items = json.data as { model_name: string; enable_groups: string[] }[]
  expect(Object.fromEntries(items.map((item) => [item.model_name, item.enable_groups]))).toMatchObject({
    plain: ['default', 'vip'],
    'claude-3-opus-20240229': ['vip'],
    'secret-model': [],
  })
})

it('follows options and channels at once, and makes the list only when one of them has changed', async () => {
  let options: PriceOptions = values
  let built = 0
  const pricing = parts({
    options: () => options,
    ownerOf: () => {
      built += 1
      return 'custom'
    },
  })
  const ask = visitor(pricing)
  await ask('/api/pricing')
  await ask('/api/pricing')
  expect(built).toBe(allModels.length)
  options = { ...values, ModelRatio: { plain: 9 } }
  const { json } = await ask('/api/pricing')
  expect(json.data).toContainEqual(expect.objectContaining({ model_name: 'plain', model_ratio: 9 }))
})

it('estimates by the arithmetic that charges, for the groups that serve the model', async () => {
  const query = 'model=plain&prompt=1001&cached=300&completion=77&calls=12345'
  const { json } = await as({ group: 'vip' })('GET', `/api/pricing/estimate?${query}`)
  const book = createPriceBook(priceSettings(values))
  const quotaIn = (group: string): number => {
    const price = book.of('plain', group, { acceptsUnpriced: false })
    return price === undefined ? -1 : cost({ ...noUsage, input: 701, cacheRead: 300, output: 77 }, price)
  }
  expect(json.data).toEqual([
    { group: 'default', group_ratio: 1, quota: quotaIn('default'), quota_per_day: quotaIn('default') * 12_345 },
    { group: 'vip', group_ratio: 0.5, quota: quotaIn('vip'), quota_per_day: quotaIn('vip') * 12_345 },
  ])
  const perCall = await visitor()('/api/pricing/estimate?model=draw-1&prompt=1&calls=3')
  expect(perCall.json.data).toEqual([{ group: 'default', group_ratio: 1, quota: 20_000, quota_per_day: 60_000 }])
  expect((await visitor()('/api/pricing/estimate?model=secret-model&prompt=1')).json.data).toEqual([])
})

it('estimates the price of a call whatever its tokens, also without any', async () => {
  const { json } = await visitor()('/api/pricing/estimate?model=draw-1&calls=3')
  expect(json.data).toEqual([{ group: 'default', group_ratio: 1, quota: 20_000, quota_per_day: 60_000 }])
})

it('says what models cost that are not sold by tokens', async () => {
  const models = ['tts-1', 'whisper-1', 'plain']
  const list = await openShippedBook()
  const pricing = parts({
    options: () => ({ ...values, PriceListsEnabled: true, list }),
    served: () => ({ models, modelsOf: () => models }),
  })
  const { json } = await visitor(pricing)('/api/pricing')
  const items = json.data as { model_name: string; measures?: object }[]
  expect(items.map(({ model_name, measures }) => [model_name, measures])).toEqual([
    ['tts-1', { million_characters: 15 }],
    ['whisper-1', { minute: 0.006 }],
    ['plain', undefined],
  ])
})

it('estimates pictures by their number, size and quality, as they are charged', async () => {
  const models = ['draw-1', 'dall-e-3', 'gpt-image-1']
  const list = await openShippedBook()
  const pricing = parts({
    options: () => ({ ...values, PriceListsEnabled: true, list }),
    served: () => ({ models, modelsOf: () => models }),
  })
  const quotaOf = async (query: string): Promise<number> => {
    const { json } = await visitor(pricing)(`/api/pricing/estimate?${query}`)
    return (json.data as { quota: number }[])[0]?.quota ?? -1
  }
  // At a fixed price each picture costs it; by the list, larger and finer pictures cost more.
  expect(await quotaOf('model=draw-1&pictures=3')).toBe(60_000)
  expect(await quotaOf('model=dall-e-3&pictures=1')).toBe(20_000)
  expect(await quotaOf('model=dall-e-3&pictures=2&size=1024x1792&quality=hd')).toBe(120_000)
  // A model that is sold by tokens: 1056 of a square of medium quality, 4160 of a fine one.
  const [medium, fine] = [
    await quotaOf('model=gpt-image-1&pictures=1'),
    await quotaOf('model=gpt-image-1&pictures=1&quality=high'),
  ]
  expect(medium).toBeGreaterThan(0)
  expect(fine / medium).toBeCloseTo(4160 / 1056, 2)
})

it.each(['model=plain&prompt=1&cached=2', 'model=plain&prompt=-1', 'model=plain&prompt=1.5', 'prompt=1', 'model='])(
  'refuses to estimate %s',
  async (query) => {
    expect((await visitor()(`/api/pricing/estimate?${query}`)).json).toMatchObject({ code: 'invalid_parameter' })
  },
)

it('refuses an estimate beyond the whole numbers', async () => {
  const huge = 'model=claude-3-opus-20240229&completion=1000000000&calls=1000000000'
  const { json } = await as({ group: 'vip' })('GET', `/api/pricing/estimate?${huge}`)
  expect(json).toMatchObject({ success: false, code: 'invalid_parameter' })
})

it('lets only root look ahead, and administrators read the listed completion ratios', async () => {
  const asked: unknown[] = []
  const traffic = { basis: 'none', from: 1, to: 2, receipts: 0, without_receipt: 0, calls: 0, charged: 0 } as const
  const answer = {
    models: [],
    groups: [],
    tools: [],
    tiers: [],
    quota_per_unit: { before: 1, after: 1 },
    traffic: { ...traffic, current: 0, proposed: 0, models: [] },
  }
  const pricing = parts({
    preview: async (changes) => {
      asked.push(changes)
      return answer
    },
  })
  const body = { changes: [{ key: 'ModelRatio', value: '{}' }] }
  for (const role of [1, 10]) {
    const { json } = await as({ role }, pricing)('POST', '/api/option/price_preview', body)
    expect(json).toMatchObject({ success: false, code: 'permission_denied' })
  }
  expect(asked).toEqual([])
  expect((await as({ role: 100 }, pricing)('POST', '/api/option/price_preview', body)).json.data).toEqual(answer)
  expect(asked).toEqual([body.changes])

  const models = ['gpt-4o', 'some/gpt-4o', 'gpt-4o-gizmo-x', 'plain']
  expect((await as({ role: 1 })('POST', '/api/option/completion_rules', { models })).json.success).toBe(false)
  expect((await as({ role: 10 })('POST', '/api/option/completion_rules', { models })).json.data).toEqual([
    { model: 'gpt-4o', value: 4 },
    { model: 'some/gpt-4o', value: 1 },
    { model: 'gpt-4o-gizmo-x', value: 1 },
    { model: 'plain', value: 1 },
  ])
})

it.each([
  [{ changes: [] }],
  [{ changes: [{ key: 'SMTPToken', value: 'x' }] }],
  [{ changes: [{ key: 'ModelRatio', value: {} }] }],
  [
    {
      changes: [
        { key: 'ModelRatio', value: '{}' },
        { key: 'ModelRatio', value: '{}' },
      ],
    },
  ],
])('answers 400 to a preview that is none: %j', async (body) => {
  expect((await as({ role: 100 })('POST', '/api/option/price_preview', body)).status).toBe(400)
})
