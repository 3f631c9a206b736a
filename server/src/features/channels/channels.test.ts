import { beforeAll, beforeEach, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { type Bench, now, openBench, type Shown } from '../../../test/support/features/channel-test-bench.ts'
import { signedIn } from '../../../test/support/features/signed-in.ts'
import type { Database } from '../../db/database.ts'
import { channelRoutes } from './routes.ts'

describeEachEngine('channels', (open) => {
  let database: Database
  let bench: Bench

  beforeAll(async () => {
    database = await open()
  })

  beforeEach(async () => {
    bench = await openBench(database)
  })

  it('are created, relay at once and never show their key', async () => {
    const { directory, traces, create, served } = bench
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
    const { traces, list, create, served } = bench
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
    ['a mapping in a circle', { model_mapping: '{"a":"b","b":"a"}' }, '模型重定向存在循环：a → b → a'],
    ['a mapping to a number', { model_mapping: '{"a":1}' }, '模型映射必须是合法的 JSON 格式！'],
    ['a status that is none', { status_code_mapping: '{"400":"600"}' }, '状态码复写必须是合法的 JSON 格式'],
    ['settings that are no JSON', { setting: '{force}' }, '渠道额外设置必须是合法的 JSON 格式！'],
    ['settings that do not exist', { setting: '{"force_fromat":true,"proxy":""}' }, '没有这些项：force_fromat；'],
    ['a proxy of another kind', { setting: '{"proxy":"ftp://x"}' }, '代理地址必须是'],
    ['an override that is a list', { param_override: '[]' }, '参数覆盖必须是合法的 JSON 格式！'],
    ['an address without http', { base_url: 'up.example' }, 'API地址必须以'],
    ['an unknown group', { group: 'default,staff' }, '分组 staff 不存在'],
    ['a type that cannot relay', { type: 21 }, '渠道类型 知识库：AI Proxy 暂不支持'],
    ['a type that does not exist', { type: 999 }, '渠道类型 999 暂不支持'],
    ['Azure without its address', { type: 3, base_url: '' }, '请填写'],
  ])('refuses %s', async (_, body, message) => {
    const { list, create } = bench
    await expect(create(body)).rejects.toThrow(message)
    expect(await list()).toEqual([])
  })

  it('changes only what is given and clears what is sent empty', async () => {
    const { directory, traces, data, create } = bench
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

  it('keeps how long a prompt it should get, as the form of older consoles sends it', async () => {
    const { directory, data, create } = bench
    const { id, max_input_tokens } = await create({ max_input_tokens: 0 })
    expect(max_input_tokens).toBe(0)
    expect(directory.snapshot().byId(id)?.maxInputTokens).toBeUndefined()
    expect(await data('PUT', '/api/channel/', { id, max_input_tokens: 8192 })).toMatchObject({ max_input_tokens: 8192 })
    expect(directory.snapshot().byId(id)?.maxInputTokens).toBe(8192)
    expect(await data('PUT', '/api/channel/', { id, max_input_tokens: -1 })).toMatchObject({ max_input_tokens: 0 })
  })

  it('keeps the key when none is sent and replaces it at once when one is', async () => {
    const { directory, data, create } = bench
    const { id } = await create()
    await data('PUT', '/api/channel/', { id, key: '', name: 'renamed' })
    expect(directory.snapshot().byId(id)?.keys).toEqual(['sk-0123456789abcdef'])
    expect(await data('PUT', '/api/channel/', { id, key: 'sk-fedcba9876543210' })).toMatchObject({ key_hint: '…3210' })
    expect(directory.snapshot().byId(id)?.keys).toEqual(['sk-fedcba9876543210'])
  })

  it('disables and enables a channel for the relay at once', async () => {
    const { data, create, served } = bench
    const { id } = await create()
    await data('PUT', '/api/channel/', { id, status: 2 })
    expect(served()).toEqual([])
    await data('PUT', '/api/channel/', { id, status: 1 })
    expect(served()).toEqual([id])
    await expect(data('PUT', '/api/channel/', { id, status: 3 })).rejects.toThrow('无效的参数')
  })

  it('writes down why it switched a channel off', async () => {
    const { directory, notices, data, create, served } = bench
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

  it('takes costs that make sense, and gives them to the relay', async () => {
    const { directory, data, create } = bench
    const { id } = await create({})
    const cost = {
      factor: 0.8,
      models: { 'gpt-4o': { input: 2, output: 8 } },
      discounts: [{ to: '2026-12-31', factor: 0.5 }],
    }
    await data('PUT', '/api/channel/', { id, setting: JSON.stringify({ cost }) })
    expect(directory.snapshot().byId(id)?.cost).toEqual(cost)
    const wrong = [
      ...[5, { factor: -1 }, { factor: '1' }, { unknown: 1 }, { models: { m: {} } }, { models: { m: { tokens: 1 } } }],
      ...[{ models: { m: { call: 1, input: 1 } } }, { discounts: [{ factor: 1, from: '2026-02-30' }] }],
      { discounts: [{ factor: 1, from: '2026-02-02', to: '2026-02-01' }] },
    ]
    for (const setting of wrong.map((value) => JSON.stringify({ cost: value })))
      await expect(data('PUT', '/api/channel/', { id, setting })).rejects.toThrow('cost 不是有效的上游成本设置')
  })

  it('copies a channel with its key, disabled', async () => {
    const { directory, data, create } = bench
    const { id } = await create({ tag: 'eu', priority: 4 })
    const copy = await data('POST', `/api/channel/copy/${id}`)
    expect(copy).toMatchObject({ name: 'main_复制', status: 2, tag: 'eu', priority: 4, used_quota: 0, balance: 0 })
    expect(directory.snapshot().byId(copy.id)?.keys).toEqual(['sk-0123456789abcdef'])
    await expect(data('POST', '/api/channel/copy/999999')).rejects.toThrow('渠道未找到')
  })

  it('deletes one, several, and all disabled channels', async () => {
    const { data, list, create, served } = bench
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
    const { list, create } = bench
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
    const { data, create } = bench
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
    const { data, create } = bench
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
    const { data, create } = bench
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
    const { data, list, create, served } = bench
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
    const { data } = bench
    const types = await data<Shown[]>('GET', '/api/channel/types')
    expect(types.map(({ type }) => type).slice(0, 4)).toEqual([1, 2, 5, 36])
    expect(types[0]).toMatchObject({ name: 'OpenAI', relays: true, lists_models: true })
    expect(types[1]).toMatchObject({ relays: true, base_url: '', fields: [{ column: 'base_url', required: true }] })
    const unbuilt = types.find(({ type }) => type === 21)
    expect(unbuilt).toMatchObject({ relays: false, reason: { zh: expect.any(String) } })
  })

  it('bills aborted calls as its provider does, unless it says otherwise', async () => {
    const { data, create, directory } = bench
    const bills = (id: number) => directory.snapshot().byId(id)?.billsAborted
    const [openai, google] = [await create({ key: 'sk-a' }), await create({ key: 'sk-b', type: 24 })]
    expect([bills(openai.id), bills(google.id)]).toEqual([false, true])
    await data('PUT', '/api/channel/', { id: openai.id, setting: '{"bills_aborted":true}' })
    await data('PUT', '/api/channel/', { id: google.id, setting: '{"bills_aborted":false}' })
    expect([bills(openai.id), bills(google.id)]).toEqual([true, false])
    const wrong = { id: openai.id, setting: '{"bills_aborted":"yes"}' }
    await expect(data('PUT', '/api/channel/', wrong)).rejects.toThrow('bills_aborted 必须是')
    const types = await data<Shown[]>('GET', '/api/channel/types')
    const billsAborted = (type: number) => types.find((entry) => entry.type === type)?.bills_aborted
    expect([1, 14, 24, 33].map(billsAborted)).toEqual([false, false, true, true])
  })

  it('names the address for webhooks of accounts that have such', async () => {
    const { data, create } = bench
    const [openai, claude] = [await create({ type: 1 }), await create({ type: 14 })]
    expect(await data('GET', `/api/channel/${openai.id}/webhook`)).toEqual({
      url: `https://gate.example/hooks/channels/${openai.id}.proof`,
    })
    expect(await data('GET', `/api/channel/${claude.id}/webhook`)).toEqual({ url: '' })
  })

  it('is for admins only', async () => {
    const user = signedIn((on) => channelRoutes(on, bench.parts), { role: 1 })
    expect((await user('GET', '/api/channel/')).json).toMatchObject({ success: false, code: 'permission_denied' })
  })
})
