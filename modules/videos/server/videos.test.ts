import OpenAI, { toFile } from 'openai'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { testChannel } from '#server-test/support/relay/ports.ts'
import { openVideoScene, unitsPerSecond, type VideoNode, type VideoScene } from '../tests/video-scene.ts'

const movie = Buffer.from('a movie of eight seconds')

describeEachEngine('a video in OpenAI’s shape', (open) => {
  let database: Database
  let scene: VideoScene
  let node: VideoNode

  const upstream = (status: string, more: object = {}) => ({
    json: { id: 'video_up', object: 'video', model: 'sora-2', status, progress: 0, seconds: '8', ...more },
  })
  beforeEach(async () => {
    database = await open()
    scene = await openVideoScene(database)
    node = await scene.node()
    const { routes } = scene.provider
    routes.set('POST /v1/videos', upstream('queued'))
    routes.set('GET /v1/videos/video_up', upstream('in_progress', { progress: 33 }))
    routes.set('GET /v1/videos/video_up/content', { bytes: movie })
  })
  afterEach(() => scene.close())

  const order = { model: 'sora-2', prompt: 'a cat', seconds: '8', size: '1280x720' }
  const create = async (body: object = order): Promise<string> => {
    const { status, json } = await node.call('POST', '/v1/videos', { body })
    expect(status).toBe(200)
    return String(json.id)
  }
  const look = async (by: VideoNode = node, afterMs = 60_000): Promise<void> => {
    scene.later(afterMs)
    await by.following.work()
    await by.settled()
  }
  const done = (more: object = {}): void =>
    void scene.provider.routes.set('GET /v1/videos/video_up', upstream('completed', { progress: 100, ...more }))

  it('is made, polled, downloaded, listed, remixed and deleted by the official SDK', async () => {
    const client = new OpenAI({ apiKey: 'sk-good', baseURL: `${node.url}/v1`, maxRetries: 0 })
    const made = await client.videos.create({ model: 'sora-2', prompt: 'a cat', seconds: '8', size: '1280x720' })
    expect(made).toMatchObject({ object: 'video', status: 'queued', seconds: '8', size: '1280x720', error: null })
    await look()
    expect(await client.videos.retrieve(made.id)).toMatchObject({ status: 'in_progress', progress: 33 })
    await expect(client.videos.downloadContent(made.id)).rejects.toMatchObject({ status: 409 })
    done()
    await look()
    expect(await client.videos.retrieve(made.id)).toMatchObject({ status: 'completed', progress: 100 })
    const content = await client.videos.downloadContent(made.id)
    expect(content.headers.get('content-type')).toBe('video/mp4')
    expect(Buffer.from(await content.arrayBuffer())).toEqual(movie)
    scene.provider.routes.set('POST /v1/videos/video_up/remix', { json: { id: 'video_2', status: 'queued' } })
    const remix = await client.videos.remix(made.id, { prompt: 'at night' })
    expect(remix).toMatchObject({ remixed_from_video_id: made.id, seconds: '8', prompt: 'at night' })
    expect(scene.provider.received.at(-1)).toMatchObject({ json: { prompt: 'at night' } })
    const listed: string[] = []
    for await (const video of client.videos.list({ limit: 1 })) listed.push(video.id)
    expect(listed).toEqual([remix.id, made.id])
    scene.provider.routes.set('DELETE /v1/videos/video_up', { json: { deleted: true } })
    expect(await client.videos.delete(made.id)).toEqual({ id: made.id, object: 'video.deleted', deleted: true })
    expect(scene.provider.asked()).toContain('DELETE /v1/videos/video_up')
    await expect(client.videos.retrieve(made.id)).rejects.toMatchObject({ status: 404 })
    await expect(client.videos.delete(remix.id)).rejects.toMatchObject({ status: 409 })
  })

  it('takes a picture as a file of a form', async () => {
    const client = new OpenAI({ apiKey: 'sk-good', baseURL: `${node.url}/v1`, maxRetries: 0 })
    const picture = await toFile(Buffer.from('pixels'), 'cat.png', { type: 'image/png' })
    await client.videos.create({ model: 'sora-2', prompt: 'a cat', input_reference: picture })
    const [sent] = scene.provider.received
    expect(sent?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
    const form = await new Response(new Uint8Array(sent?.bytes ?? Buffer.alloc(0)), {
      headers: { 'content-type': sent?.headers['content-type'] ?? '' },
    }).formData()
    expect([form.get('model'), form.get('prompt'), form.get('seconds'), form.get('size')]).toEqual([
      ...['sora-2', 'a cat', '4', '720x1280'],
    ])
    const file = form.get('input_reference') as File
    expect([file.name, file.type, await file.text()]).toEqual(['cat.png', 'image/png', 'pixels'])
  })

  it('is held for until it is done, and charged once by its seconds', async () => {
    const id = await create()
    expect(node.pending()).toBe(8 * unitsPerSecond)
    await look()
    expect(await scene.charges()).toEqual([])
    expect(node.pending()).toBe(8 * unitsPerSecond)
    done()
    await look()
    expect(node.pending()).toBe(0)
    await look()
    const [charge, ...more] = await scene.charges()
    expect(more).toEqual([])
    const maker = { userId: scene.userId, projectId: 0, memberId: 0 }
    expect(node.ends).toEqual([{ kind: 'video', outcome: 'completed', id, maker }])
    expect(await node.engine.store.openJobs()).toEqual({ states: new Map(), oldest: undefined })
    expect(charge).toMatchObject({ movement: id, amount: -8 * unitsPerSecond })
    expect(JSON.parse(charge?.detail ?? '')).toMatchObject({ lines: [{ item: 'duration', quantity: 8000 }] })
    const [row, ...rows] = await scene.logs()
    expect(rows).toEqual([])
    expect(row).toMatchObject({ model_name: 'sora-2', quota: 8 * unitsPerSecond, request_id: id })
    expect(JSON.parse(row?.other ?? '')).toMatchObject({ video: { id, seconds: 8, size: '1280x720' } })
    expect(await scene.differences()).toEqual([])
  })

  it('is asked for with the members that its channel sets', async () => {
    await scene.close()
    const paramOverride = { size: '720x1280', metadata: { team: 'a' } }
    scene = await openVideoScene(database, { changes: { paramOverride } })
    node = await scene.node()
    scene.provider.routes.set('POST /v1/videos', upstream('queued'))
    await create()
    expect(scene.provider.received[0]?.json).toEqual({ ...order, ...paramOverride })
  })

  it('costs the seconds that its provider states, within bounds', async () => {
    await create()
    done({ seconds: '4' })
    await look()
    await create()
    done({ seconds: '100000' })
    await look()
    const amounts = (await scene.charges()).map(({ amount }) => amount)
    expect(amounts.sort((a, b) => a - b)).toEqual([-8 * unitsPerSecond, -4 * unitsPerSecond])
  })

  it('that fails costs nothing, and says why without the key of the channel', async () => {
    const id = await create()
    const error = { code: 'moderation_blocked', message: 'not with sk-account' }
    scene.provider.routes.set('GET /v1/videos/video_up', upstream('failed', { error }))
    await look()
    const { json } = await node.call('GET', `/v1/videos/${id}`)
    expect(json).toMatchObject({ status: 'failed', error: { code: 'moderation_blocked' } })
    expect(JSON.stringify(json)).not.toContain('sk-account')
    expect(node.ends).toMatchObject([{ outcome: 'failed', id }])
    expect(node.pending()).toBe(0)
    expect(await scene.charges()).toEqual([])
    expect((await node.call('GET', `/v1/videos/${id}/content`)).status).toBe(404)
    await look()
    const [row, ...rows] = (await scene.logs()).filter(({ model_name }) => model_name !== '')
    expect(rows).toEqual([])
    expect(row).toMatchObject({ model_name: 'sora-2', quota: 0, request_id: id, channel_id: 7 })
    expect(row?.content).not.toContain('sk-account')
    expect(JSON.parse(row?.other ?? '')).toMatchObject({ error_code: 'moderation_blocked', video: { id, seconds: 8 } })
    expect(await scene.differences()).toEqual([])
  })

  it('is not asked for where the balance, the price or the parameters do not allow it', async () => {
    const costly = { ...order, seconds: '600' }
    await scene.close()
    scene = await openVideoScene(database, { balance: 1_000_000 })
    node = await scene.node()
    expect((await node.call('POST', '/v1/videos', { body: costly })).status).toBe(403)
    for (const bad of [{ prompt: '' }, { seconds: '-1' }, { size: 'large' }, { n: 2 }, { input_reference: 'x' }])
      expect((await node.call('POST', '/v1/videos', { body: { ...order, ...bad } })).status).toBe(400)
    expect((await node.call('POST', '/v1/videos', { body: { ...order, model: 'other' } })).status).toBe(404)
    node.channels.list[0] = { ...testChannel(node.channels.list[0]), models: new Set(['unpriced']) }
    const unpriced = await node.call('POST', '/v1/videos', { body: { ...order, model: 'unpriced' } })
    expect([unpriced.status, JSON.stringify(unpriced.json)]).toEqual([
      400,
      expect.stringContaining('model_price_error'),
    ])
    expect(scene.provider.received).toEqual([])
    expect(node.pending()).toBe(0)
    expect(await scene.rows()).toEqual([])
  })

  it('of another user is not found, in any call', async () => {
    const id = await create()
    done()
    await look()
    const calls = [
      ['GET', `/v1/videos/${id}`],
      ['GET', `/v1/videos/${id}/content`],
      ['DELETE', `/v1/videos/${id}`],
      ['GET', `/v1/video/generations/${id}`],
    ] as const
    for (const id of ['video_%00', 'video_', 'x'.repeat(5000)])
      expect((await node.call('GET', `/v1/videos/${id}`)).status).toBe(404)
    expect((await node.call('GET', '/v1/videos?after=%00')).status).toBe(404)
    expect((await node.call('POST', '/v1/videos', { body: { ...order, prompt: 'a\u0000b' } })).status).toBe(400)
    for (const [method, path] of calls) expect((await node.call(method, path, { as: 'ben' })).status, path).toBe(404)
    const body = { prompt: 'at night' }
    expect((await node.call('POST', `/v1/videos/${id}/remix`, { as: 'ben', body })).status).toBe(404)
    expect((await node.call('GET', '/v1/videos', { as: 'ben' })).json).toMatchObject({ data: [], has_more: false })
    expect((await node.call('GET', `/v1/videos/${id}`)).status).toBe(200)
  })

  it('is a task of panels, whose link is the gateway’s', async () => {
    const body = { model: 'sora-2', prompt: 'a cat', duration: 8, width: 1280, height: 720 }
    const { json: begun } = await node.call('POST', '/v1/video/generations', { body })
    expect(begun).toMatchObject({ task_id: expect.stringMatching(/^video_/), status: 'queued' })
    expect(scene.provider.received[0]?.json).toMatchObject({ seconds: '8', size: '1280x720' })
    const path = `/v1/video/generations/${String(begun.task_id)}`
    expect((await node.call('GET', path)).json).toMatchObject({ status: 'queued', data: { status: 'QUEUED' } })
    done()
    await look()
    const { json } = await node.call('GET', path)
    expect(json).toMatchObject({ code: 'success', status: 'completed', data: { status: 'SUCCESS', progress: '100%' } })
    expect(String(json.url)).toMatch(new RegExp(`/v1/videos/${String(begun.task_id)}/content$`))
  })

  it('is forgotten where its provider refuses it, and free where no answer came', async () => {
    await scene.close()
    scene = await openVideoScene(database)
    node = await scene.node()
    const { routes } = scene.provider
    routes.set('POST /v1/videos', { status: 429, json: { error: { message: 'slow down', type: 'x' } } })
    expect((await node.call('POST', '/v1/videos', { body: order })).status).toBe(429)
    expect(await scene.rows()).toEqual([])
    routes.set('POST /v1/videos', { breaks: true })
    const { status } = await node.call('POST', '/v1/videos', { body: order })
    expect(status).toBe(504)
    await node.settled()
    expect(await scene.rows()).toMatchObject([{ state: 'failed', is_open: 0, error_code: 'submission_unknown' }])
    expect(node.log.join()).toContain('video_submission_unknown')
    expect(node.pending()).toBe(0)
    expect(await scene.charges()).toEqual([])
  })

  it('sends parts of its content', async () => {
    const id = await create()
    done()
    await look()
    scene.provider.routes.set('GET /v1/videos/video_up/content', ({ headers }) => ({
      status: 206,
      bytes: movie.subarray(0, 5),
      headers: { 'content-range': `bytes 0-4/${movie.length}`, 'x-range': String(headers.range) },
    }))
    const part = await node.call('GET', `/v1/videos/${id}/content`, { range: 'bytes=0-4' })
    expect([part.status, part.bytes.toString(), part.headers.get('content-range')]).toEqual([
      ...[206, 'a mov', `bytes 0-4/${movie.length}`],
    ])
    expect(part.headers.get('x-range')).toBeNull()
    expect(scene.provider.received.at(-1)?.headers).toMatchObject({ range: 'bytes=0-4' })
  })
})
