import { decodeJwt, jwtVerify } from 'jose'
import { afterEach, describe, expect, it } from 'vitest'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { openVideoRun, type VideoRun } from '../../tests/video-run.ts'
import { kling } from './kling.ts'
import type { VideoRequest } from './video-provider.ts'

const model = 'kling-v2-6'
const base64 = Buffer.from('pixels').toString('base64')
const picture = { bytes: Buffer.from('pixels'), type: 'image/png', name: 'cat.png' }
const bodyOf = (request: VideoRequest): unknown => JSON.parse(kling.create(request, model).body?.bytes.toString() ?? '')

describe('Kling', () => {
  it('is asked for a video from a text', () => {
    const request = { prompt: 'a cat', seconds: 10, size: '1080x1920', negativePrompt: 'dogs', sound: true }
    expect(kling.create(request, model).path).toBe('/v1/videos/text2video')
    expect(bodyOf(request)).toEqual({
      model_name: model,
      prompt: 'a cat',
      negative_prompt: 'dogs',
      mode: 'pro',
      duration: '10',
      sound: 'on',
      aspect_ratio: '9:16',
    })
    expect(bodyOf({ prompt: 'a cat' })).toEqual({ model_name: model, prompt: 'a cat', duration: '5' })
  })

  it('is asked for a video from a picture: an address, or Base64 without the beginning of a data URL', () => {
    const request = { prompt: 'a cat', ratio: '16:9', quality: 'pro', image: picture }
    expect(kling.create(request, model).path).toBe('/v1/videos/image2video')
    expect(bodyOf(request)).toEqual({ model_name: model, prompt: 'a cat', mode: 'pro', duration: '5', image: base64 })
    const byUrl = (url: string) => bodyOf({ prompt: 'a cat', image: { url } })
    expect(byUrl('https://p.example/cat.png')).toMatchObject({ image: 'https://p.example/cat.png' })
    expect(byUrl(`data:image/png;base64,${base64}`)).toMatchObject({ image: base64 })
    expect(() => kling.create({ ...request, image: { fileId: 'file-1' } }, model)).toThrow(/input_reference/)
    expect(() => kling.create({ ...request, remixOf: 'v1' }, model)).toThrow(/remix/)
  })

  it('has prices by mode and sound', () => {
    expect(kling.spec({ prompt: 'x' }, model)).toEqual({ seconds: 5, size: '1280x720', variants: ['720p'] })
    expect(kling.spec({ prompt: 'x', quality: 'pro', sound: true }, model).variants).toEqual([
      ...['1080p-sound', '1080p', 'sound'],
    ])
    expect(kling.spec({ prompt: 'x', quality: '4k', sound: false }, model).variants).toEqual([
      ...['4k-silent', '4k', 'silent'],
    ])
  })
})

describeEachEngine('a video of Kling', (open) => {
  let run: VideoRun
  const task = (more: object, code = 0) => ({
    code,
    message: 'SUCCEED',
    request_id: 'r',
    data: { task_id: '7 8', ...more },
  })
  const ended = (kind: string, more: object): void =>
    void run.provider.routes.set(`GET /v1/videos/${kind}/7%208`, { json: task(more) })
  const begin = async (): Promise<void> => {
    run = await openVideoRun(await open(), { model, changes: { type: 50, keys: ['access|secret'] } })
    for (const kind of ['text2video', 'image2video'])
      run.provider.routes.set(`POST /v1/videos/${kind}`, { json: task({ task_status: 'submitted' }) })
  }
  afterEach(() => run.close())

  it('is made with a token of the account, charged by its stated seconds, and fetched without the token', async () => {
    await begin()
    const id = await run.begin({ input_reference: { image_url: `data:image/png;base64,${base64}` } })
    const token = run.provider.received[0]?.headers.authorization?.replace('Bearer ', '') ?? ''
    const key = new TextEncoder().encode('secret')
    // The clock of the scene is not that of the machine.
    const { nbf = 0 } = decodeJwt(token)
    const { payload } = await jwtVerify(token, key, { issuer: 'access', currentDate: new Date((nbf + 10) * 1000) })
    expect((payload.exp ?? 0) - (payload.nbf ?? 0)).toBe(1_805)
    ended('image2video', { task_status: 'submitted' })
    await run.look()
    expect(await run.state(id)).toMatchObject({ status: 'queued' })
    ended('image2video', { task_status: 'processing' })
    await run.look()
    expect(await run.state(id)).toMatchObject({ status: 'in_progress' })
    const url = `${run.provider.url.replace('127.0.0.1', 'localhost')}/movie.mp4`
    ended('image2video', { task_status: 'succeed', task_result: { videos: [{ id: 'v', url, duration: '5.1' }] } })
    await run.look()
    expect(await run.state(id)).toMatchObject({ status: 'completed', seconds: '5.1' })
    expect(await run.amounts()).toEqual([-255_000])
    await run.look()
    expect(await run.amounts()).toEqual([-255_000])
  })

  it('is fetched anew where its address has expired, without the token', async () => {
    await begin()
    const id = await run.begin()
    const at = (name: string) => `${run.provider.url}/${name}`
    const [channel] = run.node.channels.list
    if (channel === undefined) throw new Error('no channel')
    const done = (url: string) => task({ task_status: 'succeed', task_result: { videos: [{ url, duration: '5' }] } })
    run.provider.routes.set('GET /v1/videos/text2video/7%208', { json: done(at('old.mp4')) })
    await run.look()
    expect(await run.state(id)).toMatchObject({ status: 'completed' })
    expect((await run.content(id)).status).toBe(502)
    run.provider.routes.set('GET /v1/videos/text2video/7%208', { json: done(at('new.mp4')) })
    run.provider.routes.set('GET /new.mp4', { bytes: Buffer.from('a movie') })
    expect((await run.content(id)).bytes.toString()).toBe('a movie')
  })

  it('is free where it fails, and not begun where its content is refused', async () => {
    await begin()
    const id = await run.begin()
    ended('text2video', { task_status: 'failed', task_status_msg: 'risk control' })
    await run.look()
    expect(await run.state(id)).toMatchObject({ status: 'failed', error: { message: 'risk control' } })
    const refused = { code: 1301, message: 'The content security policy was triggered', request_id: 'r' }
    run.provider.routes.set('POST /v1/videos/text2video', { status: 400, json: refused })
    const { status, json } = await run.create()
    expect(status).toBe(400)
    expect(JSON.stringify(json)).toContain('content security policy')
    expect(await run.scene.rows()).toHaveLength(1)
    expect(await run.amounts()).toEqual([])
    expect(run.node.pending()).toBe(0)
  })
})
