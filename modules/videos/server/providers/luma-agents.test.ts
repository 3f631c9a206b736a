import { afterEach, describe, expect, it } from 'vitest'
import { openShippedBook } from '#server/billing/book/shipped-book.ts'
import type { PriceSettings } from '#server/billing/price-settings.ts'
import { createPriceBook } from '#server/billing/prices.ts'
import { videoReceipt } from '#server/billing/videos/video-receipt.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { openVideoRun, type VideoRun } from '../../tests/video-run.ts'
import { unitsPerSecond } from '../../tests/video-scene.ts'
import { videoProviderOf } from './index.ts'
import { lumaAgents } from './luma-agents.ts'
import type { VideoRequest } from './video-provider.ts'

const model = 'ray-3.2'
const sent = (request: VideoRequest) => {
  const { method, path, body } = lumaAgents.create(request, model)
  return { method, path, json: JSON.parse(body?.bytes.toString() ?? '') as unknown }
}

const url = 'https://p.example/cat.png'
const pixels = { bytes: Buffer.from('pixels'), type: 'image/png', name: 'cat.png' }

/** Bodies that `generations.create` of luma-agents 0.5.0 (PyPI) sends to POST /v1/generations. */
const recorded: readonly (readonly [string, VideoRequest, object])[] = [
  [
    'a text',
    { prompt: 'a cat', seconds: 10, size: '1080x1920' },
    {
      prompt: 'a cat',
      aspect_ratio: '9:16',
      model: 'ray-3.2',
      type: 'video',
      video: { resolution: '1080p', duration: '10s' },
    },
  ],
  [
    'an address of a picture',
    { prompt: 'a cat', image: { url } },
    {
      prompt: 'a cat',
      model: 'ray-3.2',
      type: 'video',
      video: { resolution: '720p', duration: '5s', start_frame: { url } },
    },
  ],
  [
    'the bytes of a picture',
    { prompt: 'a cat', image: pixels },
    {
      prompt: 'a cat',
      model: 'ray-3.2',
      type: 'video',
      video: { resolution: '720p', duration: '5s', start_frame: { data: 'cGl4ZWxz', media_type: 'image/png' } },
    },
  ],
  [
    'a picture and ten seconds',
    { prompt: 'a cat', image: { url }, seconds: 10 },
    {
      prompt: 'a cat',
      model: 'ray-3.2',
      type: 'video',
      video: { resolution: '720p', duration: '10s', keyframes: [{ url }], keyframe_indexes: [0] },
    },
  ],
  [
    'a high dynamic range with its file',
    { prompt: 'a cat', quality: 'exr' },
    {
      prompt: 'a cat',
      model: 'ray-3.2',
      type: 'video',
      video: { resolution: '720p', duration: '5s', hdr: true, exr_export: true },
    },
  ],
  [
    'a change of a video',
    { prompt: 'at night', seconds: 10, size: '1280x720', remixOf: 'g1' },
    {
      prompt: 'at night',
      model: 'ray-3.2',
      source: { generation_id: 'g1' },
      type: 'video_edit',
      video: { resolution: '720p', edit: { auto_controls: true } },
    },
  ],
]

