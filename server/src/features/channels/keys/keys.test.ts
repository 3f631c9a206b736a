import type { ChannelKey } from '@tollgate/contract'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { describeEachEngine } from '../../../../test/support/db/databases.ts'
import { type Bench, now, openBench, type Shown } from '../../../../test/support/features/channel-test-bench.ts'
import type { Database } from '../../../db/database.ts'
import type { RelayChannel } from '../../../relay/ports.ts'
import { noAnswer } from '../../../relay/upstream/upstream-failure.ts'

const keys = ['sk-first-000001', 'sk-second-00002', 'sk-third-000003'] as const
const refused = { status: 401, type: '', code: '', message: 'bad key', cause: '' }

describeEachEngine('several keys of a channel', (open) => {
  let database: Database
  let bench: Bench
  let id: number

  beforeAll(async () => {
    database = await open()
  })
  beforeEach(async () => {
    bench = await openBench(database)
    ;({ id } = await bench.create({ key: keys.join('\n'), keys_together: true }))
  })

  const relayed = (): RelayChannel => {
    const channel = bench.directory.snapshot().byId(id)
    if (!channel) throw new Error('missing')
    return channel
  }
  const list = (): Promise<ChannelKey[]> => bench.data('GET', `/api/channel/${id}/keys`)
  const show = (): Promise<Shown> => bench.data('GET', `/api/channel/${id}`)
  const keyId = async (index: number): Promise<string> => (await list())[index]?.id ?? ''
  const refuse = async (key: string, channel = relayed()): Promise<void> => {
    bench.directory.report(channel, refused, key)
    await bench.directory.refresh()
  }

  it('are shown by their ends only, and belong to one channel', async () => {
    expect(await bench.list()).toMatchObject([{ key: '', key_hint: '…0001 …0002 …0003', key_count: 3, key_enabled: 3 }])
    expect(relayed().keys).toEqual(keys)
    const shown = await list()
    expect(shown).toMatchObject([
      { hint: '…0001', status: 1, reason: '', status_time: 0, rests_until: 0, limits: [] },
      { hint: '…0002' },
      { hint: '…0003' },
    ])
    expect(new Set(shown.map((key) => key.id)).size).toBe(3)
    const stored = await database.query.selectFrom('channel_keys').selectAll().execute()
    for (const key of keys) expect(JSON.stringify([shown, stored, bench.traces])).not.toContain(key)
  })

  it('are shown whole on demand, which leaves a trace', async () => {
    expect(await bench.data('POST', `/api/channel/${id}/key`, {})).toEqual({ key: keys.join('\n') })
    const one = { key_id: await keyId(1) }
    expect(await bench.data('POST', `/api/channel/${id}/key`, one)).toEqual({ key: keys[1] })
    expect(bench.traces.slice(-2)).toMatchObject([
      { action: 'channel.reveal', objectId: id, actor: { username: 'root' }, after: { key_hint: '…0001 …0002 …0003' } },
      { action: 'channel.reveal', after: { key_hint: '…0002' } },
    ])
    await expect(bench.data('POST', `/api/channel/${id}/key`, { key_id: 'nothing' })).rejects.toThrow('密钥未找到')
  })

  it('go one by one when their provider refuses them, and take the channel with the last', async () => {
    await refuse(keys[1])
    expect(relayed().keys).toEqual([keys[0], keys[2]])
    expect(await show()).toMatchObject({ status: 1, key_count: 3, key_enabled: 2 })
    expect((await list())[1]).toMatchObject({ status: 3, reason: 'bad key', status_time: now })
    const before = relayed()
    await refuse(keys[0], before)
    // A call that had begun with the channel as it was before.
    await refuse(keys[2], before)
    expect(bench.served()).toEqual([])
    expect(await show()).toMatchObject({ status: 3, key_enabled: 0 })
    expect(bench.notices).toEqual([
      `main ${keys[1]}: bad key`,
      `main ${keys[0]}: bad key`,
      `main ${keys[2]}: bad key`,
      'main: bad key',
    ])
  })

  it('name the error by its code where the reason is ours', async () => {
    const { failure } = noAnswer({ code: 'upstream_timeout', cause: 'late', status: 401 }, relayed(), keys[0])
    bench.directory.report(relayed(), failure, keys[0])
    await bench.directory.refresh()
    expect((await list())[0]).toMatchObject({ status: 3, reason: '上游响应超时', code: 'upstream_timeout' })
    const rows = await database.query.selectFrom('channel_keys').select('reason').where('status', '=', 3).execute()
    expect(rows).toContainEqual({ reason: '{"code":"upstream_timeout","params":{}}' })
  })

  it('go once, however many calls are refused', async () => {
    const channel = relayed()
    for (let call = 0; call < 20; call += 1) bench.directory.report(channel, refused, keys[0])
    await bench.directory.refresh()
    expect(bench.notices).toEqual([`main ${keys[0]}: bad key`])
    expect(relayed().keys).toHaveLength(2)
  })

  it('stay when automatic disabling is off for the site or the channel', async () => {
    bench.rules = { ...bench.rules, disables: false }
    await refuse(keys[0])
    bench.rules = { ...bench.rules, disables: true }
    await bench.data('PUT', '/api/channel/', { id, auto_ban: 0 })
    await refuse(keys[0])
    expect(relayed().keys).toHaveLength(3)
  })

  it('are all enabled again when an admin enables the channel', async () => {
    for (const key of keys) await refuse(key)
    await bench.data('PUT', '/api/channel/', { id, status: 1 })
    expect(relayed().keys).toEqual(keys)
    expect((await list()).map(({ status }) => status)).toEqual([1, 1, 1])
  })

  it('are disabled and enabled by people, and keep that when the channel is enabled', async () => {
    const set = async (index: number, status: number) =>
      bench.data('PUT', `/api/channel/${id}/keys`, { key_id: await keyId(index), status })
    await set(0, 2)
    expect(relayed().keys).toEqual([keys[1], keys[2]])
    await bench.data('PUT', '/api/channel/', { id, status: 2 })
    await bench.data('PUT', '/api/channel/', { id, status: 1 })
    expect(relayed().keys).toEqual([keys[1], keys[2]])
    await set(1, 2)
    await set(2, 2)
    expect(await show()).toMatchObject({ status: 3, key_enabled: 0 })
    await bench.data('PUT', '/api/channel/', { id, status: 1 })
    expect(relayed().keys).toEqual(keys)
    expect(bench.traces.filter(({ action }) => action === 'channel.key_status')).toHaveLength(3)
  })

  it('bring the channel back when one of them is enabled', async () => {
    for (const key of keys) await refuse(key)
    await bench.data('PUT', `/api/channel/${id}/keys`, { key_id: await keyId(2), status: 1 })
    expect(await show()).toMatchObject({ status: 1, key_enabled: 1, other_info: '' })
    expect(relayed().keys).toEqual([keys[2]])
  })

  describe('switched off by hand, all of them', () => {
    const set = async (index: number, status: number) =>
      bench.data('PUT', `/api/channel/${id}/keys`, { key_id: await keyId(index), status })
    const switchAll = async (status: number): Promise<void> => {
      for (const index of keys.keys()) await set(index, status)
    }

    it('take the channel along, say why, and bring it back', async () => {
      await switchAll(2)
      expect(bench.served()).toEqual([])
      const { other_info, status } = await show()
      expect(status).toBe(3)
      expect(JSON.parse(String(other_info))).toEqual({
        status_reason: '所有密钥均已禁用',
        status_time: now,
        status_error: { code: 'channel_keys_disabled', params: {} },
      })
      await set(1, 1)
      expect(await show()).toMatchObject({ status: 1, key_enabled: 1, other_info: '' })
      expect(relayed().keys).toEqual([keys[1]])
    })

    it('leave a channel off that an admin disabled', async () => {
      await bench.data('PUT', '/api/channel/', { id, status: 2 })
      await switchAll(2)
      await set(1, 1)
      expect(await show()).toMatchObject({ status: 2, key_enabled: 1 })
    })

    it('let the channel come back with a new one', async () => {
      await switchAll(2)
      await bench.data('POST', `/api/channel/${id}/keys`, { keys: 'sk-fourth-00004' })
      expect(await show()).toMatchObject({ status: 1, key_count: 4, key_enabled: 1 })
      expect(relayed().keys).toEqual(['sk-fourth-00004'])
    })

    it('stay off when the last enabled one is removed', async () => {
      await set(0, 2)
      await set(1, 2)
      await bench.data('POST', `/api/channel/${id}/keys/remove`, { key_id: await keyId(2) })
      expect(await show()).toMatchObject({ status: 3, key_count: 2, key_enabled: 0 })
      await set(0, 1)
      await bench.data('POST', `/api/channel/${id}/keys/remove`, { key_id: await keyId(0) })
      expect(await show()).toMatchObject({ status: 2, key_count: 1 })
      expect(bench.served()).toEqual([])
    })
  })

  it('of which there is one only is switched with its channel', async () => {
    const single = await bench.create({ key: 'sk-single-00009' })
    const [key] = await bench.data<ChannelKey[]>('GET', `/api/channel/${single.id}/keys`)
    for (const status of [2, 1]) {
      await bench.data('PUT', `/api/channel/${single.id}/keys`, { key_id: key?.id, status })
      expect(await bench.data('GET', `/api/channel/${single.id}`)).toMatchObject({ status })
    }
  })

  it('are added and removed without touching the state of the others', async () => {
    await refuse(keys[0])
    const more = `sk-fourth-00004\n${keys[1]}\nsk-fourth-00004`
    expect(await bench.data('POST', `/api/channel/${id}/keys`, { keys: more })).toBe(1)
    expect((await list()).map(({ hint, status }) => [hint, status])).toEqual([
      ['…0001', 3],
      ['…0002', 1],
      ['…0003', 1],
      ['…0004', 1],
    ])
    const left = await bench.data<ChannelKey[]>('POST', `/api/channel/${id}/keys/remove`, { key_id: await keyId(1) })
    expect(left.map(({ hint }) => hint)).toEqual(['…0001', '…0003', '…0004'])
    expect(relayed().keys).toEqual([keys[2], 'sk-fourth-00004'])
    expect(await show()).toMatchObject({ key_hint: '…0001 …0003 …0004' })
  })

  it('are stored once each, however often they are pasted', async () => {
    const [first, second] = keys
    const twice = await bench.create({ key: `${first}\n\n ${second} \r\n${first}`, keys_together: true })
    expect(twice).toMatchObject({ key_hint: '…0001 …0002', key_count: 2 })
    const shown = await bench.data<ChannelKey[]>('GET', `/api/channel/${twice.id}/keys`)
    expect(shown.map(({ hint }) => hint)).toEqual(['…0001', '…0002'])
    await bench.data('PUT', '/api/channel/', { id: twice.id, key: `${first}\n${first}` })
    expect(await bench.data('GET', `/api/channel/${twice.id}`)).toMatchObject({ key_hint: '…0001', key_count: 1 })
  })

  it('cannot be added to a channel whose key is a document', async () => {
    const account = JSON.stringify({ project_id: 'one' })
    const vertex = await bench.create({ type: 41, other: 'us-central1', key: account })
    const adding = bench.data('POST', `/api/channel/${vertex.id}/keys`, { keys: JSON.stringify({ project_id: 'two' }) })
    await expect(adding).rejects.toThrow('只能有一个密钥')
    expect(await bench.data('POST', `/api/channel/${vertex.id}/key`, {})).toEqual({ key: account })
  })

  it('are never fewer than one', async () => {
    for (let round = 0; round < 2; round += 1) {
      await bench.data('POST', `/api/channel/${id}/keys/remove`, { key_id: await keyId(0) })
    }
    expect(await show()).toMatchObject({ key_count: 1, key_enabled: 1 })
    expect(relayed().ring).toBeUndefined()
    const last = { key_id: await keyId(0) }
    await expect(bench.data('POST', `/api/channel/${id}/keys/remove`, last)).rejects.toThrow('渠道至少需要一个密钥')
  })

  it('are all stored when two admins add some at once, or one of them gets an error', async () => {
    const add = (keys: string) => bench.data('POST', `/api/channel/${id}/keys`, { keys })
    const outcomes = await Promise.allSettled([add('sk-adam-0000005'), add('sk-eve-00000006')])
    const added = outcomes.filter(({ status }) => status === 'fulfilled').length
    expect(added).toBeGreaterThan(0)
    expect(await list()).toHaveLength(3 + added)
    expect(relayed().keys).toHaveLength(3 + added)
    expect(await show()).toMatchObject({ key_count: 3 + added })
  })

  it('are found, copied, replaced and deleted with their channel', async () => {
    expect(await bench.data('GET', `/api/channel/search?keyword=${keys[1]}`)).toMatchObject([{ id }])
    await refuse(keys[0])
    const copy = await bench.data('POST', `/api/channel/copy/${id}`)
    expect(copy).toMatchObject({ key_count: 3, key_enabled: 3, status: 2 })
    await bench.data('PUT', '/api/channel/', { id, key: 'sk-only-0000009' })
    expect(await show()).toMatchObject({ key_count: 1, key_hint: '…0009' })
    expect(relayed().keys).toEqual(['sk-only-0000009'])
    await bench.data('POST', '/api/channel/batch', { ids: [id, copy.id] })
    expect(await database.query.selectFrom('channel_keys').selectAll().execute()).toEqual([])
  })

  it('take turns or not as the extra settings say, which must be one of both', async () => {
    expect(relayed().ring).toMatchObject({ rotation: 'random', affinity: true })
    await bench.data('PUT', '/api/channel/', { id, setting: '{"key_rotation":"round_robin","key_affinity":false}' })
    expect(relayed().ring).toMatchObject({ rotation: 'round_robin', affinity: false })
    const wrong = { id, setting: '{"key_rotation":"sometimes"}' }
    await expect(bench.data('PUT', '/api/channel/', wrong)).rejects.toThrow('key_rotation 必须是')
  })
})
