import OpenAI, { toFile } from 'openai'
import { describe, expect, it } from 'vitest'
import type { RelayChannel } from '../../src/relay/ports.ts'
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
import { json } from '../support/gateway/upstream.ts'
import { testChannel, testOptions, testPrices } from '../support/relay/ports.ts'
import { hasWire } from '../support/relay/wire.ts'

/** OpenAI's pictures, drawn by Google: Imagen predicts, Gemini's own models draw in a conversation. */

useScene()

const path = '/v1/images/generations'
const cat = { model: 'imagen-3.0-generate-002', prompt: 'a white cat' }
const prediction = { mimeType: 'image/png', bytesBase64Encoded: 'QUJD' }

const gemini = (): RelayChannel => channel({ type: 24 })
const vertex = (): RelayChannel => channel({ type: 41, keys: ['AQ.key'], other: 'us-central1' })

const sdk = (): OpenAI => new OpenAI({ apiKey: 'sk-good', baseURL: `${gateway.url}/v1`, maxRetries: 0 })

/** $0.03 a picture. */
const useImagen = async (openChannel: () => RelayChannel): Promise<void> => {
  await reopenGateway({ prices: testPrices(priceOf('imagen-3.0-generate-002')) })
  useChannels(openChannel())
}

const errorOf = async (response: Response): Promise<unknown> => ((await response.json()) as { error: unknown }).error

describe('Imagen', () => {
  it.each([
    ['AI Studio', gemini, '/v1beta/models/imagen-3.0-generate-002:predict', 'channel-key'],
    ['Vertex', vertex, '/v1/publishers/google/models/imagen-3.0-generate-002:predict', 'AQ.key'],
  ] as const)('at %s predicts what the official client asks for', async (_, openChannel, address, key) => {
    await useImagen(openChannel)
    upstream.answer = json({ predictions: [prediction, { ...prediction, prompt: 'a cat, white' }] })
    const answer = await sdk().images.generate({ ...cat, n: 2, size: '1024x1792' })
    expect(answer).toEqual({
      created: expect.any(Number),
      data: [{ b64_json: 'QUJD' }, { b64_json: 'QUJD', revised_prompt: 'a cat, white' }],
    })
    const [call, ...others] = upstream.received
    expect(others).toEqual([])
    expect(call?.path).toBe(address)
    expect(call?.headers['x-goog-api-key']).toBe(key)
    expect(call?.headers['content-type']).toBe('application/json')
    expect(JSON.parse(sentBody())).toEqual({
      instances: [{ prompt: 'a white cat' }],
      parameters: { sampleCount: 2, aspectRatio: '9:16', personGeneration: 'allow_adult', includeRaiReason: true },
    })
    // A tall picture counts as two.
    expect(lastRecord()).toMatchObject({
      kind: 'charge',
      quota: 60_000,
      promptTokens: 2,
      completionTokens: 0,
      content: '模型价格 0.03，分组倍率 1.00, 大小 1024x1792, 品质 standard',
      receipt: { mode: 'call', lines: [{ item: 'image', quantity: 2, price: '2' }], estimated: false },
    })
    expect(holdEnds()).toEqual([60_000])
  })

  it.each([
    ['1024x1024', '1:1', null],
    ['1792x1024', '16:9', null],
    ['1152x864', '4:3', null],
    ['768x1024', '3:4', null],
    ['1536x1024', '4:3', 'size'],
    ['auto', undefined, null],
    ['2K', undefined, 'size'],
  ])('of size %s is drawn as %s', async (size, aspectRatio, lost) => {
    useChannels(gemini())
    upstream.answer = json({ predictions: [prediction] })
    const response = await ask({ ...cat, size }, path)
    expect(JSON.parse(sentBody()).parameters.aspectRatio).toBe(aspectRatio)
    expect(response.headers.get('x-tollgate-lost-fields')).toBe(lost)
  })

  it('passes on what only Imagen knows, and says what it does not', async () => {
    useChannels(gemini())
    upstream.answer = json({ predictions: [prediction] })
    const body = { ...cat, seed: 5, negative_prompt: 'dogs', style: 'vivid', user: 'u', response_format: 'url' }
    const response = await ask(body, path)
    expect(JSON.parse(sentBody()).parameters).toMatchObject({ seed: 5, negativePrompt: 'dogs' })
    expect(response.headers.get('x-tollgate-lost-fields')).toBe('response_format, style, user')
    expect(lastRecord()?.other).toMatchObject({ lost_fields: ['response_format', 'style', 'user'] })
  })

  it('costs as many pictures as Google did not filter out', async () => {
    await useImagen(gemini)
    upstream.answer = json({ predictions: [prediction, { raiFilteredReason: 'unsafe' }, prediction] })
    const response = await ask({ ...cat, n: 4 }, path)
    expect(await response.json()).toMatchObject({ data: [{ b64_json: 'QUJD' }, { b64_json: 'QUJD' }] })
    expect(lastRecord()?.quota).toBe(30_000)
    expect(holdEnds()).toEqual([30_000])
  })

  it.each([
    [{ predictions: [{ raiFilteredReason: 'The prompt is not allowed' }] }, 'The prompt is not allowed'],
    [{}, 'No images generated'],
  ])('without a picture is an error of the caller: %j', async (answer, message) => {
    await useImagen(gemini)
    upstream.answer = json(answer)
    const response = await ask(cat, path)
    expect(response.status).toBe(400)
    expect(await errorOf(response)).toMatchObject({ code: 'no_images', message: expect.stringContaining(message) })
    expect(holdEnds()).toEqual(['released'])
  })

  it('returns Google’s refusals unchanged', async () => {
    useChannels(gemini())
    upstream.answer = json({ error: { code: 400, message: 'bad prompt', status: 'INVALID_ARGUMENT' } }, 400)
    const response = await ask(cat, path)
    expect(response.status).toBe(400)
    expect(await errorOf(response)).toMatchObject({ message: expect.stringContaining('bad prompt') })
    expect(upstream.received).toHaveLength(1)
  })

  it('draws new pictures only, and no picture in the making', async () => {
    useChannels(gemini())
    const image = await toFile(Buffer.from([1]), 'a.png', { type: 'image/png' })
    await expect(sdk().images.edit({ ...cat, image })).rejects.toMatchObject({
      status: 400,
      code: 'invalid_image_request',
    })
    expect((await ask({ ...cat, stream: true }, path)).status).toBe(400)
    expect(upstream.received).toEqual([])
  })

  it('is not asked by groups that may lose nothing', async () => {
    gateway.parts.settings = { ...testOptions, strictGroups: new Set(['default']) }
    useChannels(gemini())
    expect((await ask({ ...cat, style: 'vivid' }, path)).status).toBe(400)
    expect(upstream.received).toEqual([])
  })

  it('takes what the operator lays over its channel’s calls', async () => {
    useChannels(channel({ type: 24, paramOverride: { parameters: { sampleCount: 1 } } }))
    upstream.answer = json({ predictions: [prediction] })
    await ask(cat, path)
    expect(JSON.parse(sentBody())).toEqual({ instances: [{ prompt: 'a white cat' }], parameters: { sampleCount: 1 } })
  })
})

