import { afterEach, describe, expect, it } from 'vitest'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { openVideoRun, type VideoRun } from '../../tests/video-run.ts'
import { unitsPerSecond } from '../../tests/video-scene.ts'
import { luma } from './luma.ts'
import type { VideoRequest } from './video-provider.ts'

const model = 'ray-2'
const bodyOf = (request: VideoRequest): unknown => JSON.parse(luma.create(request, model).body?.bytes.toString() ?? '')

describe('Luma', () => {
  it('is asked for a generation', () => {
    const image = { url: 'https://p.example/cat.png' }
    expect(luma.create({ prompt: 'a cat' }, model).path).toBe('/dream-machine/v1/generations')
    expect(bodyOf({ prompt: 'a cat', seconds: 9, size: '1080x1920', image })).toEqual({
      model,
      prompt: 'a cat',
      duration: '9s',
      resolution: '1080p',
      aspect_ratio: '9:16',
      keyframes: { frame0: { type: 'image', url: 'https://p.example/cat.png' } },
    })
    expect(luma.spec({ prompt: 'x' }, model)).toEqual({ seconds: 5, size: '1280x720', variants: ['720p'] })
  })

  it('takes no bytes of a picture, and no remix', () => {
    const image = { bytes: Buffer.from('pixels'), type: 'image/png', name: 'cat.png' }
    expect(() => luma.create({ prompt: 'a cat', image }, model)).toThrow(/input_reference/)
    expect(() => luma.create({ prompt: 'a cat', image: { url: 'data:image/png;base64,AA==' } }, model)).toThrow(
      /input_reference/,
    )
    expect(() => luma.create({ prompt: 'a cat', remixOf: 'v1' }, model)).toThrow(/remix/)
  })
})

describeEachEngine('a video of Luma', (open) => {
  let run: VideoRun
  const path = '/dream-machine/v1/generations'
  const answer = (json: object): void => void run.provider.routes.set(`GET ${path}/g1`, { json: { id: 'g1', ...json } })
  const begin = async (): Promise<void> => {
    run = await openVideoRun(await open(), { model, changes: { type: 1003 } })
    run.provider.routes.set(`POST ${path}`, { status: 201, json: { id: 'g1', state: 'queued' } })
  }
  afterEach(() => run.close())

  it('is made and charged once', async () => {
    await begin()
    const id = await run.begin()
    answer({ state: 'queued' })
    await run.look()
    expect(await run.state(id)).toMatchObject({ status: 'queued' })
    answer({ state: 'dreaming' })
    await run.look()
    expect(await run.state(id)).toMatchObject({ status: 'in_progress' })
    answer({ state: 'completed', assets: { video: `${run.provider.url}/movie.mp4` } })
    run.provider.routes.set('GET /movie.mp4', { bytes: Buffer.from('a movie') })
    await run.look()
    await run.look()
    expect(await run.amounts()).toEqual([-5 * unitsPerSecond])
    expect((await run.content(id)).bytes.toString()).toBe('a movie')
  })

  it('is free where it fails, and deleted there, too', async () => {
    await begin()
    const id = await run.begin()
    answer({ state: 'failed', failure_reason: 'frame0 moderated' })
    await run.look()
    expect(await run.state(id)).toMatchObject({ status: 'failed', error: { message: 'frame0 moderated' } })
    expect(await run.amounts()).toEqual([])
    expect(run.node.pending()).toBe(0)
    run.provider.routes.set(`DELETE ${path}/g1`, { status: 204 })
    expect((await run.node.call('DELETE', `/v1/videos/${id}`)).json).toMatchObject({ deleted: true })
    expect(run.provider.asked().at(-1)).toBe(`DELETE ${path}/g1`)
  })
})
