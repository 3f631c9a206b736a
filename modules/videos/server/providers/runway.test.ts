import { afterEach, describe, expect, it } from 'vitest'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { openVideoRun, type VideoRun } from '../../tests/video-run.ts'
import { unitsPerSecond } from '../../tests/video-scene.ts'
import { runway } from './runway.ts'
import type { VideoRequest } from './video-provider.ts'

const model = 'gen4.5'
const bodyOf = (request: VideoRequest, of = model): unknown =>
  JSON.parse(runway.create(request, of).body?.bytes.toString() ?? '')

describe('Runway', () => {
  it('is asked for a video from a text, with the frame that is nearest', () => {
    const request = { prompt: 'a cat', seconds: 10, size: '1080x1920', seed: 7, sound: true }
    expect(runway.create(request, model).path).toBe('/v1/text_to_video')
    expect(bodyOf(request)).toEqual({ model, promptText: 'a cat', ratio: '720:1280', duration: 10, seed: 7 })
    expect(bodyOf({ ...request, seconds: 8, negativePrompt: 'dogs' }, 'veo3.1')).toEqual({
      model: 'veo3.1',
      promptText: 'a cat',
      ratio: '1080:1920',
      duration: 8,
      audio: true,
      seed: 7,
      negativePrompt: 'dogs',
    })
    expect(bodyOf({ ...request, negativePrompt: 'dogs' }, 'seedance2_mini')).toEqual({
      model: 'seedance2_mini',
      promptText: 'a cat',
      ratio: '720:1280',
      duration: 10,
      audio: true,
      seed: 7,
    })
    expect(bodyOf({ prompt: 'a cat', resolution: '480p', seed: 7 }, 'wan3')).toMatchObject({ ratio: '832:480' })
    expect(bodyOf({ prompt: 'a cat', size: '3840x2160', seed: 7, sound: true }, 'gemini_omni_flash_1.1')).toEqual({
      model: 'gemini_omni_flash_1.1',
      promptText: 'a cat',
      ratio: '3840:2160',
      duration: 5,
    })
  })

  it('is asked for a video from a picture', () => {
    const image = { url: 'https://p.example/cat.png' }
    expect(runway.create({ prompt: 'a cat', image }, model).path).toBe('/v1/image_to_video')
    expect(bodyOf({ prompt: 'a cat', image, ratio: '1:1' })).toEqual({
      model,
      promptText: 'a cat',
      promptImage: 'https://p.example/cat.png',
      ratio: '960:960',
      duration: 5,
    })
    expect(bodyOf({ prompt: 'a cat', image, size: '1920x1080' }, 'wan3')).toMatchObject({ ratio: 'auto_1080p' })
    expect(bodyOf({ prompt: 'a cat', image, ratio: '4:3' }, 'seedance2')).toMatchObject({ ratio: '1112:834' })
    expect(() => runway.create({ prompt: 'a cat', remixOf: 'v1' }, model)).toThrow(/remix/)
  })

  it('has prices by resolution and sound', () => {
    expect(runway.spec({ prompt: 'x', sound: false }, model)).toEqual({
      seconds: 5,
      size: '1280x720',
      variants: ['720p'],
    })
    expect(runway.spec({ prompt: 'x', size: '1920x1080', sound: false }, 'veo3.1')).toMatchObject({
      seconds: 8,
      variants: ['1080p-silent', '1080p', 'silent'],
    })
  })
})

describeEachEngine('a video of Runway', (open) => {
  let run: VideoRun
  const answer = (json: object): void =>
    void run.provider.routes.set('GET /v1/tasks/t1', { json: { id: 't1', ...json } })
  const begin = async (): Promise<void> => {
    run = await openVideoRun(await open(), { model, changes: { type: 1002 } })
    run.provider.routes.set('POST /v1/text_to_video', { json: { id: 't1' } })
  }
  afterEach(() => run.close())

  it('is made with the version of the API, charged once, and fetched without the key', async () => {
    await begin()
    const id = await run.begin()
    const [sent] = run.provider.received
    expect([sent?.headers.authorization, sent?.headers['x-runway-version']]).toEqual([
      'Bearer sk-account',
      '2024-11-06',
    ])
    answer({ status: 'THROTTLED' })
    await run.look()
    expect(await run.state(id)).toMatchObject({ status: 'queued' })
    answer({ status: 'RUNNING', progress: 0.42 })
    await run.look()
    expect(await run.state(id)).toMatchObject({ status: 'in_progress', progress: 42 })
    const { host } = new URL(run.provider.url)
    const [, port] = host.split(':')
    answer({ status: 'SUCCEEDED', output: [`http://localhost:${port}/movie.mp4`] })
    await run.look()
    await run.look()
    expect(await run.amounts()).toEqual([-5 * unitsPerSecond])
    expect(await run.state(id)).toMatchObject({ status: 'completed', seconds: '5' })
  })

  it('is free where it fails', async () => {
    await begin()
    const id = await run.begin()
    answer({ status: 'FAILED', failure: 'moderated', failureCode: 'SAFETY.INPUT.TEXT' })
    await run.look()
    expect(await run.state(id)).toMatchObject({
      status: 'failed',
      error: { code: 'SAFETY.INPUT.TEXT', message: 'moderated' },
    })
    expect(await run.amounts()).toEqual([])
    expect(run.node.pending()).toBe(0)
  })
})
