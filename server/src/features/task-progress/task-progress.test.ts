import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../db/database.ts'
import { describeEachEngine } from '../../db/test-databases.ts'
import { newJournalDirectory, openTestLedger } from '../../ledger/test-ledger.ts'
import { verifyLedger } from '../../ledger/verify.ts'
import type { RequestRecord } from '../../relay/ports.ts'
import { openTaskBooks } from './books.ts'
import { openOpenTasks } from './open-tasks.ts'
import { pollJobs } from './poll.ts'
import { type Bench, openBench, somebody, type TestNode, taskRecord } from './testing-bench.ts'

type Owner = { userId: number; tokenId: number }

describeEachEngine('tasks', (open) => {
  let database: Database
  let bench: Bench
  let node: TestNode
  let other: TestNode
  let owner: Owner
  let channels = 100

  beforeAll(async () => {
    database = await open()
    bench = await openBench(database)
    node = await bench.node()
    other = await bench.node()
  })
  afterAll(() => bench?.close())
  beforeEach(async () => {
    channels += 1
    bench.now = Date.now()
    bench.service.broken = undefined
    await database.query.deleteFrom('midjourneys').execute()
    await database.query.deleteFrom('tasks').execute()
    await bench.channel(channels)
    owner = await somebody(database, node.ledger)
  })

  const start = async (record: RequestRecord): Promise<RequestRecord> => {
    await node.ledger.recorder.end(record)
    await node.ledger.flush()
    return record
  }
  const draw = (task: Parameters<typeof taskRecord>[1] = {}, more: Parameters<typeof taskRecord>[2] = {}) =>
    start(taskRecord(owner, task, { channelId: channels, quota: 5000, ...more }))
  const sing = () => draw({ platform: 'suno', action: 'MUSIC', status: 'NOT_START' })
  const idOf = ({ task }: RequestRecord): string => task?.taskId ?? ''
  const tell = (record: RequestRecord, more: Record<string, unknown>): void =>
    bench.service.move(idOf(record), { id: idOf(record), task_id: idOf(record), ...more })

  const poll = async (which: TestNode = node): Promise<void> => {
    const tasks = openOpenTasks(database)
    await which.refresh.refresh('midjourney', await tasks.page('midjourney', 0, 500))
    await which.refresh.refresh('suno', await tasks.page('suno', 0, 500))
  }
  const drawing = (record: RequestRecord) =>
    database.query.selectFrom('midjourneys').selectAll().where('request_id', '=', record.id).executeTakeFirstOrThrow()
  const song = (record: RequestRecord) =>
    database.query.selectFrom('tasks').selectAll().where('request_id', '=', record.id).executeTakeFirstOrThrow()
  const books = async () => {
    const user = await database.query
      .selectFrom('users')
      .select(['quota', 'used_quota'])
      .where('id', '=', owner.userId)
      .executeTakeFirstOrThrow()
    const token = await database.query
      .selectFrom('tokens')
      .select(['remain_quota', 'used_quota'])
      .where('id', '=', owner.tokenId)
      .executeTakeFirstOrThrow()
    const channel = await database.query
      .selectFrom('channels')
      .select('used_quota')
      .where('id', '=', channels)
      .executeTakeFirst()
    return [user.quota, user.used_quota, token.remain_quota, token.used_quota, channel?.used_quota]
  }
  const charged = [995_000, 5000, 495_000, 5000, 5000]
  const whole = [1_000_000, 0, 500_000, 0, 0]
  const refundLogs = async () =>
    database.query
      .selectFrom('logs')
      .select(['type', 'content', 'user_id', 'quota'])
      .where('type', '=', 4)
      .where('user_id', '=', owner.userId)
      .execute()
  const differences = async () => (await verifyLedger(database)).differences

  describe('begin', () => {
    it('with their charge, in one step, whatever is repeated', async () => {
      const record = await draw()
      await start(record)
      expect(await books()).toEqual(charged)
      expect(await drawing(record)).toMatchObject({
        mj_id: idOf(record),
        user_id: owner.userId,
        channel_id: channels,
        quota: 5000,
        progress: '0%',
        status: 'SUBMITTED',
        key_hash: 'hash of key-a',
      })
      expect(await database.query.selectFrom('midjourneys').select('id').execute()).toHaveLength(1)
    })

    it('without one where the upstream refused, as a finished row', async () => {
      const record = await draw(
        { taskId: '', code: 24, status: 'FAILURE', progress: '100%', failReason: 'no' },
        { kind: 'error', quota: 0, receipt: undefined },
      )
      await start(record)
      expect(await drawing(record)).toMatchObject({ code: 24, quota: 0, status: 'FAILURE', fail_reason: 'no' })
      expect(await database.query.selectFrom('midjourneys').select('id').execute()).toHaveLength(1)
      expect(await books()).toEqual(whole)
    })

    it('as songs do', async () => {
      const record = await sing()
      expect(await song(record)).toMatchObject({
        platform: 'suno',
        action: 'MUSIC',
        task_id: idOf(record),
        quota: 5000,
        submit_time: Math.floor((record.task?.submittedAt ?? 0) / 1000),
        properties: '{"input":"a toll booth"}',
      })
    })
  })

  it('survive a crash between the upstream’s yes and the database, and are charged once', async () => {
    const { directory, remove } = await newJournalDirectory()
    const before = await openTestLedger(database, directory, { delayMs: 60_000 })
    const record = taskRecord(owner, {}, { channelId: channels, quota: 5000 })
    await before.ledger.recorder.end(record)
    await before.crash()
    expect(await database.query.selectFrom('midjourneys').select('id').execute()).toEqual([])
    for (let starts = 0; starts < 3; starts += 1) await (await openTestLedger(database, directory)).crash()
    expect(await drawing(record)).toMatchObject({ mj_id: idOf(record), quota: 5000 })
    expect(await database.query.selectFrom('midjourneys').select('id').execute()).toHaveLength(1)
    expect(await books()).toEqual(charged)
    await remove()
  })

  it('that fail are logged where logs live apart, once', async () => {
    const logDatabase = await open()
    const apart = await bench.node({ logDatabase })
    const record = await draw()
    tell(record, { status: 'FAILURE', failReason: 'x' })
    await Promise.all([poll(apart), poll(apart)])
    expect(await books()).toEqual(whole)
    expect(await refundLogs()).toEqual([])
    const rows = await logDatabase.query.selectFrom('logs').select(['content', 'type']).execute()
    expect(rows).toEqual([{ type: 4, content: `构图失败 ${idOf(record)}，补偿 5000 点额度` }])
  })

  it('are found by whoever asked at once after the answer', async () => {
    const record = taskRecord(owner, {}, { channelId: channels, quota: 5000 })
    const arrival = node.ledger.arrived(record.id, 5000)
    await node.ledger.recorder.end(record)
    await arrival
    expect(await openTaskBooks(database).drawing(owner.userId, idOf(record))).toMatchObject({ quota: 5000 })
  })

  describe('move on', () => {
    it('as their upstream says, and are asked after with the key that began them', async () => {
      const record = await draw({ keyHash: 'hash of key-b' })
      const listed = bench.channels.list.find(({ id }) => id === channels)
      bench.channels.list.splice(bench.channels.list.indexOf(listed as never), 1, {
        ...(listed as NonNullable<typeof listed>),
        keys: ['key-a', 'key-b'],
      })
      tell(record, {
        status: 'IN_PROGRESS',
        progress: '45%',
        startTime: 1_763_600_001_000,
        imageUrl: 'https://x.example/p.png',
      })
      await poll()
      expect(bench.service.asked.at(-1)).toEqual({
        path: '/mj/task/list-by-condition',
        key: 'key-b',
        ids: [idOf(record)],
      })
      expect(await drawing(record)).toMatchObject({
        status: 'IN_PROGRESS',
        progress: '45%',
        start_time: 1_763_600_001_000,
        image_url: 'https://x.example/p.png',
        finish_time: 0,
      })
      tell(record, {
        status: 'SUCCESS',
        progress: '100%',
        finishTime: 1_763_600_009_000,
        promptEn: 'booth\0',
        buttons: [{ customId: 'a' }],
        properties: { finalPrompt: 'booth' },
      })
      await poll()
      expect(await drawing(record)).toMatchObject({
        status: 'SUCCESS',
        progress: '100%',
        finish_time: 1_763_600_009_000,
        prompt_en: 'booth',
        buttons: '[{"customId":"a"}]',
        properties: '{"finalPrompt":"booth"}',
        code: 1,
      })
      expect(await books()).toEqual(charged)
    })

    it('as songs do', async () => {
      const record = await sing()
      tell(record, { status: 'IN_PROGRESS', progress: '100%', start_time: 1_763_600_001, data: [{ id: 'clip' }] })
      await poll()
      expect(await song(record)).toMatchObject({ status: 'IN_PROGRESS', progress: '99%', data: '[{"id":"clip"}]' })
      tell(record, { status: 'SUCCESS', finish_time: 1_763_600_100 })
      await poll()
      expect(await song(record)).toMatchObject({ status: 'SUCCESS', progress: '100%', finish_time: 1_763_600_100 })
      const [mine] = await openTaskBooks(database).songs(owner.userId, [idOf(record)])
      expect(mine).toMatchObject({ data: [{ id: 'clip' }], properties: { input: 'a toll booth' } })
    })

    it('never again once they have ended: a failure after a success pays nothing back', async () => {
      const record = await draw()
      const [before] = await openOpenTasks(database).page('midjourney', 0, 10)
      tell(record, { status: 'SUCCESS', progress: '100%' })
      await poll()
      if (before === undefined) throw new Error('no task')
      await other.settling.settle(before, { kind: 'failed', columns: { status: 'FAILURE', progress: '100%' } })
      expect(await drawing(record)).toMatchObject({ status: 'SUCCESS' })
      expect(await books()).toEqual(charged)
    })

    it('not at all while nobody answers, and not because of what is said of other tasks', async () => {
      const record = await draw()
      tell(record, { status: 'FAILURE', failReason: 'x' })
      bench.service.broken = 500
      expect(await node.refresh.refresh('midjourney', await openOpenTasks(database).page('midjourney', 0, 9))).toBe(
        false,
      )
      expect(await drawing(record)).toMatchObject({ status: 'SUBMITTED', progress: '0%' })
      expect(await books()).toEqual(charged)
    })
  })

  describe('that fail', () => {
    it.each([
      ['with a reason', { status: 'IN_PROGRESS', progress: '10%', failReason: 'banned' }, 'banned'],
      ['by their status', { status: 'FAILURE', progress: '100%' }, 'FAILURE'],
      ['because somebody cancelled them', { status: 'CANCEL', progress: '0%' }, 'CANCEL'],
    ])('%s are paid back to everybody who paid', async (_, state, reason) => {
      const record = await draw()
      expect(await books()).toEqual(charged)
      tell(record, state)
      await poll()
      await poll()
      expect(await drawing(record)).toMatchObject({ status: 'FAILURE', progress: '100%', fail_reason: reason })
      expect(await books()).toEqual(whole)
      expect(await refundLogs()).toEqual([
        { type: 4, content: `构图失败 ${idOf(record)}，补偿 5000 点额度`, user_id: owner.userId, quota: 5000 },
      ])
      const entries = await database.query
        .selectFrom('ledger_entries')
        .select(['account', 'amount', 'detail'])
        .where('reason', '=', 'refund')
        .where('detail', 'like', `%${record.id}"%`)
        .orderBy('account')
        .execute()
      expect(entries.map(({ account, amount }) => [account, amount])).toEqual([
        ['token', 5000],
        ['user', 5000],
      ])
      expect(JSON.parse(entries[0]?.detail ?? '')).toMatchObject({ task_id: idOf(record), request_id: record.id })
      expect(await differences()).toEqual([])
    })

    it('as songs are', async () => {
      const record = await sing()
      tell(record, { status: 'QUEUED', fail_reason: 'no credit' })
      await poll()
      expect(await song(record)).toMatchObject({ status: 'FAILURE', progress: '100%', fail_reason: 'no credit' })
      expect(await books()).toEqual(whole)
      expect((await refundLogs()).map(({ content }) => content)).toEqual([
        `异步任务执行失败 ${idOf(record)}，补偿 5000 点额度`,
      ])
    })

    it('are paid back once, whoever says so at the same moment', async () => {
      const record = await draw()
      tell(record, { status: 'FAILURE', failReason: 'x' })
      await Promise.all([poll(node), poll(other), poll(node), poll(other), poll(other)])
      expect(await books()).toEqual(whole)
      expect(await refundLogs()).toHaveLength(1)
    })

    it('cost nothing to give back where they were free', async () => {
      const record = await draw({ action: 'INPAINT' }, { quota: 0 })
      tell(record, { status: 'FAILURE', failReason: 'x' })
      await poll()
      expect(await drawing(record)).toMatchObject({ status: 'FAILURE' })
      expect(await books()).toEqual(whole)
      expect(await refundLogs()).toEqual([])
    })

    it('are known to a ledger that was charged before, and what can be spent grows at once', async () => {
      const record = await draw({}, { quota: 500_000 })
      const need = (requestId: string) =>
        node.ledger.holds.hold({ requestId, userId: owner.userId, tokenId: owner.tokenId, amount: 400_000 })
      expect(await need('before')).toMatchObject({ kind: 'refused', account: 'token' })
      tell(record, { status: 'FAILURE', failReason: 'x' })
      await poll()
      expect(await need('after')).toMatchObject({ kind: 'held' })
    })

    it('make a key usable again that they had spent, but none that its owner switched off', async () => {
      const record = await draw({}, { quota: 500_000 })
      const statusAfter = async (status: number, which: RequestRecord) => {
        await database.query.updateTable('tokens').set({ status }).where('id', '=', owner.tokenId).execute()
        tell(which, { status: 'FAILURE', failReason: 'x' })
        await poll()
        const row = database.query.selectFrom('tokens').select('status').where('id', '=', owner.tokenId)
        return (await row.executeTakeFirst())?.status
      }
      expect(await statusAfter(4, record)).toBe(1)
      expect(node.changedTokens.at(-1)).toBe(owner.tokenId)
      expect(await statusAfter(2, await draw())).toBe(2)
    })

    it('include those that took an hour, even when their channel is silent', async () => {
      const record = await draw()
      bench.now += 3_590_000
      bench.service.broken = 500
      await poll()
      expect(await books()).toEqual(charged)
      bench.now += 20_000
      await poll()
      expect(await drawing(record)).toMatchObject({ status: 'FAILURE', fail_reason: '上游任务超时（超过1小时）' })
      expect(await books()).toEqual(whole)
    })

    it('include those whose channel is gone, but not those whose channel is off', async () => {
      const record = await draw()
      const at = bench.channels.list.findIndex(({ id }) => id === channels)
      bench.channels.list.splice(at, 1)
      await poll()
      expect(await drawing(record)).toMatchObject({ status: 'SUBMITTED' })
      await database.query.deleteFrom('channels').where('id', '=', channels).execute()
      await poll()
      expect(await drawing(record)).toMatchObject({
        status: 'FAILURE',
        fail_reason: `获取渠道信息失败，请联系管理员，渠道ID：${channels}`,
      })
      expect((await books()).slice(0, 4)).toEqual(whole.slice(0, 4))
    })

    it('while their channel is off are still asked after', async () => {
      const at = bench.channels.list.findIndex(({ id }) => id === channels)
      const listed = bench.channels.list[at]
      if (listed !== undefined) bench.channels.list.splice(at, 1, { ...listed, enabled: false })
      const record = await draw()
      tell(record, { status: 'FAILURE', failReason: 'x' })
      await poll()
      expect(await books()).toEqual(whole)
    })

    it('include rows of the reference’s time, which were charged to the user alone', async () => {
      const row = {
        code: 1,
        user_id: owner.userId,
        action: 'IMAGINE',
        mj_id: '',
        prompt: '',
        prompt_en: '',
        description: '',
        state: '',
        submit_time: Date.now(),
        start_time: 0,
        finish_time: 0,
        image_url: '',
        status: '',
        progress: '0%',
        fail_reason: '',
        channel_id: channels,
        quota: 700,
        buttons: '',
        properties: '',
      }
      await database.query
        .insertInto('midjourneys')
        .values([row, { ...row, mj_id: 'old' }])
        .execute()
      bench.service.move('old', { id: 'old', status: 'FAILURE', failReason: 'x' })
      await poll()
      const [quota] = await books()
      expect(quota).toBe(1_001_400)
      expect(await differences()).toEqual([])
    })
  })

  it('of a drawing and its modal share an id; the newer one is answered, both are followed', async () => {
    const first = await draw({ taskId: 'shared', action: 'INPAINT' }, { quota: 0 })
    const second = await draw({ taskId: 'shared', action: 'MODAL' })
    bench.service.move('shared', { id: 'shared', status: 'FAILURE', failReason: 'x' })
    expect(await openTaskBooks(database).drawing(owner.userId, 'shared')).toMatchObject({ action: 'MODAL' })
    expect(await openTaskBooks(database).drawing(owner.userId + 1, 'shared')).toBeUndefined()
    await poll()
    expect([(await drawing(first)).status, (await drawing(second)).status]).toEqual(['FAILURE', 'FAILURE'])
    expect(await books()).toEqual(whole)
  })

  it('are asked after by one node per period', async () => {
    await database.query.deleteFrom('cluster_jobs').execute()
    const record = await draw()
    const turns = async (): Promise<number> => {
      const before = bench.service.asked.length
      await Promise.all([node.poll.tick(), other.poll.tick(), node.poll.tick(), other.poll.tick()])
      return bench.service.asked.length - before
    }
    expect(await turns()).toBe(0)
    bench.now += 15_000
    expect(await turns()).toBe(1)
    expect(await turns()).toBe(0)
    bench.now += 15_000
    tell(record, { status: 'SUCCESS', progress: '100%' })
    expect(await turns()).toBe(1)
    bench.now += 15_000
    expect(await turns()).toBe(0)
    const names = await database.query.selectFrom('cluster_jobs').select('name').orderBy('name').execute()
    expect(names.map(({ name }) => name)).toEqual(Object.values(pollJobs).sort())
  })

  it('are asked after in pages, all of them', async () => {
    const many = Array.from({ length: 230 }, () => taskRecord(owner, {}, { channelId: channels, quota: 1 }))
    for (const record of many) tell(record, { status: 'SUCCESS', progress: '100%' })
    await Promise.all(many.map((record) => node.ledger.recorder.end(record)))
    await node.ledger.flush()
    const before = bench.service.asked.length
    await poll()
    expect(bench.service.asked.slice(before).map(({ ids }) => ids.length)).toEqual([100, 100, 30])
    expect(await openOpenTasks(database).page('midjourney', 0, 10)).toEqual([])
  })
})
