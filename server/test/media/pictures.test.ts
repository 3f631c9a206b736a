import { describe, expect, it } from 'vitest'
import type { Price } from '../../src/billing/price.ts'
import { priceOf } from '../support/billing/price.ts'
import { useRecorded } from '../support/gateway/recorded.ts'
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
import { json, stream } from '../support/gateway/upstream.ts'
import { testChannel, testOptions, testPrices } from '../support/relay/ports.ts'
import { hasWire } from '../support/relay/wire.ts'

/** POST /v1/images/generations: the number, the size and the quality of pictures are what is paid for. */

useScene()

const path = '/v1/images/generations'
const drawn = (count: number) => ({
  created: 5,
  data: Array.from({ length: count }, () => ({ url: 'https://x/y.png' })),
})
const cat = { model: 'dall-e-3', prompt: 'a white cat' }

const withPrice = async (price: Price): Promise<void> => {
  await reopenGateway({ prices: testPrices(price) })
  useChannels(channel())
}

/** $0.04 a picture. */
const fixed = priceOf('dall-e-3')
const byRatio = (ratio: number, completion = 1): Price =>
  priceOf('drawer', { modelRatio: { drawer: ratio }, completionRatio: { drawer: completion } })

const lastHold = (): unknown => gateway.parts.holds.ends.at(-1)?.amount

it('goes through as it came, and costs its price', async () => {
  await withPrice(fixed)
  upstream.answer = json(drawn(1))
  const body = `{ "model":"dall-e-3", "prompt":"a white cat" , "user_field": 0 }`
  const response = await ask(body, path)
  expect(await response.json()).toEqual(drawn(1))
  expect(upstream.received[0]?.path).toBe(path)
  expect(sentBody()).toBe(body)
  expect(lastRecord()).toMatchObject({
    kind: 'charge',
    quota: 20_000,
    promptTokens: 1,
    completionTokens: 0,
    content: '模型价格 0.04，分组倍率 1.00, 大小 1024x1024, 品质 standard',
    receipt: { mode: 'call', lines: [{ item: 'image', quantity: 1, price: '1' }], estimated: false },
  })
  expect(holdEnds()).toEqual([20_000])
})

it.each([
  [{ ...cat, size: '1792x1024', quality: 'hd' }, 1, 60_000],
  [{ ...cat, size: '1024x1024', quality: 'hd' }, 1, 40_000],
  [{ ...cat, size: '1024x1792' }, 1, 40_000],
  [{ ...cat, model: 'dall-e-2', n: 10, size: '256x256' }, 10, 80_000],
  [{ ...cat, model: 'dall-e-2', n: 3, size: '512x512' }, 3, 27_000],
  [{ ...cat, model: 'gpt-image-1', n: 2, size: '1536x1024', quality: 'high' }, 2, 40_000],
])('%j of which %i came costs %i', async (body, came, quota) => {
  await withPrice(fixed)
  upstream.answer = json(drawn(came))
  expect((await ask(body, path)).status).toBe(200)
  expect(lastRecord()?.quota).toBe(quota)
  expect(lastHold()).toBe(quota)
})

it('holds what it can cost under another name of the model, too', async () => {
  await withPrice(fixed)
  useChannels(channel({ modelMapping: new Map([['painter', 'dall-e-3']]) }))
  upstream.answer = json(drawn(1))
  await ask({ ...cat, model: 'painter', quality: 'hd' }, path)
  expect(lastRecord()?.quota).toBe(40_000)
  expect(lastHold()).toBe(40_000)
})

it('costs no more pictures than came', async () => {
  await withPrice(fixed)
  upstream.answer = json(drawn(2))
  await ask({ ...cat, model: 'dall-e-2', n: 4 }, path)
  expect(lastRecord()).toMatchObject({ quota: 40_000, promptTokens: 2 })
  upstream.answer = json(drawn(0))
  await ask(cat, path)
  expect(lastRecord()?.quota).toBe(0)
})

it('costs no more pictures than were asked for, whatever comes', async () => {
  await withPrice(fixed)
  upstream.answer = json(drawn(3))
  await ask(cat, path)
  expect(lastRecord()).toMatchObject({ quota: lastHold(), promptTokens: 1 })
})

it('costs as much by ratio as was held: 0.0025 times the ratio', async () => {
  await withPrice(byRatio(2))
  upstream.answer = json(drawn(2))
  await ask({ ...cat, model: 'dall-e-2', n: 2, size: '512x512' }, path)
  expect(lastRecord()).toMatchObject({
    quota: 2250,
    receipt: { lines: [{ item: 'image', quantity: 2, price: '562.5' }] },
  })
  expect(lastHold()).toBe(2250)
})

it('costs the tokens that a provider reports, also where the answer is large', async () => {
  await withPrice(byRatio(2.5, 8))
  const usage = {
    input_tokens: 50,
    output_tokens: 200,
    total_tokens: 250,
    input_tokens_details: { text_tokens: 10, image_tokens: 40 },
  }
  const answer = { created: 5, data: [{ b64_json: 'A'.repeat(200_000) }], usage }
  upstream.answer = json(answer)
  expect(await (await ask({ ...cat, model: 'gpt-image-1' }, path)).json()).toEqual(answer)
  expect(lastRecord()).toMatchObject({ quota: 4125, promptTokens: 50, completionTokens: 200 })
})