describe('Gemini’s models that draw', () => {
  const drawn = {
    candidates: [
      {
        content: {
          role: 'model',
          parts: [
            { thought: true, inlineData: { mimeType: 'image/png', data: 'VEhJTks=' } },
            { text: 'Here it is' },
            { inlineData: { mimeType: 'image/png', data: 'QUJD' } },
          ],
        },
        finishReason: 'STOP',
      },
    ],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 1290, totalTokenCount: 1300 },
  }
  const model = 'gemini-2.5-flash-image'
  const byTokens = priceOf('drawer', { modelRatio: { drawer: 0.15 }, completionRatio: { drawer: 100 } })

  it('draw in a conversation, and are paid for by their tokens', async () => {
    await reopenGateway({ prices: testPrices(byTokens) })
    useChannels(gemini())
    upstream.answer = json(drawn)
    const answer = await sdk().images.generate({ ...cat, model, size: '1536x1024' })
    expect(answer).toEqual({
      created: expect.any(Number),
      data: [{ b64_json: 'QUJD' }],
      usage: {
        input_tokens: 10,
        output_tokens: 1290,
        total_tokens: 1300,
        input_tokens_details: { text_tokens: 10, image_tokens: 0 },
      },
    })
    expect(upstream.received[0]?.path).toBe(`/v1beta/models/${model}:generateContent`)
    const body = JSON.parse(sentBody())
    expect(body).toEqual({
      contents: [{ role: 'user', parts: [{ text: 'a white cat' }] }],
      safetySettings: expect.any(Array),
      generationConfig: { responseModalities: ['TEXT', 'IMAGE'], imageConfig: { aspectRatio: '3:2' } },
    })
    expect(body.safetySettings[0]).toEqual({ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' })
    expect(lastRecord()).toMatchObject({ promptTokens: 10, completionTokens: 1290, quota: 19_352 })
    expect(gateway.parts.holds.ends.at(-1)?.amount).toBe(24_075)
  })

  it('draw one picture per call, and are paid for one', async () => {
    await useImagen(gemini)
    upstream.answer = json(drawn)
    const response = await ask({ ...cat, model, n: 3, image_size: '2K' }, path)
    expect(response.headers.get('x-tollgate-lost-fields')).toBe('n')
    expect(JSON.parse(sentBody()).generationConfig.imageConfig).toEqual({ imageSize: '2K' })
    expect(lastRecord()?.quota).toBe(15_000)
    expect(holdEnds()).toEqual([15_000])
  })

  it('change pictures that the official client uploads', async () => {
    await useImagen(vertex)
    upstream.answer = json({
      ...drawn,
      usageMetadata: {
        ...drawn.usageMetadata,
        promptTokensDetails: [
          { modality: 'TEXT', tokenCount: 4 },
          { modality: 'IMAGE', tokenCount: 6 },
        ],
      },
    })
    const image = [
      await toFile(Buffer.from('one'), 'a.png', { type: 'image/png' }),
      await toFile(Buffer.from('two'), 'b.jpg', { type: 'image/jpeg' }),
    ]
    const answer = await sdk().images.edit({ model, prompt: 'make it blue', image })
    expect(answer.data).toEqual([{ b64_json: 'QUJD' }])
    expect(answer.usage?.input_tokens_details).toEqual({ text_tokens: 4, image_tokens: 6 })
    expect(upstream.received[0]?.path).toBe(`/v1/publishers/google/models/${model}:generateContent`)
    expect(upstream.received[0]?.headers['content-type']).toBe('application/json')
    expect(JSON.parse(sentBody()).contents).toEqual([
      {
        role: 'user',
        parts: [
          { inlineData: { mimeType: 'image/png', data: Buffer.from('one').toString('base64') } },
          { inlineData: { mimeType: 'image/jpeg', data: Buffer.from('two').toString('base64') } },
          { text: 'make it blue' },
        ],
      },
    ])
    expect(lastRecord()?.quota).toBe(15_000)
  })

  it.each([
    [{ candidates: [{ finishReason: 'IMAGE_SAFETY', finishMessage: 'not safe' }] }, 'not safe'],
    [{ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } }, 'PROHIBITED_CONTENT'],
    [{ candidates: [{ content: { parts: [{ text: 'I will not' }] }, finishReason: 'STOP' }] }, 'I will not'],
    [{ candidates: [{ finishReason: 'NO_IMAGE' }] }, 'NO_IMAGE'],
    [{ candidates: [{ finishReason: 'STOP' }] }, 'No images generated'],
  ])('say why there is none: %j', async (answer, message) => {
    useChannels(gemini())
    upstream.answer = json(answer)
    const response = await ask({ ...cat, model }, path)
    expect(response.status).toBe(400)
    expect(await errorOf(response)).toMatchObject({ code: 'no_images', message: expect.stringContaining(message) })
    expect(holdEnds()).toEqual(['released'])
  })
})

