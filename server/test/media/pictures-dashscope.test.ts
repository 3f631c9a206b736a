import OpenAI, { toFile } from 'openai'
import { describe, expect, it } from 'vitest'
import { priceOf } from '../support/billing/price.ts'
import { useRecorded } from '../support/gateway/recorded.ts'
import {
  ask,
  channel,
  gateway,
  lastRecord,
  reopenGateway,
  sentBody,
  upstream,
  useChannels,
  useScene,
} from '../support/gateway/scene.ts'
import { json } from '../support/gateway/upstream.ts'
import { testChannel, testPrices } from '../support/relay/ports.ts'
import { hasWire } from '../support/relay/wire.ts'

/** OpenAI's pictures, drawn by those of DashScope's models that answer at once. */

useScene()

const path = '/v1/images/generations'

const sdk = (): OpenAI => new OpenAI({ apiKey: 'sk-good', baseURL: `${gateway.url}/v1`, maxRetries: 0 })

/** $0.04 a picture. */
const useAli = async (): Promise<void> => {
  await reopenGateway({ prices: testPrices(priceOf('dall-e-3')) })
  useChannels(channel({ type: 17 }))
}

const errorOf = async (response: Response): Promise<unknown> => ((await response.json()) as { error: unknown }).error

describe('newer models', () => {
  const drawn = (...urls: readonly string[]) => ({
    output: { choices: [{ message: { role: 'assistant', content: urls.map((image) => ({ image })) } }] },
    usage: { image_count: urls.length },
    request_id: 'r',
  })

  it('answer at once', async () => {
    await useAli()
    upstream.answer = json(drawn('https://x/1.png', 'https://x/2.png'))
    const answer = await sdk().images.generate({ model: 'wan2.6-t2i', prompt: 'a cat', n: 2, size: '1024x1024' })
    expect(answer.data).toEqual([{ url: 'https://x/1.png' }, { url: 'https://x/2.png' }])
    expect(upstream.received.map(({ path }) => path)).toEqual([
      '/api/v1/services/aigc/multimodal-generation/generation',
    ])
    expect(upstream.received[0]?.headers['x-dashscope-async']).toBeUndefined()
    expect(JSON.parse(sentBody())).toEqual({
      model: 'wan2.6-t2i',
      input: { messages: [{ role: 'user', content: [{ text: 'a cat' }] }] },
      parameters: { n: 2, size: '1024*1024' },
    })
    expect(lastRecord()?.quota).toBe(40_000)
  })

  it.each([
    ['1024x1024', '1328*1328', 'n'],
    ['1792x1024', '1664*928', 'n'],
    ['1536x1024', '1472*1104', 'n, size'],
    [undefined, undefined, 'n'],
  ])('of the first generation know few sizes, and one picture: %s', async (size, sent, lost) => {
    await useAli()
    upstream.answer = json(drawn('https://x/1.png'))
    const response = await ask({ model: 'qwen-image-plus', prompt: 'a cat', n: 2, size }, path)
    expect(JSON.parse(sentBody()).parameters).toEqual({ n: 1, ...(sent === undefined ? {} : { size: sent }) })
    expect(response.headers.get('x-tollgate-lost-fields')).toBe(lost)
  })

  it('change pictures', async () => {
    await useAli()
    upstream.answer = json(drawn('https://x/1.png'))
    const image = await toFile(Buffer.from('one'), 'a.png', { type: 'image/png' })
    const answer = await sdk().images.edit({ model: 'qwen-image-edit-plus', prompt: 'make it blue', image })
    expect(answer.data).toEqual([{ url: 'https://x/1.png' }])
    expect(JSON.parse(sentBody()).input.messages[0].content).toEqual([
      { image: 'data:image/png;base64,b25l' },
      { text: 'make it blue' },
    ])
  })

  it('without a picture are an error', async () => {
    await useAli()
    upstream.answer = json(drawn())
    const response = await ask({ model: 'qwen-image-plus', prompt: 'a cat' }, path)
    expect(response.status).toBe(400)
    expect(await errorOf(response)).toMatchObject({ code: 'no_images' })
  })
})

describe.skipIf(!hasWire)('recorded', () => {
  const recorded = useRecorded('random:5')

  it('a picture comes out as recorded, requested in the recorded format', async () => {
    const ids = recorded.replay.ids({ provider: 'dashscope', format: 'dashscope.multimodal' })
    const id = ids.find((one) => recorded.replay.get(one).model === 'qwen-image-max') ?? ''
    const { request, response } = recorded.replay.get(id)
    const sent = request.body as {
      input: { messages: { content: { text: string }[] }[] }
      parameters: Record<string, unknown>
    }
    recorded.gateway.parts.channels.list.splice(
      0,
      1,
      testChannel({ type: 17, baseUrl: recorded.replay.url, keys: [`wire-${id}`] }),
    )
    const { size, ...parameters } = sent.parameters
    const answer = await fetch(recorded.gateway.url + path, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-good', 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'qwen-image-max',
        prompt: sent.input.messages[0]?.content[0]?.text,
        size: String(size).replace('*', 'x'),
        ...parameters,
      }),
    })
    const { data } = (await answer.json()) as { data: { url: string }[] }
    expect(data).toHaveLength(1)
    expect(JSON.stringify(response.body)).toContain(data[0]?.url)
    expect(recorded.replay.log(id).at(-1)?.body).toEqual(request.body)
  })
})
