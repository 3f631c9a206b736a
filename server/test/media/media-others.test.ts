import OpenAI, { toFile } from 'openai'
import { describe, expect, it } from 'vitest'
import type { RelayChannel } from '../../src/relay/ports.ts'
import { priceOf } from '../support/billing/price.ts'
import {
  ask,
  channel,
  gateway,
  holdEnds,
  lastRecord,
  reopenGateway,
  sentBody,
  upstream,
  useChannels,
  useScene,
} from '../support/gateway/scene.ts'
import { json } from '../support/gateway/upstream.ts'
import { testPrices } from '../support/relay/ports.ts'

/** Pictures and speech of providers whose words are nearly OpenAI's. */

useScene()

const path = '/v1/images/generations'
const cat = { prompt: 'a white cat' }
const sdk = (): OpenAI => new OpenAI({ apiKey: 'sk-good', baseURL: `${gateway.url}/v1`, maxRetries: 0 })

/** $0.04 a picture. */
const use = async (changes: Partial<RelayChannel>): Promise<void> => {
  const fetchPicture = async (): Promise<Buffer> => Buffer.from('ABC')
  await reopenGateway({ prices: testPrices(priceOf('dall-e-3')), fetchPicture })
  useChannels(channel(changes))
}

const unsupportedFields = (response: Response): string | null => response.headers.get('x-tollgate-lost-fields')

describe('xAI', () => {
  const drawn = { data: [{ url: 'https://x/1.jpg', revised_prompt: '' }], usage: { cost_in_usd_ticks: 200_000_000 } }

  it('draws at the address for pictures, in shapes instead of sizes', async () => {
    await use({ type: 48 })
    upstream.answer = json(drawn)
    const answer = await sdk().images.generate({ ...cat, model: 'grok-imagine-image', size: '1792x1024', n: 1 })
    expect(answer).toEqual({ created: expect.any(Number), data: [{ url: 'https://x/1.jpg' }] })
    expect(upstream.received[0]?.path).toBe(path)
    expect(upstream.received[0]?.headers.authorization).toBe('Bearer channel-key')
    expect(JSON.parse(sentBody())).toEqual({
      model: 'grok-imagine-image',
      prompt: 'a white cat',
      n: 1,
      aspect_ratio: '16:9',
    })
    expect(lastRecord()).toMatchObject({ kind: 'charge', quota: 40_000, receipt: { estimated: false } })
    expect(holdEnds()).toEqual([40_000])
  })

  it('gets no sizes and qualities that it refuses', async () => {
    await use({ type: 48 })
    upstream.answer = json(drawn)
    const request = { ...cat, model: 'grok-2-image', size: '1792x1024', quality: 'hd', response_format: 'b64_json' }
    expect(unsupportedFields(await ask(request, path))).toBe('quality, size')
    expect(JSON.parse(sentBody())).toEqual({
      model: 'grok-2-image',
      prompt: 'a white cat',
      n: 1,
      response_format: 'b64_json',
    })
    expect(unsupportedFields(await ask({ ...cat, model: 'grok-imagine-image', quality: 'medium' }, path))).toBeNull()
    expect(JSON.parse(sentBody())).toMatchObject({ quality: 'medium' })
  })

  it('gets uploads within JSON', async () => {
    await use({ type: 48 })
    upstream.answer = json({ data: [{ b64_json: 'QUJD' }] })
    const one = await toFile(Buffer.from('one'), 'a.png', { type: 'image/png' })
    const two = await toFile(Buffer.from('two'), 'b.jpg', { type: 'image/jpeg' })
    const model = 'grok-imagine-image'
    const answer = await sdk().images.edit({ model, prompt: 'blue', image: one, size: '1024x1024' })
    expect(answer.data).toEqual([{ b64_json: 'QUJD' }])
    expect(upstream.received[0]?.path).toBe('/v1/images/edits')
    expect(upstream.received[0]?.headers['content-type']).toBe('application/json')
    expect(JSON.parse(sentBody())).toEqual({
      model,
      prompt: 'blue',
      n: 1,
      image: { url: 'data:image/png;base64,b25l', type: 'image_url' },
    })
    await sdk().images.edit({ model, prompt: 'both', image: [one, two], size: '1024x1024' })
    expect(JSON.parse(sentBody())).toEqual({
      model,
      prompt: 'both',
      n: 1,
      aspect_ratio: '1:1',
      images: [
        { url: 'data:image/png;base64,b25l', type: 'image_url' },
        { url: 'data:image/jpeg;base64,dHdv', type: 'image_url' },
      ],
    })
  })
})