describe.skipIf(!hasWire).each(['event', 'random:5'])('recorded, cut by %s', (chunking) => {
  const recorded = useRecorded(chunking)

  it('pictures come out, billed as reported', async () => {
    const found = recorded.replay
      .ids()
      .map((id) => recorded.replay.get(id))
      .filter(({ features, format }) => features.includes('image_output') && format === 'gemini.generateContent')
    expect(found).toHaveLength(2)
    for (const { id, provider, model, response, usage } of found) {
      const settings = provider === 'vertex' ? { type: 41, other: 'global' } : { type: 24 }
      recorded.gateway.parts.channels.list.splice(
        0,
        1,
        testChannel({ ...settings, baseUrl: recorded.replay.url, keys: [`wire-${id}`] }),
      )
      const answer = await fetch(recorded.gateway.url + path, {
        method: 'POST',
        headers: { authorization: 'Bearer sk-good', 'content-type': 'application/json' },
        body: JSON.stringify({ model, prompt: 'Generate an image of an axolotl.' }),
      })
      expect(answer.status).toBe(200)
      const { data } = (await answer.json()) as { data: { b64_json: string }[] }
      expect(data).toHaveLength(1)
      expect(JSON.stringify(response.body)).toContain(data[0]?.b64_json)
      expect(recorded.gateway.parts.recorder.records.at(-1)).toMatchObject({
        promptTokens: usage.prompt,
        completionTokens: usage.completion,
      })
    }
  })
})
