import { afterEach, describe, expect, it } from 'vitest'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { openVideoRun, type VideoRun } from '../../tests/video-run.ts'
import { unitsPerSecond } from '../../tests/video-scene.ts'
import type { VideoRequest } from './video-provider.ts'
import { vidu } from './vidu.ts'

const model = 'viduq3-pro'
const dataUrl = `data:image/png;base64,${Buffer.from('pixels').toString('base64')}`
const bodyOf = (request: VideoRequest, of = model): unknown =>
  JSON.parse(vidu.create(request, of).body?.bytes.toString() ?? '')

describe('Vidu', () => {
  it('is asked for a video from a text', () => {
    const request = { prompt: 'a cat', seconds: 8, size: '1920x1080', seed: 7, sound: false }
    expect(vidu.create(request, model).path).toBe('/ent/v2/text2video')
    expect(bodyOf(request)).toEqual({
      model,
      prompt: 'a cat',
      duration: 8,
      resolution: '1080p',
      seed: 7,
      audio: false,
      aspect_ratio: '16:9',
    })
  })

  it('is asked for a video from a picture, as an address or a data URL', () => {
    const image = { bytes: Buffer.from('pixels'), type: 'image/png', name: 'cat.png' }
    expect(vidu.create({ prompt: 'a cat', image }, model).path).toBe('/ent/v2/img2video')
    expect(bodyOf({ prompt: 'a cat', ratio: '1:1', image })).toEqual({
      model,
      prompt: 'a cat',
      duration: 5,
      resolution: '720p',
      images: [dataUrl],
    })
    expect(() => vidu.create({ prompt: 'a cat', remixOf: 'v1' }, model)).toThrow(/remix/)
  })

  it('has the lengths, resolutions and prices of its models', () => {
    expect(vidu.spec({ prompt: 'x' }, 'viduq1')).toEqual({ seconds: 5, size: '1920x1080', variants: ['1080p'] })
    expect(vidu.spec({ prompt: 'x' }, 'vidu2.0')).toMatchObject({ seconds: 4, variants: ['720p'] })
    expect(vidu.spec({ prompt: 'x', resolution: '540p', sound: false }, model).variants).toEqual([
      ...['540p-silent', '540p', 'silent'],
    ])
  })
})

describeEachEngine('a video of Vidu', (open) => {
  let run: VideoRun
  const answer = (json: object): void => void run.provider.routes.set('GET /ent/v2/tasks/t1/creations', { json })
  const begin = async (): Promise<void> => {
    run = await openVideoRun(await open(), { model, changes: { type: 52, keys: ['vda_key'] } })
    run.provider.routes.set('POST /ent/v2/text2video', { json: { task_id: 't1', state: 'created', credits: 100 } })
  }
  afterEach(() => run.close())

  it('is made with its token, charged once, and has a first frame', async () => {
    await begin()
    const id = await run.begin()
    expect(run.provider.received[0]?.headers.authorization).toBe('Token vda_key')
    answer({ state: 'queueing' })
    await run.look()
    expect(await run.state(id)).toMatchObject({ status: 'queued' })
    answer({ state: 'processing' })
    await run.look()
    expect(await run.state(id)).toMatchObject({ status: 'in_progress' })
    expect(await run.amounts()).toEqual([])
    const at = (name: string) => `${run.provider.url}/${name}`
    const creation = { id: 'c1', url: at('movie.mp4'), cover_url: at('cover.jpg') }
    answer({ state: 'success', err_code: '', credits: 100, creations: [creation] })
    await run.look()
    await run.look()
    expect(await run.amounts()).toEqual([-5 * unitsPerSecond])
    run.provider.routes.set('GET /movie.mp4', { bytes: Buffer.from('a movie') })
    run.provider.routes.set('GET /cover.jpg', {
      bytes: Buffer.from('a frame'),
      headers: { 'content-type': 'image/jpeg' },
    })
    expect((await run.content(id)).bytes.toString()).toBe('a movie')
    const cover = await run.node.call('GET', `/v1/videos/${id}/content?variant=thumbnail`)
    expect([cover.headers.get('content-type'), cover.bytes.toString()]).toEqual(['image/jpeg', 'a frame'])
  })

  it('is free where it fails, and not begun where it is refused', async () => {
    await begin()
    const id = await run.begin()
    answer({ state: 'failed', err_code: 'CreationPolicyViolation', creations: [] })
    await run.look()
    expect(await run.state(id)).toMatchObject({ status: 'failed', error: { code: 'CreationPolicyViolation' } })
    const refused = { code: 400, reason: 'CreditInsufficient', message: 'not enough credits' }
    run.provider.routes.set('POST /ent/v2/text2video', { status: 400, json: refused })
    expect((await run.create()).status).toBe(400)
    expect(await run.scene.rows()).toHaveLength(1)
    expect(await run.amounts()).toEqual([])
    expect(run.node.pending()).toBe(0)
  })
})
