import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { deflateRawSync } from 'node:zlib'
import type { DataOf, getPriceVersion, listPriceVersions, syncPrices } from '@tollgate/contract'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { describeWithDatabase } from '../../../test/support/db/databases.ts'
import { listsWith, openTestPriceLists } from '../../../test/support/features/price-lists.ts'
import { type SignedIn, signedIn } from '../../../test/support/features/signed-in.ts'
import { createEgressGuard } from '../../lib/security/egress.ts'
import { openComparison } from './comparison.ts'
import type { PriceLists } from './price-lists.ts'
import { priceListRoutes } from './routes.ts'

const shipped = listsWith('0.1.8', {
  'gpt-x': { input_mtok: 2, output_mtok: 8 },
  'qwen-max': { input_mtok: 1.6, output_mtok: 6.4 },
})
const served = ['gpt-x-2026', 'qwen-max-2', 'own-model']
const packed = (json: unknown): string => deflateRawSync(JSON.stringify(json)).toString('base64')

describeWithDatabase('the calls of the price lists', (open) => {
  const closers: (() => void)[] = []
  let lists: PriceLists
  let call: SignedIn

  beforeEach(async () => {
    lists = await openTestPriceLists(await open(), shipped)
    const comparison = openComparison({
      lists,
      names: () => served,
      egress: createEgressGuard({ allow: [], operator: true }),
      read: async (url) => {
        const response = await fetch(url)
        return { status: response.status, text: await response.text() }
      },
    })
    call = signedIn(
      (on) =>
        priceListRoutes(on, {
          lists,
          comparison,
          clock: Date.now,
          names: () => served,
          isOverridden: () => false,
          isPriced: (model) => lists.book().find(model, Date.now()) !== undefined && model !== 'qwen-max-2',
          preview: () => Promise.reject(new Error('not asked for')),
        }),
      { role: 100 },
    )
  })
  afterEach(() => {
    lists.close()
    for (const close of closers.splice(0)) close()
  })

  /** A place of the web that answers so. */
  const site = async (json: unknown, status = 200): Promise<string> => {
    const server = createServer((_, response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closers.push(() => server.close())
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/prices.json?key=secret`
  }
  const litellm = (input: number) => ({
    'gpt-x': { litellm_provider: 'openai', input_cost_per_token: input, output_cost_per_token: 8e-6 },
  })

  it('propose what a source says, hold a tenfold price back, and show who is concerned', async () => {
    const address = await site(litellm(2e-5))
    const synced = await call('POST', '/api/price_lists/sync', { source: 'litellm', address })
    expect(synced.json.data).toMatchObject({ read: 1, changes: 1, held: 1, left_out: 0 })
    const { id } = synced.json.data as DataOf<typeof syncPrices>
    const shown = (await call('GET', `/api/price_lists/${id}`)).json.data as DataOf<typeof getPriceVersion>
    expect(shown.version).toMatchObject({
      name: `sync ${id}`,
      status: 'proposed',
      held: 1,
      actor_name: expect.any(String),
    })
    expect(shown.version.source).not.toContain('secret')
    expect(shown.changes).toMatchObject([
      {
        model: 'gpt-x',
        before: { version: 'genai-prices 0.1.8', prices: [{ rates: { input: '2', output: '8' } }] },
        after: { prices: [{ rates: { input: '20', output: '8' } }] },
        doubts: [{ kind: 'input', reason: 'jump', factor: 10 }],
        served: ['gpt-x-2026'],
      },
    ])
    const refused = await call('POST', `/api/price_lists/${id}/apply`, {})
    expect(refused.json).toMatchObject({ success: false, code: 'price_decisions_missing' })
    const decisions = { [String(shown.changes[0]?.id)]: 'apply' }
    expect((await call('POST', `/api/price_lists/${id}/apply`, { decisions })).json.success).toBe(true)
    expect(lists.book().find('gpt-x-2026', Date.now())?.version).toBe(`sync ${id}`)
    expect((await call('POST', `/api/price_lists/${id}/undo`, {})).json.success).toBe(true)
    expect(lists.book().find('gpt-x-2026', Date.now())?.version).toBe('genai-prices 0.1.8')
    const answer = await call('GET', '/api/price_lists')
    const { versions, lists: current } = answer.json.data as DataOf<typeof listPriceVersions>
    expect(current.name).toBe('genai-prices 0.1.8, tables 1')
    expect(versions.map(({ kind, status }) => `${kind} ${status}`)).toEqual([
      'undo applied',
      'sync undone',
      'shipped applied',
    ])
  })

  it('read a file of any shape, and refuse one of none', async () => {
    const file = { name: 'litellm.json', packed: packed(litellm(1e-6)) }
    expect((await call('POST', '/api/price_lists/upload', file)).json.data).toMatchObject({ changes: 1, held: 0 })
    for (const text of [packed({ a: 1 }), 'bm90IGRlZmxhdGVk'])
      expect((await call('POST', '/api/price_lists/upload', { name: 'x', packed: text })).json.code).toBe(
        'price_source_unknown',
      )
  })

  it('say what is wrong with a source, and ask no metadata service of a cloud', async () => {
    const sync = async (address: string) =>
      (await call('POST', '/api/price_lists/sync', { source: 'litellm', address })).json
    expect(await sync('http://169.254.169.254/latest')).toMatchObject({ code: 'address_blocked' })
    expect(await sync(await site({}, 500))).toMatchObject({ code: 'price_source_failed' })
    expect(await sync(await site([1]))).toMatchObject({ code: 'price_source_unknown' })
  })

  it('look at other names on request, such as those of a channel that is not saved yet', async () => {
    const { data } = (await call('GET', '/api/price_lists/unpriced?models=gpt-x,my-own')).json
    expect((data as { model: string }[]).map(({ model }) => model)).toContain('my-own')
    expect((data as { model: string }[]).map(({ model }) => model)).not.toContain('qwen-max-2')
  })

  it('suggest the nearest name of the lists for models without a price', async () => {
    const { data } = (await call('GET', '/api/price_lists/unpriced')).json
    expect(data).toEqual([
      {
        model: 'qwen-max-2',
        suggestions: [
          {
            model: 'qwen-max',
            provider: 'openai',
            version: 'genai-prices 0.1.8',
            price: { rates: { input: '1.6', output: '6.4' } },
            ratio: 0.8,
            completion_ratio: 4,
          },
        ],
      },
      { model: 'own-model', suggestions: [] },
    ])
  })

  it('export every price as a file that can be uploaded', async () => {
    const { text } = await call('GET', '/api/price_lists/export')
    const file = { name: 'prices.json', packed: packed(JSON.parse(text)) }
    expect((await call('POST', '/api/price_lists/upload', file)).json.data).toMatchObject({
      id: 0,
      read: 2,
      changes: 0,
    })
  })
})