describe('SiliconFlow', () => {
  const drawn = (count: number) => ({
    images: Array.from({ length: count }, (_, at) => ({ url: `https://x/${at}.png` })),
    timings: { inference: 1 },
    seed: 1,
  })

  it('draws several pictures with one model, and answers in a list of its own', async () => {
    await use({ type: 40 })
    upstream.answer = json(drawn(2))
    const answer = await sdk().images.generate({ ...cat, model: 'Kwai-Kolors/Kolors', n: 3, size: '1024x1024' })
    expect(answer).toEqual({
      created: expect.any(Number),
      data: [{ url: 'https://x/0.png' }, { url: 'https://x/1.png' }],
    })
    expect(upstream.received[0]?.path).toBe(path)
    expect(JSON.parse(sentBody())).toEqual({
      model: 'Kwai-Kolors/Kolors',
      prompt: 'a white cat',
      image_size: '1024x1024',
      batch_size: 3,
    })
    expect(lastRecord()?.quota).toBe(40_000)
  })

  it('draws no more than is paid for, whatever a client calls their number', async () => {
    await use({ type: 40 })
    upstream.answer = json(drawn(1))
    const response = await ask({ ...cat, model: 'Qwen/Qwen-Image', n: 2, batch_size: 4, cfg: 4 }, path)
    expect(unsupportedFields(response)).toBe('batch_size, n')
    expect(JSON.parse(sentBody())).toEqual({ model: 'Qwen/Qwen-Image', prompt: 'a white cat', cfg: 4 })
  })

  it('changes pictures', async () => {
    await use({ type: 40 })
    upstream.answer = json(drawn(1))
    const image = await toFile(Buffer.from('one'), 'a.png', { type: 'image/png' })
    await sdk().images.edit({ model: 'Qwen/Qwen-Image-Edit-2509', prompt: 'blue', image: [image, image] })
    expect(upstream.received[0]?.path).toBe(path)
    expect(JSON.parse(sentBody())).toMatchObject({
      image: 'data:image/png;base64,b25l',
      image2: 'data:image/png;base64,b25l',
    })
  })
})

describe('Zhipu', () => {
  it('draws one picture as a URL, which is downloaded for clients that want bytes', async () => {
    await use({ type: 26, keys: ['id.secret'] })
    upstream.answer = json({ created: 1, data: [{ url: 'https://x/1.png' }], content_filter: [{ level: 3 }] })
    const model = 'cogview-4'
    const answer = await sdk().images.generate({ ...cat, model, quality: 'hd', response_format: 'b64_json', n: 2 })
    expect(answer).toEqual({ created: expect.any(Number), data: [{ b64_json: 'QUJD' }] })
    expect(upstream.received[0]?.path).toBe('/api/paas/v4/images/generations')
    expect(JSON.parse(sentBody())).toEqual({ model, prompt: 'a white cat', quality: 'hd' })
    expect(lastRecord()).toMatchObject({ quota: 20_000, other: { lost_fields: ['n'] } })
  })

  it('says why not', async () => {
    await use({ type: 26, keys: ['id.secret'] })
    upstream.answer = json({ error: { code: '1301', message: 'unsafe' } }, 400)
    const response = await ask({ ...cat, model: 'cogview-4' }, path)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { code: '1301', message: expect.stringContaining('unsafe') } })
  })
})

