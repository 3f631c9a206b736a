import { beforeAll, beforeEach, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { logRow, now, openTestLogs, type TestLogs } from '../../../test/support/features/logs.ts'
import type { SignedIn } from '../../../test/support/features/signed-in.ts'
import type { Database } from '../../db/database.ts'
import { eventRecorder } from './events.ts'

describeEachEngine('the usage log', (open) => {
  let database: Database
  let logs: TestLogs

  beforeAll(async () => {
    database = await open()
  })
  beforeEach(async () => {
    logs = await openTestLogs(database)
  })

  type Shown = Record<string, unknown>
  const data = async <T>(caller: SignedIn, path: string): Promise<T> => {
    const { json } = await caller('GET', path)
    if (json.success !== true) throw new Error(String(json.message))
    return json.data as T
  }
  interface ShownPage {
    items: Shown[]
    total: number
    next?: string
    sorted_among?: number
  }
  const list = (caller: SignedIn, path: string): Promise<ShownPage> => data(caller, path)
  const contents = async (query: string): Promise<unknown[]> =>
    (await list(logs.admin, `/api/log/?${query}`)).items.map(({ content }) => content)

  it('shows admins everything, newest first', async () => {
    await logs.write({ content: 'old', created_at: now - 10 }, { content: 'new', channel_id: 4, is_stream: 0 })
    const page = await list(logs.admin, '/api/log/')
    expect(page).toMatchObject({ total: 2, page: 1, page_size: 10 })
    expect(page.items.map(({ content }) => content)).toEqual(['new', 'old'])
    expect(page.items[0]).toMatchObject({ channel: 4, channel_name: 'channel 4', is_stream: false })
    expect(page.items[0]).not.toHaveProperty('channel_id')
  })

  it('finds calls by how they ended, and sums what they cost', async () => {
    const ended = (end: string) => JSON.stringify({ end, path: '/v1/"end":"done"' })
    await logs.write(
      { user_id: 7, username: 'alicia', content: 'left', quota: 5, other: ended('client_gone') },
      { user_id: 7, username: 'alicia', content: 'whole', quota: 6, other: ended('done') },
      { user_id: 8, username: 'alice', content: 'another left', quota: 100, other: ended('client_gone') },
    )
    expect((await contents('end=client_gone')).toSorted()).toEqual(['another left', 'left'])
    expect(await contents('end=client_gone&username=alicia')).toEqual(['left'])
    expect(await contents('end=done')).toEqual(['whole'])
    expect(await contents('end=nonsense')).toHaveLength(3)
    expect(await data(logs.admin, '/api/log/stat?end=client_gone&username=alicia')).toMatchObject({ quota: 5 })
    expect((await list(logs.admin, '/api/log/?end=client_gone')).total).toBe(2)
  })

  it('finds calls by the program that made them, also those of one user', async () => {
    const by = (client: string) => JSON.stringify({ client, end: 'done' })
    await logs.write(
      { user_id: 7, content: 'agent', quota: 5, other: by('Claude Code') },
      { user_id: 7, content: 'library', quota: 6, other: by('OpenAI SDK (Python)') },
      { user_id: 8, content: 'agent of another', quota: 100, other: by('Claude Code') },
      { user_id: 7, content: 'nameless', quota: 7, other: '' },
    )
    const found = async (client: string) => (await contents(`client=${encodeURIComponent(client)}`)).toSorted()
    expect(await found('Claude Code')).toEqual(['agent', 'agent of another'])
    expect(await found('claude code')).toEqual(['agent', 'agent of another'])
    expect(await found('OpenAI SDK (Python)')).toEqual(['library'])
    for (const none of ['Claude', 'OpenAI SDK', 'Claude_Code', '%', '"', 'Zed']) expect(await found(none)).toEqual([])
    expect(await found('')).toHaveLength(4)
    expect(await data(logs.admin, '/api/log/stat?client=Claude%20Code')).toMatchObject({ quota: 105 })
    const own = await list(logs.user, '/api/log/self?client=Claude%20Code')
    expect(own.items.map(({ content }) => content)).toEqual(['agent'])
  })

  it('finds calls that cost at least so much, also those of one user, and sums them', async () => {
    await logs.write(
      { user_id: 7, username: 'alicia', content: 'dear', quota: 500_000 },
      { user_id: 7, username: 'alicia', content: 'cheap', quota: 499_999 },
      { user_id: 8, username: 'bob', content: 'dearer', quota: 500_001 },
    )
    expect((await contents('min_quota=500000')).toSorted()).toEqual(['dear', 'dearer'])
    expect(await contents('min_quota=500000&username=alicia')).toEqual(['dear'])
    for (const any of ['0', '', 'much', '-1']) expect(await contents(`min_quota=${any}`)).toHaveLength(3)
    expect(await data(logs.admin, '/api/log/stat?min_quota=500000')).toMatchObject({ quota: 1_000_001 })
    expect((await list(logs.admin, '/api/log/?min_quota=500000')).total).toBe(2)
    expect((await list(logs.user, '/api/log/self?min_quota=500000')).items.map(({ content }) => content)).toEqual([
      'dear',
    ])
  })

  it('finds a call by its provider’s request id, for operators only', async () => {
    const ofProvider = { ...logRow({ user_id: 7, content: 'asked there' }), provider_request_id: 'gen-17-abc' }
    await database.insertMany('logs', [ofProvider])
    await logs.write({ user_id: 7, content: 'another' })
    expect(await contents('provider_request_id=gen-17-abc')).toEqual(['asked there'])
    expect(await contents(`provider_request_id=gen-17-abc&end_timestamp=${now}`)).toEqual(['asked there'])
    expect(await contents('provider_request_id=gen-17-ab')).toEqual([])
    expect((await list(logs.admin, '/api/log/?provider_request_id=gen-17-abc')).total).toBe(1)
    expect((await list(logs.user, '/api/log/self?provider_request_id=gen-17-abc')).total).toBe(2)
  })

  it('finds a call by whatever id its client was given', async () => {
    await database.insertMany('logs', [
      { ...logRow({ user_id: 7, content: 'converted' }), provider_request_id: 'req_1', answer_id: 'msg_1' },
      { ...logRow({ user_id: 8, content: 'of another' }), provider_request_id: 'chatcmpl-2', answer_id: null },
      { ...logRow({ user_id: 7, content: 'nameless', request_id: '20261129' }) },
    ])
    for (const part of ['provider_request_id', 'request_id']) {
      expect(await contents(`${part}=req_1`)).toEqual(['converted'])
      expect(await contents(`${part}=msg_1`)).toEqual(['converted'])
      expect(await contents(`${part}=resp_msg_1`)).toEqual(['converted'])
      expect(await contents(`${part}=resp_chatcmpl-2`)).toEqual(['of another'])
      expect(await contents(`${part}=resp_20261129`)).toEqual(['nameless'])
      expect(await contents(`${part}=msg_`)).toEqual([])
      expect(await contents(`${part}=resp_`)).toEqual([])
    }
    expect((await list(logs.admin, '/api/log/?provider_request_id=msg_1')).total).toBe(1)
    const own = async (id: string) =>
      (await list(logs.user, `/api/log/self?request_id=${id}`)).items.map((row) => row.content)
    expect(await own('msg_1')).toEqual(['converted'])
    expect(await own('resp_msg_1')).toEqual(['converted'])
    expect(await own('chatcmpl-2')).toEqual([])
  })

  it('finds a renamed user with all earlier calls, and not the earlier owner of the name', async () => {
    await logs.write(
      { user_id: 7, username: 'alice', content: 'before', quota: 5 },
      { user_id: 7, username: 'alicia', content: 'after', quota: 6 },
      { user_id: 8, username: 'alice', content: 'another alice', quota: 100 },
    )
    expect((await contents('username=alicia')).toSorted()).toEqual(['after', 'before'])
    expect(await contents('username=alice')).toEqual(['another alice'])
    expect(await contents('username=carol')).toEqual([])
    expect(await data(logs.admin, '/api/log/stat?username=alicia')).toMatchObject({ quota: 11 })
    expect(await data(logs.admin, '/api/log/stat?username=carol')).toMatchObject({ quota: 0 })
  })

  it('shows users their own rows only, without what is for the operator', async () => {
    const other = JSON.stringify({ model_ratio: 2, admin_info: { use_channel: ['4'] } })
    await logs.write({ user_id: 7, other, channel_id: 4 }, { user_id: 7, other: '' }, { user_id: 8, username: 'alice' })
    const { items, total } = await list(logs.user, '/api/log/self?username=bob&channel=99')
    expect(total).toBe(2)
    expect(items.map((row) => row.other)).toEqual(['', '{"model_ratio":2}'])
    expect(items.map((row) => row.channel_name)).toEqual(['', ''])
    expect(items.map((row) => row.channel)).toEqual([0, 0])
    expect(Number(items[0]?.id)).toBeGreaterThan(Number(items[1]?.id))
  })

  it.each(['/api/log/', '/api/log/stat', '/api/log/search?keyword=2', '/api/log/export', '/api/log/clear'])(
    'keeps ordinary users from %s',
    async (path) => {
      expect((await logs.user('GET', path)).json).toMatchObject({ success: false, code: 'permission_denied' })
    },
  )

  it('filters', async () => {
    await logs.write(
      { content: 'a', type: 1, user_id: 9, created_at: now - 100 },
      { content: 'b', model_name: 'Claude-3-opus', token_name: 'phone', channel_id: 3, group: 'vip' },
      { content: 'c', model_name: 'gpt_4o', request_id: 'the-one' },
    )
    expect(await contents('type=1')).toEqual(['a'])
    expect(await contents('type=0')).toHaveLength(3)
    expect(await contents('username=bob')).toEqual(['a'])
    expect(await contents('token_name=phone')).toEqual(['b'])
    expect(await contents('channel=3')).toEqual(['b'])
    expect(await contents('group=vip')).toEqual(['b'])
    expect(await contents('request_id=the-one')).toEqual(['c'])
    expect(await contents('group=vip&model_name=claude&channel=3&token_name=phone')).toEqual(['b'])
    expect(await contents('group=vip&model_name=gpt')).toEqual([])
    expect(await contents(`end_timestamp=${now - 50}`)).toEqual(['a'])
    expect(await contents(`start_timestamp=${now - 50}`)).toEqual(['c', 'b'])
  })

  it('takes a model as a part of the name, or as a pattern when it has %', async () => {
    await logs.write({ content: 'b', model_name: 'Claude-3-opus' }, { content: 'c', model_name: 'gpt_4o' })
    expect(await contents('model_name=claude')).toEqual(['b'])
    expect(await contents('model_name=t_4')).toEqual(['c'])
    expect(await contents('model_name=e_3')).toEqual([])
    expect(await contents(`model_name=${encodeURIComponent('claude%opus')}`)).toEqual(['b'])
    expect(await contents(`model_name=${encodeURIComponent('%3%')}`)).toEqual(['b'])
    expect(await contents(`model_name=${encodeURIComponent('3%')}`)).toEqual([])
    expect(await contents(`model_name=${encodeURIComponent('%')}`)).toHaveLength(2)
    await logs.write({ content: 'd', model_name: 'gpt_4o-mini' })
    expect(await contents('model_name="gpt_4o"')).toEqual(['c'])
    expect(await contents('model_name="GPT_4o"')).toEqual([])
  })

  it('sorts', async () => {
    await logs.write({ content: 'a', quota: 5 }, { content: 'b', quota: 9 }, { content: 'c', quota: 1 })
    expect(await contents('sort=-quota')).toEqual(['b', 'a', 'c'])
    expect(await contents('sort=id')).toEqual(['a', 'b', 'c'])
    expect(await contents('sort=quota&page_size=1&p=2')).toEqual(['a'])
  })

  it('stops counting at ten thousand, or where several parts of a filter meet at one thousand', async () => {
    await logs.write(...Array.from({ length: 10_001 }, () => ({ channel_id: 3 })))
    const page = await list(logs.admin, '/api/log/')
    expect(page).toMatchObject({ total: 10_000, total_capped: true })
    expect(page.items).toHaveLength(10)
    expect(await list(logs.admin, '/api/log/?channel=3&type=2')).toMatchObject({ total: 1_000, total_capped: true })
  })

  it('goes on after a row, so that rows which come in between shift nothing', async () => {
    await logs.write(
      ...Array.from({ length: 25 }, (_, index) => ({ content: `${index}`, created_at: now - (index % 3) })),
    )
    const whole = await contents('page_size=50')
    const first = await list(logs.admin, '/api/log/?page_size=10')
    await logs.write({ content: 'meanwhile', created_at: now })
    const second = await list(logs.admin, `/api/log/?p=2&page_size=10&after=${first.next}`)
    const third = await list(logs.admin, `/api/log/?p=3&page_size=10&after=${second.next}`)
    const seen = [...first.items, ...second.items, ...third.items].map(({ content }) => content)
    expect(seen).toEqual(whole)
    expect(third.next).toBeUndefined()
    expect(await list(logs.admin, '/api/log/?after=nonsense&page_size=100')).toMatchObject({ total: 26 })
  })

  it('finds the same rows with the sums as without them, whatever parts of a filter meet', async () => {
    const day = 86_400
    const row = (index: number) => ({
      content: `${index}`,
      created_at: now - (index % 40) * day - index,
      user_id: 7 + (index % 3),
      token_name: `key ${index % 4}`,
      model_name: `model-${index % 5}`,
      channel_id: 1 + (index % 2),
      group: index % 11 === 0 ? 'rare' : 'default',
      type: index % 7 === 0 ? 5 : 2,
      quota: index,
    })
    const rows = Array.from({ length: 300 }, (_, index) => row(index))
    const filters = [
      'group=rare',
      'group=rare&model_name=model-3',
      'username=bob&model_name=model-2',
      'token_name=key 2&channel=1',
      'channel=2&type=5',
      'model_name=model-1&type=5',
      'channel=1&group=nothing',
      `group=rare&start_timestamp=${now - 20 * day}&end_timestamp=${now - 3 * day}`,
      'username=alicia&type=2&page_size=100',
      'model_name=model&token_name=key 1&page_size=7&p=3',
      'group=rare&sort=-quota',
      'model_name=model-1&sort=quota&p=2',
    ]
    const read = async () => {
      const pages = []
      for (const filter of filters) pages.push(await list(logs.admin, `/api/log/?${filter}`))
      return pages.map(({ items, total, next }) => ({
        contents: items.map(({ content }) => content),
        total,
        next: next?.split('.')[0],
      }))
    }
    await logs.write(...rows)
    const plain = await read()
    logs = await openTestLogs(database)
    await logs.charge(...rows)
    expect(await read()).toEqual(plain)
    expect(plain.map(({ total }) => total)).not.toContain(Number.NaN)
    expect(plain.filter(({ contents: found }) => found.length > 0)).toHaveLength(11)
  })

  it('finds rows older than the sums, and rows without a charge', async () => {
    await logs.write({ content: 'old', created_at: now - 90 * 86_400, group: 'vip', channel_id: 3 })
    await logs.charge({ content: 'new', group: 'vip', channel_id: 3 })
    const gift = { code: 'registration_gift', params: { amount: 500 } } as const
    await eventRecorder(
      logs.store,
      () => 0,
      () => now * 1000,
    )({ userId: 7, username: 'a', type: 4, text: gift })
    await logs.store.insert(
      logRow({ content: 'test', created_at: now - 30 * 86_400, group: 'vip', channel_id: 3, token_name: '模型测试' }),
    )
    expect(await contents('group=vip&channel=3')).toEqual(['new', 'test', 'old'])
    expect(await contents('type=4')).toEqual(['新用户注册赠送 500 点额度'])
  })

  it('searches by type, and for admins by the beginning of the content', async () => {
    await logs.write(
      { user_id: 7, type: 4, content: '新用户注册赠送' },
      { user_id: 8, type: 4, content: 'other' },
      { user_id: 7, type: 2, content: '4%_beginning' },
      { user_id: 7, type: 2, content: '4x beginning' },
    )
    const found = async (caller: SignedIn, path: string) =>
      (await data<Shown[]>(caller, path)).map(({ content }) => content)
    expect(await found(logs.admin, '/api/log/search?keyword=4')).toHaveLength(4)
    expect(await found(logs.admin, `/api/log/search?keyword=${encodeURIComponent('4%_')}`)).toEqual(['4%_beginning'])
    expect(await found(logs.admin, `/api/log/search?keyword=${encodeURIComponent('新用户')}`)).toHaveLength(1)
    expect(await found(logs.admin, '/api/log/search?keyword=')).toEqual([])
    expect(await found(logs.user, '/api/log/self/search?keyword=4')).toEqual(['新用户注册赠送'])
    expect(await found(logs.user, `/api/log/self/search?keyword=${encodeURIComponent('4%')}`)).toEqual([])
  })

  it('answers the log of a key only to a caller with that key, from any site', async () => {
    const attempts = [{ channel: 4, started_ms: 0, duration_ms: 1, status: 200, error: '', request_id: 'req_upstream' }]
    const other = JSON.stringify({ admin_info: { use_channel: ['4'], attempts } })
    await logs.write(
      { user_id: 7, token_id: 3, content: 'mine', channel_id: 4, other },
      { user_id: 7, token_id: 4, content: 'another key' },
      { user_id: 8, token_id: 3, content: 'somebody else' },
    )
    const answer = await logs.user('GET', '/api/log/token?key=good')
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.json.data).toMatchObject([{ content: 'mine', channel: 0, channel_name: '', other: '{}' }])
    const refused = await logs.user('GET', '/api/log/token?key=bad')
    expect(refused.json).toMatchObject({ success: false, code: 'token_invalid' })
    expect(refused.headers.get('access-control-allow-origin')).toBe('*')
    const preflight = await logs.user('OPTIONS', '/api/log/token')
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-headers')).toBe('Authorization')
    expect((await logs.user('OPTIONS', '/api/log/self')).headers.get('access-control-allow-origin')).toBeNull()
  })

  it('records events that are no requests', async () => {
    let unit = 0
    const record = eventRecorder(
      logs.store,
      () => unit,
      () => now * 1000,
    )
    const gift = { code: 'registration_gift', params: { amount: 500 } } as const
    const redeemed = { code: 'code_redeemed', params: { amount: 500_000, id: 3 } } as const
    await record({ userId: 7, username: 'alice', type: 4, text: gift })
    unit = 500_000
    await record({ userId: 7, username: 'alice', type: 1, text: redeemed, quota: 5 })
    const { items } = await list(logs.user, '/api/log/self?type=4')
    expect(items).toMatchObject([{ content: '新用户注册赠送 500 点额度', created_at: now, model_name: '', channel: 0 }])
    expect(JSON.parse(String(items[0]?.other))).toEqual({ text: { ...gift, unit: 0 } })
  })
})
