import { afterEach, describe, expect, it } from 'vitest'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { openVideoRun, type VideoRun } from '../../tests/video-run.ts'
import { unitsPerSecond } from '../../tests/video-scene.ts'
import { videoProviderOf } from './index.ts'
import { minimaxH3 } from './minimax-h3.ts'
import type { VideoRequest } from './video-provider.ts'

const model = 'MiniMax-H3'
const bodyOf = (request: VideoRequest, of = model): unknown =>
  JSON.parse(minimaxH3.create(request, of).body?.bytes.toString() ?? '')

describe('MiniMax-H3', () => {
  it('has an API of its own at channels of MiniMax', () => {
    expect(videoProviderOf({ type: 35 }, 'MiniMax-H3-Max')?.name).toBe('minimax-h3')
    expect(videoProviderOf({ type: 35 }, 'MiniMax-Hailuo-02')?.name).toBe('minimax')
  })

  it('is asked for a video from a text, and from a picture', () => {
    expect(minimaxH3.create({ prompt: 'a cat' }, model).path).toBe('/v2/video_generation')
    expect(bodyOf({ prompt: 'a cat', seconds: 8, size: '2560x1440' })).toEqual({
      model,
      content: [{ type: 'text', text: 'a cat' }],
      resolution: '2K',
      duration: 8,
      ratio: '16:9',
    })
    const image = { url: 'https://p.example/cat.png' }
    expect(bodyOf({ prompt: 'a cat', image, size: '848x480' }, 'MiniMax-H3-Max')).toEqual({
      model: 'MiniMax-H3-Max',
      content: [
        { type: 'text', text: 'a cat' },
        { type: 'image_url', image_url: { url: 'https://p.example/cat.png' }, role: 'first_frame' },
      ],
      resolution: '480P',
      duration: 5,
      ratio: 'adaptive',
    })
    expect(minimaxH3.spec({ prompt: 'x' }, model)).toMatchObject({ seconds: 5, variants: ['768p'] })
    expect(() => minimaxH3.create({ prompt: 'a cat', remixOf: 'v1' }, model)).toThrow(/remix/)
  })
})

describeEachEngine('a video of MiniMax-H3', (open) => {
  let run: VideoRun
  const answer = (task: object): void =>
    void run.provider.routes.set('GET /v2/query/video_generation/424', { json: { task: { id: '424', ...task } } })
  const begin = async (): Promise<void> => {
    const modelMapping = new Map([['film', model]])
    run = await openVideoRun(await open(), { model: 'film', changes: { type: 35, modelMapping } })
    run.provider.routes.set('POST /v2/video_generation', { json: { task_id: '424' } })
  }
  afterEach(() => run.close())

  it('is made under another name, and charged by the seconds that it states', async () => {
    await begin()
    const id = await run.begin()
    answer({ status: 'queued' })
    await run.look()
    expect(await run.state(id)).toMatchObject({ status: 'queued' })
    answer({ status: 'running' })
    await run.look()
    expect(await run.state(id)).toMatchObject({ status: 'in_progress', model: 'film' })
    const usage = { total_seconds: 6, output_seconds: 6, input_image_count: 0 }
    answer({ status: 'succeeded', content: { url: `${run.provider.url}/movie.mp4` }, usage, resolution: '768P' })
    run.provider.routes.set('GET /movie.mp4', { bytes: Buffer.from('a movie') })
    await run.look()
    await run.look()
    expect(await run.amounts()).toEqual([-6 * unitsPerSecond])
    expect((await run.content(id)).bytes.toString()).toBe('a movie')
  })

  it('is free where it fails', async () => {
    await begin()
    const id = await run.begin()
    answer({ status: 'failed', error: { code: '1026', message: 'sensitive content' } })
    await run.look()
    expect(await run.state(id)).toMatchObject({
      status: 'failed',
      error: { code: '1026', message: 'sensitive content' },
    })
    expect(await run.amounts()).toEqual([])
    expect(run.node.pending()).toBe(0)
  })
})
