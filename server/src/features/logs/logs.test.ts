import { beforeAll, beforeEach, expect, it } from 'vitest'
import type { Database } from '../../db/database.ts'
import { describeEachEngine } from '../../db/test-databases.ts'
import { testLog } from '../../db/test-rows.ts'
import { type SignedIn, signedIn } from '../test-signed-in.ts'
import { eventRecorder } from './events.ts'
import { logRoutes } from './routes.ts'
import { createLogService } from './service.ts'
import { type NewLog, openLogStore } from './store.ts'

const now = 1_900_000_000
let requests = 0

const logRow = (change: Partial<NewLog> = {}): NewLog => {
  requests += 1
  return { ...testLog(`request-${requests}`), other: '', ...change }
}

describeEachEngine('the usage log', (open) => {
  let database: Database
  let admin: SignedIn
  let user: SignedIn

  beforeAll(async () => {
    database = await open()
  })

  const write = (...rows: Partial<NewLog>[]): Promise<void> => database.insertMany('logs', rows.map(logRow))

  beforeEach(async () => {
    await database.query.deleteFrom('logs').execute()
    const logs = createLogService({
      store: openLogStore(database),
      channelNames: async (ids) => new Map(ids.map((id) => [id, `channel ${id}`])),
      userIdOf: async (username) => ({ alicia: 7, alice: 8 })[username],
      clock: () => now * 1000,
    })
    admin = signedIn((on) => logRoutes(on, logs), { id: 1, role: 10 })
    user = signedIn((on) => logRoutes(on, logs), { id: 7, username: 'alice' })
  })

  type Shown = Record<string, unknown>
  const data = async <T>(who: SignedIn, path: string): Promise<T> => {
    const { json } = await who('GET', path)
    if (json.success !== true) throw new Error(String(json.message))
    return json.data as T
  }
  const list = (who: SignedIn, path: string): Promise<{ items: Shown[]; total: number }> => data(who, path)
  const contents = async (query: string): Promise<unknown[]> =>
    (await list(admin, `/api/log/?${query}`)).items.map(({ content }) => content)

  it('shows admins everything, newest first', async () => {
    await write({ content: 'old', created_at: now - 10 }, { content: 'new', channel_id: 4, is_stream: 0 })
    const page = await list(admin, '/api/log/')
    expect(page).toMatchObject({ total: 2, page: 1, page_size: 10 })
    expect(page.items.map(({ content }) => content)).toEqual(['new', 'old'])
    expect(page.items[0]).toMatchObject({ channel: 4, channel_name: 'channel 4', is_stream: false })
    expect(page.items[0]).not.toHaveProperty('channel_id')
  })

  it('finds a renamed user with all that came before, and not who had the name', async () => {
    await write(
      { user_id: 7, username: 'alice', content: 'before', quota: 5 },
      { user_id: 7, username: 'alicia', content: 'after', quota: 6 },
      { user_id: 8, username: 'alice', content: 'another alice', quota: 100 },
    )
    expect((await contents('username=alicia')).toSorted()).toEqual(['after', 'before'])
    expect(await contents('username=alice')).toEqual(['another alice'])
    expect(await data(admin, '/api/log/stat?username=alicia')).toMatchObject({ quota: 11 })
  })

  it('shows users their own rows only, without what is for the operator', async () => {
    const other = JSON.stringify({ model_ratio: 2, admin_info: { use_channel: ['4'] } })
    await write({ user_id: 7, other, channel_id: 4 }, { user_id: 7, other: '' }, { user_id: 8, username: 'alice' })
    const { items, total } = await list(user, '/api/log/self?username=bob&channel=99')
    expect(total).toBe(2)
    expect(items.map((row) => row.other)).toEqual(['', '{"model_ratio":2}'])
    expect(items.map((row) => row.channel_name)).toEqual(['', ''])
    expect(Number(items[0]?.id)).toBeGreaterThan(Number(items[1]?.id))
  })

  it('keeps ordinary users from the logs of all', async () => {
    expect((await user('GET', '/api/log/')).json).toMatchObject({ success: false, code: 'permission_denied' })
    expect((await user('GET', '/api/log/stat')).json).toMatchObject({ success: false })
  })

  it('filters', async () => {
    await write(
      { content: 'a', type: 1, username: 'bob', created_at: now - 100 },
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
    expect(await contents(`end_timestamp=${now - 50}`)).toEqual(['a'])
    expect(await contents(`start_timestamp=${now - 50}`)).toEqual(['c', 'b'])
  })

  it('takes a model as a part of the name, or as a pattern when it has %', async () => {
    await write({ content: 'b', model_name: 'Claude-3-opus' }, { content: 'c', model_name: 'gpt_4o' })
    expect(await contents('model_name=claude')).toEqual(['b'])
    expect(await contents('model_name=t_4')).toEqual(['c'])
    expect(await contents('model_name=e_3')).toEqual([])
    expect(await contents(`model_name=${encodeURIComponent('claude%opus')}`)).toEqual(['b'])
    expect(await contents(`model_name=${encodeURIComponent('3%')}`)).toEqual([])
  })

  it('sorts', async () => {
    await write({ content: 'a', quota: 5 }, { content: 'b', quota: 9 }, { content: 'c', quota: 1 })
    expect(await contents('sort=-quota')).toEqual(['b', 'a', 'c'])
    expect(await contents('sort=id')).toEqual(['a', 'b', 'c'])
    expect(await contents('sort=quota&page_size=1&p=2')).toEqual(['a'])
  })

  it('stops counting at ten thousand', async () => {
    await write(...Array.from({ length: 10_001 }, () => ({})))
    const page = await list(admin, '/api/log/')
    expect(page).toMatchObject({ total: 10_000, total_capped: true })
    expect(page.items).toHaveLength(10)
  })

  it('sums charges over the range and requests over the last minute', async () => {
    await write(
      { user_id: 7, quota: 100, prompt_tokens: 10, completion_tokens: 5, created_at: now - 30 },
      { user_id: 7, quota: 200, prompt_tokens: 10, completion_tokens: 5, created_at: now - 90 },
      { user_id: 7, quota: 999, type: 1 },
      { user_id: 8, quota: 50, prompt_tokens: 1, completion_tokens: 1, created_at: now - 1, username: 'alice' },
    )
    expect(await data(admin, '/api/log/stat?type=1')).toEqual({ quota: 350, rpm: 2, tpm: 17 })
    expect(await data(admin, `/api/log/stat?end_timestamp=${now - 60}`)).toEqual({ quota: 200, rpm: 2, tpm: 17 })
    expect(await data(user, '/api/log/self/stat')).toEqual({ quota: 300, rpm: 1, tpm: 15 })
    expect(await data(user, '/api/log/self/stat?model_name=none')).toEqual({ quota: 0, rpm: 0, tpm: 0 })
  })

  it('records events that are no requests', async () => {
    const record = eventRecorder(openLogStore(database), () => now * 1000)
    await record({ userId: 7, username: 'alice', type: 4, content: '新用户注册赠送 500 点额度' })
    await record({ userId: 7, username: 'alice', type: 1, content: '充值', quota: 5 })
    const { items } = await list(user, '/api/log/self?type=4')
    expect(items).toMatchObject([{ content: '新用户注册赠送 500 点额度', created_at: now, model_name: '', channel: 0 }])
  })
})
