import { type Endpoint, listOptions, putOption, resetModelRatio } from '@tollgate/contract'
import { expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { openTestOptions } from '../../../test/support/features/options.ts'
import { openShippedBook } from '../../billing/book/shipped-book.ts'
import { createPriceBook } from '../../billing/prices.ts'
import { modelRatios2025 } from '../../billing/tables/ratios-2025.ts'
import type { Call, EndpointAnswer, EndpointHandler, On } from '../../http/route.ts'
import { priceSettings, ratiosAfterReset } from '../pricing/price-options.ts'
import { optionRoutes } from './routes.ts'

type Ask = <E extends Endpoint>(endpoint: E, call: Partial<Call<E>>) => Promise<EndpointAnswer<E>>

const caller = (role: number) => ({
  id: 1,
  username: 'root',
  role,
  status: 1,
  group: 'default',
  permissions: undefined,
  viaAccessToken: false,
  sessionIdHash: '',
})

/** Handlers by endpoint, called as the door would call them once access and schemas are checked. */
const createRoutes = (): { on: On; ask: Ask } => {
  const handlers = new Map<Endpoint, EndpointHandler<Endpoint>>()
  return {
    on: (endpoint, handler) => handlers.set(endpoint, handler as unknown as EndpointHandler<Endpoint>),
    ask: async (endpoint, call) => {
      const handler = handlers.get(endpoint)
      if (handler === undefined) throw new Error(`${endpoint.path} is not served`)
      // One map for all endpoints cannot keep each one's own types.
      return handler({ ip: '127.0.0.1', language: 'zh', ...call } as unknown as Call<Endpoint>) as never
    },
  }
}

const resetOf = async (options: Awaited<ReturnType<typeof openTestOptions>>) => {
  const list = await openShippedBook()
  return () => ratiosAfterReset({ ...options.snapshot(), list })
}

describeEachEngine('option routes', (open) => {
  it('list options as text with the secrets that are stored', async () => {
    const options = await openTestOptions(await open())
    const { on, ask } = createRoutes()
    optionRoutes(on, options, () => ({}))
    await ask(putOption, { body: { key: 'EpayKey', value: 'pay' }, caller: caller(100) })
    const listed = await ask(listOptions, { caller: caller(100) })
    expect(listed.beside).toEqual({ stored_secrets: ['EpayKey'] })
    expect(listed.data).toContainEqual({ key: 'RetryTimes', value: '0' })
    expect(listed.data).toContainEqual({ key: 'LogConsumeEnabled', value: 'true' })
    expect(listOptions.data?.safeParse(listed.data).success).toBe(true)
  })

  it('take booleans and numbers as they are', async () => {
    const options = await openTestOptions(await open())
    const { on, ask } = createRoutes()
    optionRoutes(on, options, () => ({}))
    await ask(putOption, { body: { key: 'LogConsumeEnabled', value: false }, caller: caller(100) })
    await ask(putOption, { body: { key: 'Price', value: 6.5 }, caller: caller(100) })
    expect([options.get('LogConsumeEnabled'), options.get('Price')]).toEqual([false, 6.5])
  })

  it('refuse writes of an admin', async () => {
    const { on, ask } = createRoutes()
    optionRoutes(on, await openTestOptions(await open()), () => ({}))
    const refused = ask(putOption, { body: { key: 'Notice', value: 'x' }, caller: caller(10) })
    await expect(refused).rejects.toMatchObject({ code: 'permission_denied' })
  })

  it('put the built-in model ratios back where price lists are off, so that every model keeps a price', async () => {
    const options = await openTestOptions(await open())
    const { on, ask } = createRoutes()
    optionRoutes(on, options, await resetOf(options))
    await ask(putOption, { body: { key: 'PriceListsEnabled', value: false }, caller: caller(100) })
    await ask(putOption, { body: { key: 'ModelRatio', value: '{"gpt-4o":9}' }, caller: caller(100) })
    await ask(resetModelRatio, { caller: caller(100) })
    expect(options.get('ModelRatio')).toEqual(modelRatios2025)
    const book = createPriceBook(priceSettings({ ...options.snapshot(), list: await openShippedBook() }))
    for (const model of Object.keys(modelRatios2025))
      expect([model, book.of(model, 'default', { acceptsUnpriced: false })]).not.toEqual([model, undefined])
  })

  it('leave every model callable that was where price lists are off, however it is priced', async () => {
    const options = await openTestOptions(await open())
    const { on, ask } = createRoutes()
    optionRoutes(on, options, await resetOf(options))
    const values: Readonly<Record<string, unknown>> = {
      ModelRatio: { ...modelRatios2025, own: 9, 'own-audio': 2, 'own-image': 3, 'own-cached': 4, 'gpt-4o': 7 },
      ModelPrice: { 'own-fixed': 0.5 },
      CompletionRatio: { own: 3 },
      CacheRatio: { 'own-cached': 0.25 },
      AudioRatio: { 'own-audio': 8 },
      AudioCompletionRatio: { 'own-audio': 2 },
      ImageRatio: { 'own-image': 2 },
    }
    for (const [key, value] of Object.entries({ PriceListsEnabled: false, ...values })) {
      const text = typeof value === 'boolean' ? value : JSON.stringify(value)
      await ask(putOption, { body: { key, value: text }, caller: caller(100) })
    }
    const list = await openShippedBook()
    const callable = () => {
      const book = createPriceBook(priceSettings({ ...options.snapshot(), list }))
      const models = [...Object.keys(modelRatios2025), 'own', 'own-fixed', 'own-audio', 'own-image', 'own-cached']
      return models.filter((model) => book.of(model, 'default', { acceptsUnpriced: false }) !== undefined)
    }
    const before = callable()
    expect(before.length).toBeGreaterThan(100)
    await ask(resetModelRatio, { caller: caller(100) })
    expect(callable()).toEqual(before)
    const ratios = options.get('ModelRatio')
    expect([ratios.own, ratios['own-cached'], ratios['own-fixed']]).toEqual([9, 4, undefined])
    expect(ratios['gpt-4o']).toBe(modelRatios2025['gpt-4o'])
    expect(options.get('CompletionRatio')).toEqual({ own: 3 })
  })

  it('put the model ratios back and say so', async () => {
    const options = await openTestOptions(await open())
    const { on, ask } = createRoutes()
    optionRoutes(on, options, await resetOf(options))
    await ask(putOption, { body: { key: 'ModelRatio', value: '{"gpt-4o":9}' }, caller: caller(100) })
    const answer = await ask(resetModelRatio, { caller: caller(100) })
    expect(answer.message).toBe('重置模型倍率成功')
    expect(options.get('ModelRatio')).toEqual({})
  })
})

it('asks for a status of 400 when the body is unusable', () => {
  expect(putOption.unusableBodyStatus).toBe(400)
  expect(putOption.body?.safeParse({ key: 'Notice', value: null }).success).toBe(false)
})