describe('the Agents API of Luma', () => {
  it.each(recorded)('is asked for %s as its SDK asks', (_, request, json) => {
    expect(sent(request)).toEqual({ method: 'POST', path: '/v1/generations', json })
  })

  it('makes Ray 3.2 alone, at its own address', () => {
    const nameOf = (name: string) => videoProviderOf({ type: 1003 }, name)?.name
    expect(nameOf(model)).toBe('luma-agents')
    expect(nameOf('ray-2')).toBe('luma')
    const rootAt = (baseUrl: string) =>
      lumaAgents.root?.({ channel: { baseUrl, organization: '', other: '' }, key: 'k' }, '/v1/generations')
    expect(rootAt('https://api.lumalabs.ai')).toBe('https://agents.lumalabs.ai')
    expect(rootAt('https://agents.lumalabs.ai/v1')).toBe('https://agents.lumalabs.ai')
    expect(rootAt('https://proxy.example')).toBe('https://proxy.example')
  })

  it('takes no file of another account', () => {
    expect(() => lumaAgents.create({ prompt: 'a cat', image: { fileId: 'file-1' } }, model)).toThrow(/input_reference/)
  })

  it('has the prices that Luma states for kind, resolution, range and length', async () => {
    const settings = { modelPrice: {}, modelRatio: {}, groupRatio: { default: 1 }, completionRatio: {} }
    const book = createPriceBook({
      ...settings,
      quotaPerUnit: 500_000,
      selfUse: false,
      list: await openShippedBook(),
    } as unknown as PriceSettings)
    const price = book.of(model, 'default', { acceptsUnpriced: false })
    const dollars = (request: Partial<VideoRequest>): number | undefined => {
      const { seconds, variants } = lumaAgents.spec({ prompt: 'x', ...request }, model)
      const receipt = price && videoReceipt({ ms: seconds * 1000, variants }, price)
      return receipt && receipt.quota / 500_000
    }
    expect(dollars({})).toBe(0.3)
    expect(dollars({ seconds: 10 })).toBe(0.9)
    expect(dollars({ resolution: '360p' })).toBe(0.06)
    expect(dollars({ size: '1920x1080' })).toBe(1.2)
    expect(dollars({ size: '1920x1080', seconds: 10 })).toBe(3.6)
    expect(dollars({ quality: 'hdr' })).toBe(0.6)
    expect(dollars({ quality: 'exr', resolution: '1080p' })).toBe(3.6)
    expect(dollars({ seconds: 10, size: '1280x720', remixOf: 'g1' })).toBe(2.16)
  })
})

describeEachEngine('a video of the Agents API of Luma', (open) => {
  let run: VideoRun
  const path = '/v1/generations'
  const answer = (id: string, json: object): void =>
    void run.provider.routes.set(`GET ${path}/${id}`, { json: { id, model, type: 'video', ...json } })
  const begin = async (): Promise<string> => {
    run = await openVideoRun(await open(), { model, changes: { type: 1003 } })
    run.provider.routes.set(`POST ${path}`, { status: 201, json: { id: 'g1', state: 'queued' } })
    return run.begin()
  }
  afterEach(() => run.close())

  it('is made and charged once, and changed', async () => {
    const id = await begin()
    answer('g1', { state: 'processing' })
    await run.look()
    expect(await run.state(id)).toMatchObject({ status: 'in_progress' })
    answer('g1', { state: 'completed', output: [{ type: 'video', url: `${run.provider.url}/movie.mp4` }] })
    run.provider.routes.set('GET /movie.mp4', { bytes: Buffer.from('a movie') })
    await run.look()
    await run.look()
    expect(await run.amounts()).toEqual([-5 * unitsPerSecond])
    expect((await run.content(id)).bytes.toString()).toBe('a movie')

    run.provider.routes.set(`POST ${path}`, { status: 201, json: { id: 'g2', state: 'queued' } })
    const remix = await run.node.call('POST', `/v1/videos/${id}/remix`, { body: { prompt: 'at night' } })
    expect(remix.json).toMatchObject({ status: 'queued', remixed_from_video_id: id })
    answer('g2', { state: 'completed', output: [{ type: 'video', url: `${run.provider.url}/movie.mp4` }] })
    await run.look()
    expect(await run.amounts()).toEqual([-5 * unitsPerSecond, -5 * unitsPerSecond])
  })

  it('is free where it fails', async () => {
    const id = await begin()
    answer('g1', { state: 'failed', failure_code: 'content_moderated', failure_reason: 'the prompt' })
    await run.look()
    expect(await run.state(id)).toMatchObject({
      status: 'failed',
      error: { code: 'content_moderated', message: 'the prompt' },
    })
    expect(await run.amounts()).toEqual([])
    expect(run.node.pending()).toBe(0)
  })
})