describe('Volcengine', () => {
  const url = { url: 'https://x/1.png', size: '1024x1024' }

  it('takes OpenAI’s format at the path of its API version', async () => {
    await use({ type: 45 })
    upstream.answer = json({ created: 1, data: [url], usage: { generated_images: 1 } })
    const answer = await sdk().images.generate({ ...cat, model: 'doubao-seedream-4-0-250828' })
    expect(answer.data).toEqual([url])
    expect(upstream.received[0]?.path).toBe('/api/v3/images/generations')
    expect(lastRecord()?.quota).toBe(20_000)
  })

  it.each([
    [{ sequential_image_generation: 'auto', sequential_image_generation_options: { max_images: 4 } }, 4, 60_000],
    [{ sequential_image_generation: 'auto' }, 15, 60_000],
    [{ sequential_image_generation: 'auto', sequential_image_generation_options: { max_images: -9 } }, 15, 60_000],
    [{ sequential_image_generation: 'disabled' }, 1, 20_000],
  ])('is paid for each picture of a sequence, but not for what was refused: %j', async (more, most, quota) => {
    await use({ type: 45 })
    upstream.answer = json({ data: [url, { error: { code: 'OutputImageSensitive' } }, url, url] })
    await ask({ ...cat, model: 'doubao-seedream-4-0-250828', ...more }, path)
    expect(lastRecord()?.quota).toBe(quota)
    expect(gateway.parts.holds.ends.at(-1)?.amount).toBe(most * 20_000)
  })
})

describe('MiniMax', () => {
  const fine = { base_resp: { status_code: 0, status_msg: 'success' } }

  it.each([
    ['url', 'url', { image_urls: ['https://x/1.png', 'https://x/2.png'] }, { url: 'https://x/1.png' }],
    ['b64_json', 'base64', { image_base64: ['QUJD', 'QUJE'] }, { b64_json: 'QUJD' }],
  ] as const)('draws pictures as %s', async (response_format, sent, data, first) => {
    await use({ type: 35 })
    upstream.answer = json({ id: 'i', data, metadata: { success_count: '2' }, ...fine })
    const answer = await sdk().images.generate({ ...cat, model: 'image-01', n: 2, size: '1792x1024', response_format })
    expect(answer.data).toHaveLength(2)
    expect(answer.data?.[0]).toEqual(first)
    expect(upstream.received[0]?.path).toBe('/v1/image_generation')
    expect(JSON.parse(sentBody())).toEqual({
      model: 'image-01',
      prompt: 'a white cat',
      n: 2,
      response_format: sent,
      aspect_ratio: '16:9',
    })
    expect(lastRecord()?.quota).toBe(80_000)
  })

  it.each([
    [{ base_resp: { status_code: 1026, status_msg: 'sensitive' } }, 400, '1026'],
    [{ data: { image_urls: [] }, ...fine }, 400, 'no_images'],
  ])('says why not: %j', async (answer, status, code) => {
    await use({ type: 35 })
    upstream.answer = json(answer)
    const response = await ask({ ...cat, model: 'image-01' }, path)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ error: { code } })
    expect(holdEnds()).toEqual(['released'])
  })

  it('speaks; its sound comes in hexadecimal digits', async () => {
    await use({ type: 35 })
    upstream.answer = json({
      data: { audio: Buffer.from('sound').toString('hex'), status: 2 },
      extra_info: { audio_format: 'mp3', usage_characters: 5 },
      ...fine,
    })
    const response = await sdk().audio.speech.create({
      model: 'speech-2.6-hd',
      input: 'hello',
      voice: 'male-qn-qingse',
      speed: 1.5,
      instructions: 'softly',
    })
    expect(response.headers.get('content-type')).toBe('audio/mpeg')
    expect(unsupportedFields(response)).toBe('instructions')
    expect(Buffer.from(await response.arrayBuffer()).toString()).toBe('sound')
    expect(upstream.received[0]?.path).toBe('/v1/t2a_v2')
    expect(JSON.parse(sentBody())).toEqual({
      model: 'speech-2.6-hd',
      text: 'hello',
      stream: false,
      output_format: 'hex',
      voice_setting: { voice_id: 'male-qn-qingse', speed: 1.5 },
      audio_setting: { format: 'mp3' },
    })
    expect(lastRecord()).toMatchObject({ kind: 'charge', quota: 20_000 })
  })

  it('that says nothing is an error', async () => {
    await use({ type: 35 })
    upstream.answer = json({ data: {}, ...fine })
    const response = await ask({ model: 'speech-2.6-hd', input: 'hello', voice: 'v' }, '/v1/audio/speech')
    expect(response.status).toBe(502)
    expect(holdEnds()).toEqual(['released'])
  })
})
