import { beforeAll, beforeEach, expect, it } from 'vitest'
import { createPriceBook } from '../../billing/prices.ts'
import type { Database } from '../../db/database.ts'
import { describeEachEngine } from '../../db/test-databases.ts'
import { openBus } from '../../lib/bus.ts'
import { createEgressGuard } from '../../lib/egress.ts'
import { silentLog } from '../../lib/log.ts'
import { openSecrets } from '../../lib/secrets.ts'
import { providerOf } from '../../providers/index.ts'
import { type SignedIn, signedIn } from '../test-signed-in.ts'
import { type ChannelDirectory, openChannelDirectory } from './directory.ts'
import { openChannelLists } from './list-store.ts'
import { createChannelListing } from './lists.ts'
import { probe } from './probe.ts'
import { channelRoutes } from './routes.ts'
import { createChannelService, type Trace } from './service.ts'
import { openChannelStore } from './store.ts'
import { createTestRun, type TestLog } from './test-run.ts'
import { fixtureUpstream } from './testing-upstream.ts'
import { channelTypeOf } from './types.ts'
import { createUpstreamModels } from './upstream-models.ts'

const secrets = openSecrets({ cryptoSecret: 'for tests', keyFile: '' })
const now = 1_900_000_000

const prices = createPriceBook({
  modelRatio: { 'gpt-4o': 2 },
  modelPrice: {},
  completionRatio: { 'gpt-4o': 4 },
  cacheRatio: {},
  groupRatio: { default: 1 },
  quotaPerUnit: 500_000,
  selfUse: false,
})

