import { afterEach, describe, expect, it } from 'vitest'
import type { RelayChannel } from '#server/relay/ports.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { openVideoRun, type VideoRun } from '../../tests/video-run.ts'
import { unitsPerSecond } from '../../tests/video-scene.ts'
import { kling } from '../providers/kling.ts'
import { vidu } from '../providers/vidu.ts'

const model = 'kling-v2-6'
const passthrough = {
  groups: new Set(['default']),
  keys: new Set<number>(),
  paths: [],
  shared: false,
  price: undefined,
}
const ofKling = { type: 50, keys: ['access|secret'], passthrough } as const
const order = { model_name: model, prompt: 'a cat', duration: '10', mode: 'pro', cfg_scale: 0.5 }
const price = 10 * unitsPerSecond

const task = (more: object) => ({ code: 0, message: 'SUCCEED', request_id: 'r', data: { task_id: '78', ...more } })
const done = task({ task_status: 'succeed', task_result: { videos: [{ id: 'v', url: 'https://v.example/a.mp4' }] } })

describe('the price of a call in the shape of its provider', () => {
  it('is that of the same video in the shape of the gateway', () => {
    const read = (path: string, body: object) => {
      const begin = [...(kling.native?.begins ?? []), ...(vidu.native?.begins ?? [])].find((one) => one.path === path)
      if (begin === undefined) throw new Error(path)
      return begin.read({ prompt: 'x', ...body }, 'vidu2.0')
    }
    const atKling = (body: object) => kling.spec(read('/v1/videos/image2video', body), model)
    expect(atKling({ mode: 'pro', sound: 'on', duration: 10 })).toEqual(
      kling.spec({ prompt: 'x', seconds: 10, quality: 'pro', sound: true }, model),
    )
    expect(atKling({})).toEqual(kling.spec({ prompt: 'x' }, model))
    const atVidu = (body: object) => vidu.spec(read('/ent/v2/reference2video', body), 'vidu2.0')
    expect(atVidu({ resolution: '1080p', duration: 8, audio: false })).toEqual(
      vidu.spec({ prompt: 'x', seconds: 8, resolution: '1080p', sound: false }, 'vidu2.0'),
    )
    expect(atVidu({})).toMatchObject({ seconds: 4, variants: ['360p'] })
    expect(atVidu({ duration: 8 })).toMatchObject({ seconds: 8, variants: ['720p'] })
  })
})

