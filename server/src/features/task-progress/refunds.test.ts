import { describe, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { useTasks } from '../../../test/support/features/task-scene.ts'
import type { RequestRecord } from '../../relay/ports.ts'
import { openTaskCosts } from './task-costs.ts'

describeEachEngine('tasks that fail', (open) => {
  const scene = useTasks(open)
  const { draw, sing, idOf, setState, poll, drawing, song, books, charged, whole, refundLogs, differences } = scene

  describe('and what was paid for them', () => {
    it.each([
      ['with a reason', { status: 'IN_PROGRESS', progress: '10%', failReason: 'banned' }, 'banned'],
      ['by their status', { status: 'FAILURE', progress: '100%' }, 'FAILURE'],
      ['because they were cancelled', { status: 'CANCEL', progress: '0%' }, 'CANCEL'],
    ])('%s are refunded to user, key and channel', async (_, state, reason) => {
      const record = await draw()
      expect(await books()).toEqual(charged)
      setState(record, state)
      await poll()
      await poll()
      expect(await drawing(record)).toMatchObject({ status: 'FAILURE', progress: '100%', fail_reason: reason })
      expect(await books()).toEqual(whole)
      expect(await refundLogs()).toEqual([
        { type: 4, content: `构图失败 ${idOf(record)}，补偿 5000 点额度`, user_id: scene.owner.userId, quota: 5000 },
      ])
      const entries = await scene.database.query
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

    it('without telling the user the channel’s key or an address inside the network', async () => {
      const record = await draw()
      setState(record, { status: 'FAILURE', failReason: 'http://10.1.2.3:8080 refused key key-a' })
      await poll()
      expect(await drawing(record)).toMatchObject({ status: 'FAILURE', fail_reason: 'http://*** refused key ***' })
    })

    it('as songs are', async () => {
      const record = await sing()
      setState(record, { status: 'QUEUED', fail_reason: 'no credit' })
      await poll()
      expect(await song(record)).toMatchObject({ status: 'FAILURE', progress: '100%', fail_reason: 'no credit' })
      expect(await books()).toEqual(whole)
      expect((await refundLogs()).map(({ content }) => content)).toEqual([
        `异步任务执行失败 ${idOf(record)}，补偿 5000 点额度`,
      ])
    })

    it('cost nothing any more for clients that ask', async () => {
      const costs = openTaskCosts(scene.database)
      const record = await draw()
      expect(await costs([record.id, 'none'])).toEqual(new Map([[record.id, { dollars: '0.01', receipt: undefined }]]))
      setState(record, { status: 'FAILURE', failReason: 'banned' })
      await poll()
      expect(await costs([record.id])).toEqual(new Map([[record.id, { dollars: '0', receipt: undefined }]]))
    })

    it('are refunded once under concurrent refreshes', async () => {
      const record = await draw()
      setState(record, { status: 'FAILURE', failReason: 'x' })
      await Promise.all([poll(scene.node), poll(scene.other), poll(scene.node), poll(scene.other), poll(scene.other)])
      expect(await books()).toEqual(whole)
      expect(await refundLogs()).toHaveLength(1)
    })

    it('cost nothing to give back where they were free', async () => {
      const record = await draw({ action: 'INPAINT' }, { quota: 0 })
      setState(record, { status: 'FAILURE', failReason: 'x' })
      await poll()
      expect(await drawing(record)).toMatchObject({ status: 'FAILURE' })
      expect(await books()).toEqual(whole)
      expect(await refundLogs()).toEqual([])
    })

    it('are known to a ledger that was charged before, and what can be spent grows at once', async () => {
      const record = await draw({}, { quota: 500_000 })
      const need = () =>
        scene.node.ledger.holds.hold({
          userId: scene.owner.userId,
          tokenId: scene.owner.tokenId,
          amount: 400_000,
        })
      expect(await need()).toMatchObject({ kind: 'refused', account: 'token' })
      setState(record, { status: 'FAILURE', failReason: 'x' })
      await poll()
      expect(await need()).toMatchObject({ kind: 'held' })
    })

    it('make a key usable again that they had spent, but none that its owner switched off', async () => {
      const record = await draw({}, { quota: 500_000 })
      const statusAfter = async (status: number, which: RequestRecord) => {
        await scene.database.query.updateTable('tokens').set({ status }).where('id', '=', scene.owner.tokenId).execute()
        setState(which, { status: 'FAILURE', failReason: 'x' })
        await poll()
        const row = scene.database.query.selectFrom('tokens').select('status').where('id', '=', scene.owner.tokenId)
        return (await row.executeTakeFirst())?.status
      }
      expect(await statusAfter(4, record)).toBe(1)
      expect(scene.node.changedTokens.at(-1)).toBe(scene.owner.tokenId)
      expect(await statusAfter(2, await draw())).toBe(2)
    })

    it('include those that took an hour, even when their channel is silent', async () => {
      const record = await draw()
      scene.bench.now += 3_590_000
      scene.bench.service.broken = 500
      await poll()
      expect(await books()).toEqual(charged)
      scene.bench.now += 20_000
      await poll()
      expect(await drawing(record)).toMatchObject({ status: 'FAILURE', fail_reason: '上游任务超时（超过1小时）' })
      expect(await books()).toEqual(whole)
    })

    it('include those whose channel is gone, but not those whose channel is off', async () => {
      const record = await draw()
      const at = scene.bench.channels.list.findIndex(({ id }) => id === scene.channel)
      scene.bench.channels.list.splice(at, 1)
      await poll()
      expect(await drawing(record)).toMatchObject({ status: 'SUBMITTED' })
      await scene.database.query.deleteFrom('channels').where('id', '=', scene.channel).execute()
      await poll()
      expect(await drawing(record)).toMatchObject({
        status: 'FAILURE',
        fail_reason: `获取渠道信息失败，请联系管理员，渠道ID：${scene.channel}`,
      })
      expect((await books()).slice(0, 4)).toEqual(whole.slice(0, 4))
    })

    it('while their channel is off are still polled', async () => {
      const at = scene.bench.channels.list.findIndex(({ id }) => id === scene.channel)
      const listed = scene.bench.channels.list[at]
      if (listed !== undefined) scene.bench.channels.list.splice(at, 1, { ...listed, enabled: false })
      const record = await draw()
      setState(record, { status: 'FAILURE', failReason: 'x' })
      await poll()
      expect(await books()).toEqual(whole)
    })

    it('include rows of the reference’s time, which were charged to the user alone', async () => {
      const row = {
        code: 1,
        user_id: scene.owner.userId,
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
        channel_id: scene.channel,
        quota: 700,
        buttons: '',
        properties: '',
      }
      await scene.database.query
        .insertInto('midjourneys')
        .values([row, { ...row, mj_id: 'old' }, { ...row, code: 24 }])
        .execute()
      scene.bench.service.move('old', { id: 'old', status: 'FAILURE', failReason: 'x' })
      await poll()
      const [quota] = await books()
      expect(quota).toBe(1_001_400)
      expect(await differences()).toEqual([])
    })
  })

  it('that fail are logged where logs live apart, once', async () => {
    const logDatabase = await open()
    const apart = await scene.bench.node({ logDatabase })
    const record = await draw()
    setState(record, { status: 'FAILURE', failReason: 'x' })
    await Promise.all([poll(apart), poll(apart)])
    expect(await books()).toEqual(whole)
    expect(await refundLogs()).toEqual([])
    const rows = await logDatabase.query.selectFrom('logs').select(['content', 'type']).execute()
    expect(rows).toEqual([{ type: 4, content: `构图失败 ${idOf(record)}，补偿 5000 点额度` }])
  })
})
