import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { openTestLimiter } from '#server-test/support/limits/limiter.ts'
import { openVideoScene, unitsPerSecond, type VideoNode, type VideoScene } from '../tests/video-scene.ts'

const order = { model: 'sora-2', prompt: 'a cat', seconds: '8', size: '1280x720' }
const price = 8 * unitsPerSecond

describeEachEngine('the money of a video', (open) => {
  let database: Database
  let scene: VideoScene
  let node: VideoNode

  const begin = async (parts: Parameters<typeof openVideoScene>[1] = {}): Promise<void> => {
    database = await open()
    scene = await openVideoScene(database, parts)
    node = await scene.node()
    scene.provider.routes.set('POST /v1/videos', { json: { id: 'video_up', status: 'queued' } })
    state('in_progress')
  }
  const state = (status: string): void =>
    void scene.provider.routes.set('GET /v1/videos/video_up', { json: { id: 'video_up', status, seconds: '8' } })
  beforeEach(() => begin())
  afterEach(() => scene.close())

  const create = (by: VideoNode = node) => by.call('POST', '/v1/videos', { body: order })
  const look = async (...nodes: VideoNode[]): Promise<void> => {
    scene.later(60_000)
    await Promise.all(nodes.map(({ following }) => following.work()))
    for (const one of nodes) await one.settled()
  }
  const amounts = async () => (await scene.charges()).map(({ amount }) => amount)
  /** The same node after it was killed. */
  const again = async (): Promise<VideoNode> => {
    await node.crash()
    node = await scene.node('one', node.directory)
    await node.holding.resume()
    return node
  }

  it('is taken once where two nodes look at once, and where they see the end twice', async () => {
    const second = await scene.node('two')
    await create()
    state('completed')
    await look(node, second)
    expect(await amounts()).toEqual([-price])
    // The row is as it was before the charge was noted in it: each node charges it under the same name.
    for (const one of [node, second]) {
      await sql`update video_jobs set is_open = 1, state = 'queued', next_time = 0`.execute(database.query)
      await look(one)
    }
    expect(await amounts()).toEqual([-price])
    expect(100_000_000 - (await scene.quota())).toBe(price)
    expect((await scene.logs()).length).toBe(1)
    expect([node.pending(), second.pending()]).toEqual([0, 0])
    expect(await scene.differences()).toEqual([])
  })

  it('is held again by the process that was killed while the video was made', async () => {
    await create()
    await look(node)
    await again()
    expect(node.pending()).toBe(price)
    state('completed')
    await look(node)
    expect(await amounts()).toEqual([-price])
    expect(node.pending()).toBe(0)
  })

  it('is held by another node where the process is gone, and given back there where it failed', async () => {
    const second = await scene.node('two')
    await create()
    await node.crash()
    scene.later(180_000)
    await second.holding.tick()
    expect(second.pending()).toBe(price)
    state('failed')
    await look(second)
    expect(second.pending()).toBe(0)
    expect(await amounts()).toEqual([])
  })

  it('is given back by the node that holds, once another has charged', async () => {
    const second = await scene.node('two')
    await create()
    state('completed')
    await look(second)
    expect(await amounts()).toEqual([-price])
    await node.holding.tick()
    expect(node.pending()).toBe(0)
  })

  it('is free and cannot be downloaded where a process was killed before its provider answered', async () => {
    const asked = Promise.withResolvers<void>()
    const answer = Promise.withResolvers<void>()
    scene.provider.routes.set('POST /v1/videos', async () => {
      asked.resolve()
      await answer.promise
      return { json: { id: 'video_up', status: 'queued' } }
    })
    const lost = create().catch(() => undefined)
    await asked.promise
    expect(await scene.rows()).toMatchObject([{ state: 'submitting', is_open: 1, held: price }])
    // The row of a killed process stays as it is.
    const [row] = await scene.rows()
    answer.resolve()
    await lost
    await again()
    await sql`update video_jobs set state = 'submitting', upstream_id = '', receipt = '', next_time = ${row?.next_time}`.execute(
      database.query,
    )
    state('completed')
    await look(node)
    expect(await scene.rows()).toMatchObject([{ state: 'submitting', is_open: 1 }])
    scene.later(1_200_000)
    await look(node)
    expect(await scene.rows()).toMatchObject([{ state: 'failed', is_open: 0, error_code: 'submission_unknown' }])
    const id = row?.public_id ?? ''
    expect((await node.call('GET', `/v1/videos/${id}/content`)).status).toBe(404)
    expect(await amounts()).toEqual([])
    expect(node.pending()).toBe(0)
  })

  it('is taken where the database refuses the rows for a while', async () => {
    const { store } = node.engine
    const { accepted, complete } = store
    let broken = 3
    const breaks = <Args extends unknown[], Result>(method: (...args: Args) => Promise<Result>) => {
      return async (...args: Args): Promise<Result> => {
        if (broken-- > 0) throw new Error('the database is away')
        return method(...args)
      }
    }
    Object.assign(store, { accepted: breaks(accepted) })
    const { json } = await create()
    expect(await scene.rows()).toMatchObject([{ upstream_id: 'video_up', state: 'queued' }])
    broken = 1
    Object.assign(store, { complete: breaks(complete) })
    state('completed')
    await look(node)
    expect(await amounts()).toEqual([-price])
    scene.later(180_000)
    await look(node)
    expect(await amounts()).toEqual([-price])
    expect((await node.call('GET', `/v1/videos/${String(json.id)}`)).json).toMatchObject({ status: 'completed' })
    expect(await scene.differences()).toEqual([])
  })

  it('of a provider that never ends a video is given back after two days', async () => {
    await create()
    await look(node)
    scene.later(49 * 3_600_000)
    await look(node)
    expect(await scene.rows()).toMatchObject([{ state: 'failed', error_code: 'expired' }])
    expect(node.pending()).toBe(0)
    expect(await amounts()).toEqual([])
  })

  it('counts in budgets from the beginning, and only what was charged at the end', async () => {
    await scene.close()
    const twice = openTestLimiter([{ measure: 'money', amount: 2 * price, window: 'day', subjects: [{ kind: 'key' }] }])
    await begin({ callLimits: twice })
    expect((await create()).status).toBe(200)
    expect((await create()).status).toBe(200)
    expect((await create()).status).toBe(429)
    state('failed')
    await look(node)
    await look(node)
    expect((await create()).status).toBe(200)
    state('completed')
    await look(node)
    await look(node)
    expect(await amounts()).toEqual([-price])
    expect((await create()).status).toBe(200)
    expect((await create()).status).toBe(429)
  })
})