describeEachEngine('channels', (open) => {
  let database: Database
  let directory: ChannelDirectory
  let upstream: ReturnType<typeof fixtureUpstream>
  let traces: Trace[]
  let logs: TestLog[]
  let notices: string[]
  let call: SignedIn
  let clock: number

  beforeAll(async () => {
    database = await open()
  })

  const build = async (answer: Parameters<typeof fixtureUpstream>[0]): Promise<void> => {
    upstream = fixtureUpstream(answer)
    const store = openChannelStore(database)
    directory = await openChannelDirectory({
      rows: store,
      provider: providerOf,
      decrypt: (cipher) => secrets.decrypt('channel_key', cipher),
      autoDisable: () => ({ enabled: true, keywords: [] }),
      bus: openBus({ nodeName: 'test', log: silentLog }),
      onDisabled: (channel, reason) => notices.push(`${channel.name}: ${reason}`),
      warn: () => {},
      clock: () => now * 1000,
    })
    const channels = createChannelService({
      database,
      store,
      directory,
      secrets,
      audit: {
        record: async (trace) => {
          traces.push(trace)
        },
      },
      typeOf: channelTypeOf,
      groupExists: (group) => ['default', 'vip', 'vip2'].includes(group),
      clock: () => now * 1000,
    })
    const limits = {
      timeouts: { connect: 1000, firstByte: 1000, streamIdle: 1000 },
      maxResponseBytes: 1_000_000,
      defaultApiVersion: '2024-12-01-preview',
    }
    const test = createTestRun({
      store,
      channelById: (id) => directory.snapshot().byId(id),
      probe: (channel, model) => probe(channel, model, { upstream, limits, forceStreamOption: true }),
      prices,
      log: async (entry) => {
        logs.push(entry)
      },
      clock: () => {
        clock += 1250
        return clock
      },
    })
    const egress = createEgressGuard({ allow: [], operator: true, resolve: async () => [{ address: '93.184.216.34' }] })
    const models = createUpstreamModels({ store, secrets, provider: providerOf, upstream, egress })
    const listing = createChannelListing(openChannelLists(database), secrets)
    call = signedIn((on) => channelRoutes(on, { channels, listing, models, test }), {
      id: 9,
      username: 'root',
      role: 10,
    })
  }

  beforeEach(async () => {
    await database.query.deleteFrom('channels').execute()
    traces = []
    logs = []
    notices = []
    clock = now * 1000
    await build({ status: 200, body: {} })
  })

  type Shown = Record<string, unknown> & { id: number }
  const data = async <T = Shown>(method: string, path: string, body?: unknown): Promise<T> => {
    const { json } = await call(method, path, body)
    if (json.success !== true) throw new Error(String(json.message))
    return json.data as T
  }
  const list = (query = 'page_size=100'): Promise<Shown[]> => data('GET', `/api/channel/?${query}`)
  const create = async (body: Record<string, unknown> = {}): Promise<Shown> => {
    await data('POST', '/api/channel/', {
      type: 1,
      name: 'main',
      key: 'sk-0123456789abcdef',
      models: 'gpt-4o',
      ...body,
    })
    const [newest] = await list('id_sort=true')
    if (!newest) throw new Error('nothing was made')
    return newest
  }
  const served = (group = 'default', model = 'gpt-4o'): number[] =>
    directory
      .snapshot()
      .candidates(group, model)
      .map(({ id }) => id)

  it('makes a channel that relays at once and whose key nobody sees', async () => {
    const made = await create({ models: ' gpt-4o , o3,gpt-4o', group: 'vip, default', base_url: 'https://up.example/' })
    expect(made).toMatchObject({
      key: '',
      key_hint: '…cdef',
      status: 1,
      models: 'gpt-4o,o3',
      group: 'vip,default',
      base_url: 'https://up.example',
      auto_ban: 1,
      created_time: now,
      model_mapping: null,
    })
    expect(served('vip', 'o3')).toEqual([made.id])
    expect(directory.snapshot().byId(made.id)?.keys).toEqual(['sk-0123456789abcdef'])
    const row = await database.query.selectFrom('channels').selectAll().executeTakeFirst()
    expect(JSON.stringify([row, traces])).not.toContain('sk-0123456789abcdef')
  })

  it('makes one channel per line of the key', async () => {
    await create({ key: 'sk-a\n\n sk-b \r\nsk-c' })
    expect(await list()).toHaveLength(3)
    expect(served()).toHaveLength(3)
    expect(traces.map(({ action }) => action)).toEqual(Array(3).fill('channel.create'))
  })

  it.each([
    ['no name', { name: ' ' }, '请填写渠道名称和渠道密钥！'],
    ['no key', { key: ' \n' }, '请填写渠道名称和渠道密钥！'],
    ['no model', { models: ' , ' }, '请至少选择一个模型！'],
    ['a mapping that is no object', { model_mapping: '["a"]' }, '模型映射必须是合法的 JSON 格式！'],
    ['a mapping to a number', { model_mapping: '{"a":1}' }, '模型映射必须是合法的 JSON 格式！'],
    ['a status that is none', { status_code_mapping: '{"400":"600"}' }, '状态码复写必须是合法的 JSON 格式'],
    ['settings that are no JSON', { setting: '{force}' }, '渠道额外设置必须是合法的 JSON 格式！'],
    ['a proxy of another kind', { setting: '{"proxy":"ftp://x"}' }, '代理地址必须是'],
    ['an override that is a list', { param_override: '[]' }, '参数覆盖必须是合法的 JSON 格式！'],
    ['an address without http', { base_url: 'up.example' }, 'API地址必须以'],
    ['an unknown group', { group: 'default,staff' }, '分组 staff 不存在'],
    ['a type that cannot relay', { type: 2 }, '渠道类型 Midjourney Proxy 暂不支持'],
    ['a type that does not exist', { type: 999 }, '渠道类型 999 暂不支持'],
    ['Azure without its address', { type: 3, base_url: '' }, '请填写'],
  ])('refuses %s', async (_, body, message) => {
    await expect(create(body)).rejects.toThrow(message)
    expect(await list()).toEqual([])
  })

  it('changes only what is given and clears what is sent empty', async () => {
    const { id } = await create({ tag: 'eu', test_model: 'gpt-4o', model_mapping: '{"a":"b"}', weight: 3 })
    const changed = await data('PUT', '/api/channel/', { id, priority: 7, weight: -4, model_mapping: '', tag: null })
    expect(changed).toMatchObject({
      priority: 7,
      weight: 0,
      model_mapping: null,
      tag: null,
      test_model: 'gpt-4o',
      key: '',
    })
    expect(directory.snapshot().byId(id)).toMatchObject({ priority: 7, weight: 0 })
    expect(traces.at(-1)).toMatchObject({ action: 'channel.update', objectId: id, actor: { id: 9, username: 'root' } })
  })

  it('keeps the key when none is sent and replaces it at once when one is', async () => {
    const { id } = await create()
    await data('PUT', '/api/channel/', { id, key: '', name: 'renamed' })
    expect(directory.snapshot().byId(id)?.keys).toEqual(['sk-0123456789abcdef'])
    expect(await data('PUT', '/api/channel/', { id, key: 'sk-fedcba9876543210' })).toMatchObject({ key_hint: '…3210' })
    expect(directory.snapshot().byId(id)?.keys).toEqual(['sk-fedcba9876543210'])
  })

  it('disables and enables a channel for the relay at once', async () => {
    const { id } = await create()
    await data('PUT', '/api/channel/', { id, status: 2 })
    expect(served()).toEqual([])
    await data('PUT', '/api/channel/', { id, status: 1 })
    expect(served()).toEqual([id])
    await expect(data('PUT', '/api/channel/', { id, status: 3 })).rejects.toThrow('无效的参数')
  })

  it('writes down why it switched a channel off', async () => {
    const { id } = await create()
    const channel = directory.snapshot().byId(id)
    if (!channel) throw new Error('missing')
    directory.report(channel, { status: 401, type: '', code: '', message: 'bad key', cause: '' })
    expect(served()).toEqual([])
    await directory.refresh()
    const shown = await data('GET', `/api/channel/${id}`)
    expect(shown).toMatchObject({ status: 3 })
    expect(JSON.parse(String(shown.other_info))).toEqual({ status_reason: 'bad key', status_time: now })
    expect(notices).toEqual(['main: bad key'])
  })

  it('copies a channel with its key, disabled', async () => {
    const { id } = await create({ tag: 'eu', priority: 4 })
    const copy = await data('POST', `/api/channel/copy/${id}`)
    expect(copy).toMatchObject({ name: 'main_复制', status: 2, tag: 'eu', priority: 4, used_quota: 0, balance: 0 })
    expect(directory.snapshot().byId(copy.id)?.keys).toEqual(['sk-0123456789abcdef'])
    await expect(data('POST', '/api/channel/copy/999999')).rejects.toThrow('渠道未找到')
  })

  it('deletes one, several, and all disabled channels', async () => {
    await create({ key: 'sk-a\nsk-b\nsk-c\nsk-d' })
    const [a = 0, b = 0, c = 0, d = 0] = (await list()).map(({ id }) => id)
    await data('DELETE', `/api/channel/${a}/`)
    expect(await data('POST', '/api/channel/batch', { ids: [b, 999_999] })).toBe(1)
    await data('PUT', '/api/channel/', { id: c, status: 2 })
    expect(await data('DELETE', '/api/channel/disabled')).toBe(1)
    expect(served()).toEqual([d])
    expect(await data('POST', '/api/channel/fix')).toBe(1)
  })

  it('lists by priority or id, 0 first, and never a key', async () => {
    await create({ name: 'a', priority: 1 })
    await create({ name: 'b', priority: 9 })
    await create({ name: 'c', priority: 5 })
    const names = async (query: string): Promise<unknown[]> => (await list(query)).map(({ name }) => name)
    expect(await names('page_size=2')).toEqual(['b', 'c'])
    expect(await names('p=1&page_size=2')).toEqual(['a'])
    expect(await names('id_sort=true')).toEqual(['c', 'b', 'a'])
    expect((await list()).every(({ key }) => key === '')).toBe(true)
  })

  it('finds channels by id, name, key, model and group', async () => {
    const a = await create({ name: 'Azure 1%', key: 'sk-needle0123456789', group: 'vip' })
    await create({ name: 'other', models: 'o3', group: 'vip2' })
    const names = async (query: string): Promise<unknown[]> =>
      (await data<Shown[]>('GET', `/api/channel/search?${query}`)).map(({ name }) => name)
    expect(await names(`keyword=${a.id}`)).toEqual(['Azure 1%'])
    expect(await names('keyword=azure')).toEqual(['Azure 1%'])
    expect(await names(`keyword=${encodeURIComponent('%')}`)).toEqual(['Azure 1%'])
    expect(await names('keyword=sk-needle0123456789')).toEqual(['Azure 1%'])
    expect(await names('model=O3')).toEqual(['other'])
    expect(await names('group=vip')).toEqual(['Azure 1%'])
    expect(await names('group=null')).toHaveLength(2)
  })

  it('pages over tags in tag mode', async () => {
    await create({ name: 'a1', tag: 'a' })
    await create({ name: 'b1', tag: 'b' })
    await create({ name: 'b2', tag: 'b' })
    await create({ name: 'none' })
    const names = async (path: string): Promise<unknown[]> =>
      (await data<Shown[]>('GET', path)).map(({ name }) => name).sort()
    expect(await names('/api/channel/?tag_mode=true&page_size=1&p=1')).toEqual(['b1', 'b2'])
    expect(await names('/api/channel/search?tag_mode=true&keyword=b2')).toEqual(['b1', 'b2'])
  })

  it('browses with filters, order and total', async () => {
    await create({ name: 'a', tag: 'x', weight: 5 })
    await create({ name: 'b', type: 43, weight: 9 })
    await create({ name: 'c', group: 'vip', weight: 1, status: 2 })
    const page = async (query: string): Promise<{ items: Shown[]; total: number }> =>
      data('GET', `/api/channel/browse?${query}`)
    const names = async (query: string): Promise<unknown[]> => (await page(query)).items.map(({ name }) => name)
    expect(await names('sort=-weight')).toEqual(['b', 'a', 'c'])
    expect(await page('page_size=2&p=2&sort=name')).toMatchObject({ total: 3, page: 2, items: [{ name: 'c' }] })
    expect(await names('type=43')).toEqual(['b'])
    expect(await names('tag=x,y')).toEqual(['a'])
    expect(await names('group=vip,vip2')).toEqual(['c'])
    expect(await names('status=2,3')).toEqual(['c'])
  })

  it('changes all channels of a tag', async () => {
    await create({ key: 'sk-a\nsk-b', tag: 'eu' })
    await create({ key: 'sk-c' })
    await data('POST', '/api/channel/tag/disabled', { tag: 'eu' })
    expect(served()).toHaveLength(1)
    await data('PUT', '/api/channel/tag', { tag: 'eu', new_tag: 'us', models: 'o3', priority: 3, groups: '' })
    await data('POST', '/api/channel/tag/enabled', { tag: 'us' })
    expect(served('default', 'o3')).toHaveLength(2)
    const ids = (await list()).map(({ id }) => id)
    expect(await data('POST', '/api/channel/batch/tag', { ids, tag: '' })).toBe(3)
    expect((await list()).every(({ tag }) => tag === null)).toBe(true)
    await expect(data('POST', '/api/channel/tag/enabled', { tag: '' })).rejects.toThrow('tag不能为空')
  })

  it('names the channel types in the order of the select, with the reason where one cannot relay', async () => {
    const types = await data<Shown[]>('GET', '/api/channel/types')
    expect(types.map(({ type }) => type).slice(0, 4)).toEqual([1, 2, 5, 36])
    expect(types[0]).toMatchObject({ name: 'OpenAI', relays: true, lists_models: true })
    expect(types[1]).toMatchObject({ relays: false, reason: { zh: expect.any(String) } })
  })

  it('tests a channel as a call would go, and moves no balance', async () => {
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
    await build({ status: 200, body: { choices: [], usage } })
    const { id } = await create({ model_mapping: '{"gpt-4o":"deployed"}', status: 2 })
    const { json } = await call('GET', `/api/channel/test/${id}?model=gpt-4o`)
    expect(json).toMatchObject({ success: true, message: '', time: 1.25 })
    const [asked] = upstream.asked
    expect(asked).toMatchObject({ origin: 'https://api.openai.com', path: '/v1/chat/completions' })
    expect(asked?.headers).toMatchObject({ authorization: 'Bearer sk-0123456789abcdef' })
    expect(JSON.parse(String(asked?.body))).toMatchObject({
      model: 'deployed',
      messages: [{ role: 'user', content: 'hi' }],
      max_tokens: 10,
    })
    expect(logs).toEqual([
      expect.objectContaining({
        userId: 9,
        type: 2,
        content: '模型测试',
        tokenName: '模型测试',
        channelId: id,
        quota: 60,
      }),
    ])
    expect(await data('GET', `/api/channel/${id}`)).toMatchObject({
      response_time: 1250,
      test_time: now + 3,
      used_quota: 0,
    })
  })

  it('asks embedding models for an embedding', async () => {
    const { id } = await create({ models: 'text-embedding-3-small', test_model: 'text-embedding-3-small' })
    await call('GET', `/api/channel/test/${id}`)
    expect(upstream.asked[0]?.path).toBe('/v1/embeddings')
    expect(JSON.parse(String(upstream.asked[0]?.body))).toMatchObject({ input: ['hello world'] })
  })

  it('tells what the upstream said when a test fails, and stores the time all the same', async () => {
    await build({
      status: 401,
      body: { error: { message: 'Incorrect API key provided', type: 'invalid_request_error' } },
    })
    const { id } = await create()
    const { json } = await call('GET', `/api/channel/test/${id}`)
    expect(json).toMatchObject({ success: false, message: 'status code 401: Incorrect API key provided' })
    expect(await data('GET', `/api/channel/${id}`)).toMatchObject({ response_time: 1250, status: 1 })
    expect(logs).toEqual([])
  })

  it('fetches the model list of a stored channel and of one that is not saved', async () => {
    await build({ status: 200, body: { object: 'list', data: [{ id: 'gpt-4o' }, { id: 'models/gemini' }, {}] } })
    const { id } = await create()
    expect(await data('GET', `/api/channel/fetch_models/${id}`)).toEqual(['gpt-4o', 'gemini'])
    const given = { type: 1, base_url: 'https://up.example/', key: 'sk-x\nsk-y' }
    expect(await data('POST', '/api/channel/fetch_models', given)).toHaveLength(2)
    expect(upstream.asked[1]).toMatchObject({
      origin: 'https://up.example',
      path: '/v1/models',
      headers: { authorization: 'Bearer sk-x' },
    })
    await data('POST', '/api/channel/fetch_models', { type: 1, id })
    expect(upstream.asked[2]?.headers.authorization).toBe('Bearer sk-0123456789abcdef')
  })

  it.each([
    ['status', { status: 403, body: {} }, '获取模型列表失败：status code: 403'],
    ['text', { status: 200, body: '<html>' }, '获取模型列表失败：解析响应失败'],
    ['network', new Error('connect ECONNREFUSED'), '获取模型列表失败：connect ECONNREFUSED'],
  ])('says why the model list could not be fetched: %s', async (_, answer, message) => {
    await build(answer)
    const { json } = await call('POST', '/api/channel/fetch_models', { type: 1, key: 'sk-x' })
    expect(json).toMatchObject({ success: false, message })
  })

  it('fetches nothing without a key and nothing from a metadata service', async () => {
    await expect(data('POST', '/api/channel/fetch_models', { type: 1, key: '' })).rejects.toThrow('请填写密钥')
    const inside = { type: 1, key: 'sk-x', base_url: 'http://169.254.169.254' }
    await expect(data('POST', '/api/channel/fetch_models', inside)).rejects.toThrow('不允许访问')
    expect(upstream.asked).toEqual([])
  })

  it('is for admins only', async () => {
    const user = signedIn((on) => channelRoutes(on, {} as never), { role: 1 })
    expect((await user('GET', '/api/channel/')).json).toMatchObject({ success: false, code: 'permission_denied' })
  })
})
