import type { ChannelJob, ChannelKey } from '@tollgate/contract'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { describeEachEngine } from '../../../../test/support/db/databases.ts'
import { type Bench, now, openBench, type Shown } from '../../../../test/support/features/channel-test-bench.ts'
import type { Database } from '../../../db/database.ts'
import type { UpstreamRequest } from '../../../relay/upstream/upstream.ts'

type Jobs = { test: ChannelJob; balance: ChannelJob }

const good = {
  status: 200,
  body: { choices: [{ message: { content: 'hello' } }], usage: { prompt_tokens: 1, completion_tokens: 1 } },
}
const bad = { status: 401, body: { error: { message: 'Incorrect API key', code: 'invalid_api_key' } } }

/** Keys that begin with `bad` are refused. */
const byKey = ({ headers }: UpstreamRequest) => (headers.authorization?.startsWith('Bearer bad') ? bad : good)

describeEachEngine('work on all channels', (open) => {
  let database: Database
  let bench: Bench

  beforeAll(async () => {
    database = await open()
  })
  beforeEach(async () => {
    bench = await openBench(database, byKey)
  })

  const ended = async (job: 'test' | 'balance' = 'test'): Promise<ChannelJob> => {
    await bench.jobs.idle()
    // Channels that were disabled meanwhile are written afterwards.
    await bench.directory.refresh()
    return (await bench.data<Jobs>('GET', '/api/channel/jobs'))[job]
  }
  const testAll = async (): Promise<ChannelJob> => {
    await bench.data('GET', '/api/channel/test')
    return ended()
  }
  const statusOf = async (id: number): Promise<unknown> => (await bench.data<Shown>('GET', `/api/channel/${id}`)).status

  it('tests every channel, whatever its state, and says how far it is', async () => {
    await bench.create({ name: 'a' })
    await bench.create({ name: 'b', status: 2 })
    await bench.create({ name: 'c', key: 'bad-0123456789' })
    const job = await testAll()
    expect(job).toMatchObject({ running: false, done: 3, total: 3, failed: 1, disabled: 1, started_time: now })
    expect(job.problems).toMatchObject([{ name: 'c', reason: 'status code 401: Incorrect API key' }])
    expect(bench.upstream.requests).toHaveLength(3)
    expect(bench.notices.toSorted()).toEqual(['all tested', 'c: Incorrect API key'])
    expect(bench.traces.at(-1)).toMatchObject({ action: 'channel.test_all', actor: { id: 9 } })
    expect(bench.logs.map(({ userId }) => userId)).toEqual([9, 9])
  })

  it('brings back what was disabled automatically, and only that', async () => {
    const auto = await bench.create({ name: 'auto' })
    const byHand = await bench.create({ name: 'by hand', status: 2 })
    await database.query.updateTable('channels').set({ status: 3 }).where('id', '=', auto.id).execute()
    await bench.directory.refresh()
    bench.rules = { ...bench.rules, enables: false }
    expect(await testAll()).toMatchObject({ enabled: 0 })
    expect(await statusOf(auto.id)).toBe(3)
    bench.rules = { ...bench.rules, enables: true }
    expect(await testAll()).toMatchObject({ enabled: 1 })
    expect(await statusOf(auto.id)).toBe(1)
    expect(await statusOf(byHand.id)).toBe(2)
    expect(bench.served()).toContain(auto.id)
    expect(bench.notices).toEqual(['all tested', 'auto is back', 'all tested'])
  })

  it('brings back single keys that work again', async () => {
    const { id } = await bench.create({ key: 'sk-good-0000001\nsk-well-0000002\nbad-0000000003', keys_together: true })
    await database.query.updateTable('channel_keys').set({ status: 3 }).execute()
    await database.query.updateTable('channels').set({ status: 3 }).execute()
    await bench.directory.refresh()
    expect(await testAll()).toMatchObject({ enabled: 1 })
    expect(await bench.data('GET', `/api/channel/${id}`)).toMatchObject({ status: 1, key_count: 3, key_enabled: 2 })
    expect(bench.directory.snapshot().byId(id)?.keys).toEqual(['sk-good-0000001', 'sk-well-0000002'])
  })

  it('leaves channels off whose keys were disabled by hand, however well they work', async () => {
    const { id } = await bench.create({ key: 'sk-good-0000001\nsk-well-0000002', keys_together: true })
    for (const { id: key_id } of await bench.data<ChannelKey[]>('GET', `/api/channel/${id}/keys`)) {
      await bench.data('PUT', `/api/channel/${id}/keys`, { key_id, status: 2 })
    }
    expect(await testAll()).toMatchObject({ done: 1, problems: [], enabled: 0 })
    expect(await statusOf(id)).toBe(3)
    expect(bench.served()).toEqual([])
  })

  it.each([
    ['disables what is slower than the threshold', { slowest: 1 }, {}, 3],
    ['does not where automatic disabling is off', { slowest: 1, disables: false }, {}, 1],
    ['does not where the channel forbids it', { slowest: 1 }, { auto_ban: 0 }, 1],
    ['does not without a threshold', { slowest: 0 }, {}, 1],
  ])('%s', async (_, rules, channel, status) => {
    bench.rules = { ...bench.rules, ...rules }
    const { id } = await bench.create(channel)
    await testAll()
    expect(await statusOf(id)).toBe(status)
    if (status !== 3) return
    expect(bench.notices).toContain('main: 响应时间 1.25s 超过阈值 1.00s')
    expect(await bench.data('GET', `/api/channel/${id}`)).toMatchObject({
      disabled_cause: { code: 'channel_too_slow', params: { seconds: '1.25', limit: '1.00' } },
    })
  })

  it('runs once, however many ask', async () => {
    const open = Promise.withResolvers<typeof good>()
    bench = await openBench(database, () => open.promise)
    for (let count = 0; count < 5; count += 1) await bench.create()
    const answers = await Promise.all(Array.from({ length: 6 }, () => bench.call('GET', '/api/channel/test')))
    expect(answers.filter(({ json }) => json.success).length).toBe(1)
    expect(answers.find(({ json }) => !json.success)?.json.message).toBe('测试已在运行中')
    open.resolve(good)
    await ended()
    expect(bench.upstream.requests).toHaveLength(5)
  })

  it('is done by one of two nodes when its time has come', async () => {
    await bench.create({ type: 43, models: 'deepseek-chat' })
    const other = await openBench(database, byKey, { keep: true })
    const nodes = [bench, other]
    const calls = () => nodes.flatMap(({ upstream }) => upstream.requests).length
    const tick = async (minutes: number): Promise<void> => {
      for (const node of nodes) node.jobTime = (now + minutes * 60) * 1000
      await Promise.all(nodes.map(({ jobs }) => jobs.tick()))
      await Promise.all(nodes.map(({ jobs }) => jobs.idle()))
    }
    await tick(0)
    await tick(9)
    expect(calls()).toBe(0)
    await tick(10)
    expect(calls()).toBe(1)
    await tick(15)
    expect(calls()).toBe(1)
    // The test again, and for the first time the balance.
    await tick(20)
    expect(calls()).toBe(3)
    expect(nodes.flatMap(({ logs }) => logs).map(({ userId }) => userId)).toEqual([1, 1])
    expect(nodes.flatMap(({ notices }) => notices)).toEqual([])
  })

  it('ends when an admin stops it', async () => {
    const open = Promise.withResolvers<typeof good>()
    bench = await openBench(database, () => open.promise)
    for (let count = 0; count < 12; count += 1) await bench.create()
    await bench.data('GET', '/api/channel/test')
    await bench.data('POST', '/api/channel/jobs/stop', { job: 'test' })
    open.resolve(good)
    const job = await ended()
    expect(job.done).toBeLessThan(12)
    expect(await testAll()).toMatchObject({ done: 12, running: false })
  })

  it('updates the balances of enabled channels that report one, and disables those that are spent', async () => {
    const spent = { balance_infos: [{ currency: 'CNY', total_balance: '0.00' }] }
    bench = await openBench(database, { status: 200, body: spent })
    const deepseek = { type: 43, models: 'deepseek-chat' }
    const empty = await bench.create({ ...deepseek, name: 'empty' })
    const kept = await bench.create({ ...deepseek, name: 'kept', auto_ban: 0 })
    await bench.create({ ...deepseek, name: 'off', status: 2 })
    await bench.create({ type: 14, name: 'tells none' })
    await bench.data('GET', '/api/channel/update_balance')
    expect(await ended('balance')).toMatchObject({ done: 2, total: 2, failed: 0, disabled: 1 })
    expect(await statusOf(empty.id)).toBe(3)
    expect(await statusOf(kept.id)).toBe(1)
    expect(bench.notices).toEqual(['empty: 余额不足'])
    expect(await bench.data('GET', `/api/channel/${kept.id}`)).toMatchObject({ balance: 0, balance_updated_time: now })
  })

  it('asks one channel for its balance, the sum of its keys', async () => {
    bench = await openBench(database, (request) =>
      request.headers.authorization?.startsWith('Bearer bad')
        ? bad
        : { status: 200, body: { code: 20000, data: { totalBalance: '10.5' } } },
    )
    const { id } = await bench.create({
      type: 40,
      key: 'sk-one-00000001\nsk-two-00000002\nbad-0000000003',
      keys_together: true,
    })
    const { json } = await bench.call('GET', `/api/channel/update_balance/${id}/`)
    expect(json).toMatchObject({ success: true, message: '', balance: 21 })
    expect(await bench.data('GET', `/api/channel/${id}`)).toMatchObject({ balance: 21, balance_updated_time: now })
    const other = await bench.create({ type: 14 })
    const refused = await bench.call('GET', `/api/channel/update_balance/${other.id}`)
    expect(refused.json).toMatchObject({ success: false, message: '尚未实现' })
  })

  it('asks no address that is closed to it for a balance', async () => {
    const { id } = await bench.create({ base_url: 'http://169.254.169.254' })
    const { json } = await bench.call('GET', `/api/channel/update_balance/${id}`)
    expect(json).toMatchObject({ success: false })
    expect(String(json.message)).toContain('不允许访问')
    expect(bench.upstream.requests).toEqual([])
  })
})