/** The head of a PNG of this size, which is all that is read of it. */
const png = (width: number, height: number): Blob => {
  const head = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
  const size = Buffer.alloc(8)
  size.writeUInt32BE(width)
  size.writeUInt32BE(height, 4)
  return new Blob([head, size], { type: 'image/png' })
}

it.each([
  ['looked at closely in tiles', png(1024, 1536), 6240 + 65 + 3 * 129],
  ['of twelve million pixels, in squares', png(4032, 3024), 14_364],
  ['of a size that cannot be read', new Blob(['?'], { type: 'image/heic' }), 14_364],
])('holds what uploaded pictures come to: %s', async (_, picture, tokens) => {
  await withPrice(byRatio(2.5, 8))
  const pictures = 2 * tokens
  const usage = {
    input_tokens: pictures + 3,
    output_tokens: 1584,
    total_tokens: pictures + 1587,
    input_tokens_details: { text_tokens: 3, image_tokens: pictures },
  }
  upstream.answer = json({ ...drawn(1), usage })
  const form = new FormData()
  form.set('model', 'gpt-image-1')
  form.set('prompt', 'a white cat')
  form.set('image[]', picture, 'a.png')
  form.set('mask', picture, 'mask.png')
  const response = await fetch(`${gateway.url}/v1/images/edits`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-good' },
    body: form,
  })
  expect(response.status).toBe(200)
  expect(lastRecord()).toMatchObject({ kind: 'charge', promptTokens: pictures + 3 })
  expect(lastHold()).toBeGreaterThanOrEqual(Number(lastRecord()?.quota))
})

it('streams pictures in the making', async () => {
  await withPrice(byRatio(1))
  const events = [
    'event: image_generation.partial_image\ndata: {"type":"image_generation.partial_image","b64_json":"QQ=="}\n\n',
    'event: image_generation.completed\ndata: {"type":"image_generation.completed","b64_json":"QUE=","usage":{"input_tokens":7,"output_tokens":9,"total_tokens":16}}\n\n',
  ]
  upstream.answer = stream(...events)
  const response = await ask({ ...cat, model: 'gpt-image-1', stream: true, partial_images: 1 }, path)
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  expect(await response.text()).toBe(events.join(''))
  expect(lastRecord()).toMatchObject({ promptTokens: 7, completionTokens: 9, isStream: true })
})

it.each([
  [{ model: 'dall-e-3' }, 'prompt is required'],
  [{ ...cat, n: -1 }, 'n must be a whole number from 1 to 10'],
  [{ ...cat, n: 11 }, 'n must be a whole number from 1 to 10'],
  [{ ...cat, n: 1.5 }, 'n must be a whole number from 1 to 10'],
  [{ ...cat, size: '1024×1024' }, "please use 'x' instead of the multiplication sign"],
  [{ ...cat, size: '256x256' }, 'size must be one of 256x256, 512x512, or 1024x1024, dall-e-3 1024x1792 or 1792x1024'],
])('refuses %j', async (body, message) => {
  const response = await ask(body, path)
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({
    error: { code: 'invalid_image_request', message: expect.stringContaining(message) },
  })
  expect(upstream.received).toEqual([])
  expect(holdEnds()).toEqual([])
})

it('is refused for blocked words in its prompt, as every call is', async () => {
  gateway.parts.settings = { ...testOptions, sensitiveWords: ['forbidden'] }
  const response = await ask({ ...cat, prompt: 'a Forbidden cat' }, path)
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error: { code: 'sensitive_words_detected' } })
  expect(upstream.received).toEqual([])
})

it('returns a provider’s refusal and costs nothing then', async () => {
  upstream.answer = json(
    { error: { message: 'no', type: 'image_generation_user_error', code: 'moderation_blocked' } },
    400,
  )
  const response = await ask(cat, path)
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ error: { code: 'moderation_blocked' } })
  expect(lastRecord()?.kind).toBe('error')
  expect(holdEnds()).toEqual(['released'])
})

describe.skipIf(!hasWire)('recorded', () => {
  const recorded = useRecorded('random:5')

  it('pictures come out as they were recorded', async () => {
    const all = recorded.replay.ids({ provider: 'openai', format: 'openai.images.generations' })
    const ids = all.filter((id) => recorded.replay.get(id).response.status === 200)
    expect(ids.length).toBeGreaterThan(1)
    for (const id of ids) {
      const { request, response } = recorded.replay.get(id)
      recorded.gateway.parts.channels.list.splice(
        0,
        1,
        testChannel({ baseUrl: recorded.replay.url, keys: [`wire-${id}`] }),
      )
      const answer = await fetch(recorded.gateway.url + path, {
        method: 'POST',
        headers: { authorization: 'Bearer sk-good', 'content-type': 'application/json' },
        body: JSON.stringify(request.body),
      })
      expect(answer.status).toBe(200)
      expect(await answer.json()).toEqual(response.body)
    }
  })
})