describeEachEngine('a video by its provider’s own calls', (open) => {
  let run: VideoRun
  const begin = async (changes: Partial<RelayChannel> = ofKling, name = model): Promise<void> => {
    run = await openVideoRun(await open(), { model: name, changes })
    for (const kind of ['text2video', 'image2video', 'multi-image2video'])
      run.provider.routes.set(`POST /v1/videos/${kind}`, { json: task({ task_status: 'submitted' }) })
    run.provider.routes.set('GET /v1/videos/text2video/78', { json: task({ task_status: 'processing' }) })
  }
  afterEach(() => run.close())
  const post = (path: string, body: object) => run.node.call('POST', path, { body })
  const get = (path: string, as = 'good') => run.node.call('GET', path, { as })

  it('is held, answered as its provider does, followed without a reader, and charged once', async () => {
    await begin()
    const { status, json } = await post('/p/7/v1/videos/text2video', order)
    expect([status, json]).toEqual([200, task({ task_status: 'submitted' })])
    expect(run.provider.received[0]?.json).toEqual(order)
    expect(run.node.pending()).toBe(price)
    expect(await run.scene.rows()).toMatchObject([
      { provider: 'kling', channel_id: 7, upstream_id: 'text2video/78', held: price, prompt: 'a cat', state: 'queued' },
    ])
    run.provider.routes.set('GET /v1/videos/text2video/78', { json: done })
    const second = await run.scene.node('two')
    run.scene.later(60_000)
    await Promise.all([run.node, second].map(({ following }) => following.work()))
    for (const node of [run.node, second]) await node.settled()
    await run.look()
    expect(await run.amounts()).toEqual([-price])
    expect([run.node.pending(), await run.scene.differences()]).toEqual([0, []])
    const [row] = await run.scene.rows()
    expect(await run.state(row?.public_id ?? '')).toMatchObject({ status: 'completed', seconds: '10' })
  })

  it('is read by its owner alone, whose look lets it be settled at once', async () => {
    await begin()
    await post('/p/7/v1/videos/text2video', order)
    const path = '/p/7/v1/videos/text2video/78'
    expect((await get(path)).json).toEqual(task({ task_status: 'processing' }))
    const asked = run.provider.asked().length
    for (const [wrong, as] of [
      [path, 'ben'],
      ['/p/7/v1/videos/text2video/79', 'good'],
      ['/p/7/v1/videos/image2video/78', 'good'],
      ['/p/7/v1/videos/text2video', 'good'],
    ] as const)
      expect([wrong, as, (await get(wrong, as)).status]).toEqual([wrong, as, 404])
    expect(run.provider.asked()).toHaveLength(asked)
    run.provider.routes.set('GET /v1/videos/text2video/78', { json: done })
    expect((await get(path)).json).toEqual(done)
    // Without the look of its owner it would be asked for seconds later.
    await run.node.following.work()
    await run.node.settled()
    expect(await run.amounts()).toEqual([-price])
    expect((await get(path)).json).toEqual(done)
    run.provider.routes.set('GET /v1/videos/text2video/78', { status: 401, json: { code: 1000, message: 'access' } })
    const refused = await get(path)
    expect([refused.status, JSON.stringify(refused.json)]).toEqual([502, expect.stringContaining('credentials_failed')])
    run.provider.routes.set('GET /v1/videos/text2video/78', { breaks: true })
    expect((await get(path)).status).toBe(502)
  })

  it('is free where it fails or is refused', async () => {
    await begin()
    await post('/p/7/v1/videos/text2video', order)
    const failed = task({ task_status: 'failed', task_status_msg: 'risk control' })
    run.provider.routes.set('GET /v1/videos/text2video/78', { json: failed })
    await run.look()
    const refused = { code: 1201, message: 'duration is invalid', request_id: 'r' }
    run.provider.routes.set('POST /v1/videos/text2video', { status: 400, json: refused })
    const answer = await post('/p/7/v1/videos/text2video', order)
    expect([answer.status, JSON.stringify(answer.json)]).toEqual([400, expect.stringContaining('duration is invalid')])
    expect(await run.scene.rows()).toHaveLength(1)
    expect([await run.amounts(), run.node.pending()]).toEqual([[], 0])
  })

  it('is not begun where it has no price, or the key may not call it', async () => {
    await begin()
    for (const [body, named] of [
      [{ ...order, voice_list: [{ voice_id: 'v' }] }, 'voice_list'],
      [{ ...order, mode: 'ultra' }, 'mode'],
      [{ ...order, duration: '10s' }, 'duration'],
      [{ ...order, duration: ['10'] }, 'duration'],
      [{ ...order, sound: true }, 'sound'],
      [{ ...order, model: 'kling-v3' }, 'model'],
      [{ prompt: 'a cat' }, 'model_name'],
    ] as const) {
      const { status, json } = await post('/p/7/v1/videos/text2video', body)
      expect([named, status, JSON.stringify(json)]).toEqual([named, 400, expect.stringContaining(named)])
    }
    const unpriced = await post('/p/7/v1/videos/text2video', { ...order, model_name: 'kling-v9' })
    expect(JSON.stringify(unpriced.json)).toContain('model_price_error')
    const other = await post('/p/7/v1/videos/lip-sync', order)
    expect([other.status, JSON.stringify(other.json)]).toEqual([
      403,
      expect.stringContaining('passthrough_bills_later'),
    ])
    const token = run.node.gateway.tokens.get('good')
    if (token === undefined) throw new Error('no key')
    run.node.gateway.tokens.set('good', { ...token, modelLimits: new Set(['kling-v3']) })
    expect((await post('/p/7/v1/videos/text2video', order)).status).toBe(403)
    expect([run.provider.received, await run.scene.rows()]).toEqual([[], []])
  })

  it('is begun at Vidu by its four calls', async () => {
    await begin({ type: 52, keys: ['vda_key'], passthrough }, 'viduq2')
    const calls = ['text2video', 'img2video', 'reference2video', 'start-end2video']
    for (const [index, call] of calls.entries()) {
      run.provider.routes.set(`POST /ent/v2/${call}`, { json: { task_id: `t${index}`, state: 'created' } })
      const pictures = index === 0 ? {} : { images: ['https://p.example/a.png'] }
      const body = { model: 'viduq2', prompt: 'a cat', duration: 4, bgm: true, ...pictures }
      const { status, json } = await post(`/p/7/ent/v2/${call}`, body)
      expect([call, status, json]).toEqual([call, 200, { task_id: `t${index}`, state: 'created' }])
      expect(run.provider.received.at(-1)).toMatchObject({ json: body, headers: { authorization: 'Token vda_key' } })
    }
    expect(run.node.pending()).toBe(4 * 4 * unitsPerSecond)
    const path = '/ent/v2/tasks/t2/creations'
    const answer = { state: 'success', creations: [{ id: 'c', url: 'https://v.example/a.mp4' }] }
    run.provider.routes.set(`GET ${path}`, { json: answer })
    expect((await get(`/p/7${path}`)).json).toEqual(answer)
    expect((await get(`/p/7${path}`, 'ben')).status).toBe(404)
    await run.node.following.work()
    await run.node.settled()
    expect(await run.amounts()).toEqual([-4 * unitsPerSecond])
    const dear = await post('/p/7/ent/v2/text2video', { model: 'viduq2', prompt: 'x', off_peak: true })
    expect([dear.status, JSON.stringify(dear.json)]).toEqual([400, expect.stringContaining('off_peak')])
  })

  it.each([
    {
      changes: { type: 1002, keys: ['key_rw'], passthrough },
      path: '/v1/text_to_video',
      body: { model: 'gen4.5', promptText: 'a cat', ratio: '1280:720', duration: 4 },
      answer: { id: 'r1' },
      looks: '/v1/tasks/r1',
      end: { id: 'r1', status: 'SUCCEEDED', output: ['https://v.example/a.mp4'] },
      wrong: [{ duration: null }, { ratio: '7:7' }, { references: [] }],
    },
    {
      changes: { type: 1003, keys: ['luma-key'], passthrough },
      path: '/dream-machine/v1/generations/video',
      body: { model: 'ray-2', prompt: 'a cat', duration: '4s', resolution: '720p', loop: true },
      answer: { id: 'l1', state: 'queued' },
      looks: '/dream-machine/v1/generations/l1',
      end: { id: 'l1', state: 'completed', assets: { video: 'https://v.example/a.mp4' } },
      wrong: [{ duration: '4' }, { resolution: null }, { keyframes: { frame0: { type: 'generation', id: 'g' } } }],
    },
  ])('is begun at $path', async ({ changes, path, body, answer, looks, end, wrong }) => {
    await begin(changes, body.model)
    run.provider.routes.set(`POST ${path}`, { json: answer })
    for (const more of wrong) expect((await post(`/p/7${path}`, { ...body, ...more })).status).toBe(400)
    expect((await post(`/p/7${path}`, body)).json).toEqual(answer)
    expect(run.provider.received.map(({ json }) => json)).toEqual([body])
    expect(run.node.pending()).toBe(4 * unitsPerSecond)
    run.provider.routes.set(`GET ${looks}`, { json: end })
    expect((await get(`/p/7${looks}`, 'ben')).status).toBe(404)
    expect((await get(`/p/7${looks}`)).json).toEqual(end)
    await run.node.following.work()
    await run.node.settled()
    expect(await run.amounts()).toEqual([-4 * unitsPerSecond])
  })

  it('is begun at the addresses of panels by the model, under the name that the channel has for it', async () => {
    await begin({ type: 50, keys: ofKling.keys, modelMapping: new Map([[model, 'kling-own']]) })
    const { model_name, ...more } = order
    const { status, json } = await post('/kling/v1/videos/text2video', { ...more, model: model_name })
    expect([status, json]).toEqual([200, task({ task_status: 'submitted' })])
    expect(run.provider.received[0]?.json).toEqual({ ...more, model_name: 'kling-own' })
    expect((await get('/kling/v1/videos/text2video/78')).json).toEqual(task({ task_status: 'processing' }))
    expect((await get('/kling/v1/videos/text2video/78', 'ben')).status).toBe(404)
    run.provider.routes.set('GET /v1/videos/text2video/78', { json: done })
    await run.look()
    expect(await run.amounts()).toEqual([-price])
    expect((await post('/p/7/v1/videos/text2video', order)).status).toBe(403)
  })
})
