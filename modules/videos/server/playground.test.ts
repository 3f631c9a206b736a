import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { openVideoScene, unitsPerSecond, type VideoNode, type VideoScene } from '../tests/video-scene.ts'

const order = { model: 'sora-2', prompt: 'a cat', seconds: 8, size: '1280x720' }

describeEachEngine('a video of the playground', (open) => {
  let scene: VideoScene
  let node: VideoNode

  const begin = async (parts: Parameters<typeof openVideoScene>[1] = {}): Promise<void> => {
    const database: Database = await open()
    scene = await openVideoScene(database, parts)
    node = await scene.node()
    scene.provider.routes.set('POST /v1/videos', { json: { id: 'video_up', status: 'queued', seconds: '8' } })
  }
  beforeEach(() => begin())
  afterEach(() => scene.close())

  const ask = (path: string, body: object) => node.call('POST', path, { body, as: 'no key at all' })
  const finish = async (answer: object): Promise<void> => {
    scene.provider.routes.set('GET /v1/videos/video_up', { json: { id: 'video_up', ...answer } })
    scene.later(60_000)
    await node.following.work()
    await node.settled()
  }

  it('has its price before it is made, which asks no provider and leaves nothing behind', async () => {
    const { status, json } = await ask('/pg/videos/price', order)
    expect(status).toBe(200)
    expect(json).toEqual({ quota: 8 * unitsPerSecond, seconds: 8, size: '1280x720' })
    expect(scene.provider.asked()).toEqual([])
    expect(await scene.rows()).toEqual([])
    expect(node.pending()).toBe(0)
  })

  it('has the length and size of its model where the form leaves them to it', async () => {
    const { json } = await ask('/pg/videos/price', { model: 'sora-2', prompt: 'x' })
    expect(json).toEqual({ quota: 4 * unitsPerSecond, seconds: 4, size: '720x1280' })
  })

  it('belongs to the person of the session, holds the price that was shown, and is charged with it', async () => {
    const { json: price } = await ask('/pg/videos/price', order)
    const { status, json } = await ask('/pg/videos', order)
    expect(status).toBe(200)
    expect(json).toMatchObject({ object: 'video', status: 'queued' })
    expect(await scene.rows()).toMatchObject([{ user_id: scene.userId, token_id: 0, held: price.quota }])
    expect(node.pending()).toBe(price.quota)
    await finish({ status: 'completed', seconds: '8' })
    expect(await scene.charges()).toMatchObject([{ movement: json.id, amount: -Number(price.quota), token_id: null }])
    expect(node.pending()).toBe(0)
    expect(await scene.differences()).toEqual([])
  })

  it('costs nothing where it fails at its provider', async () => {
    const before = await scene.quota()
    expect((await ask('/pg/videos', order)).status).toBe(200)
    await finish({ status: 'failed', error: { code: 'moderation_blocked', message: 'no' } })
    expect(await scene.rows()).toMatchObject([{ state: 'failed', error_code: 'moderation_blocked' }])
    expect(await scene.charges()).toEqual([])
    expect(node.pending()).toBe(0)
    expect(await scene.quota()).toBe(before)
  })

  it('is refused before a provider is asked where there is no price, no model, or no prompt', async () => {
    const refusals = await Promise.all([
      ask('/pg/videos/price', { ...order, model: 'unknown' }),
      ask('/pg/videos', { ...order, model: 'unknown' }),
      ask('/pg/videos', { ...order, prompt: '' }),
      ask('/pg/videos/price', { ...order, seconds: 601 }),
    ])
    for (const { status, json } of refusals) {
      expect(status).toBeGreaterThanOrEqual(400)
      expect(json).toMatchObject({ error: { message: expect.stringMatching(/./) } })
    }
    expect(scene.provider.asked()).toEqual([])
    expect(await scene.rows()).toEqual([])
  })

  it('is refused to a person whose balance does not cover it, who still sees its price', async () => {
    await scene.close()
    await begin({ balance: unitsPerSecond })
    expect((await ask('/pg/videos/price', order)).json).toMatchObject({ quota: 8 * unitsPerSecond })
    const { status } = await ask('/pg/videos', order)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(scene.provider.asked()).toEqual([])
  })

  it('is made in the group of the person, whose channels may not have the model', async () => {
    await scene.close()
    await begin({ visitor: { group: 'vip' } })
    const { status, json } = await ask('/pg/videos', order)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(json).toMatchObject({ error: { message: expect.stringContaining('sora-2') } })
    expect(scene.provider.asked()).toEqual([])
  })
})
