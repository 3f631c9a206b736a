import OpenAI, { RateLimitError } from 'openai'
import { describe, expect, it } from 'vitest'
import { unpriced } from '../../src/relay/exchange/call-price.ts'
import {
  ask,
  channel,
  gateway,
  hi,
  hiStream,
  holdEnds,
  lastRecord,
  reopenGateway,
  upstream,
  useChannels,
  useScene,
} from '../support/gateway/scene.ts'
import { chunk, done, json, stream, usageChunk } from '../support/gateway/upstream.ts'
import { openTestHolds, testOptions } from '../support/relay/ports.ts'

useScene()

describe('money', () => {
  it('is not there: nothing is asked', async () => {
    await reopenGateway({ holds: openTestHolds(0) })
    const response = await ask(hi)
    expect(response.status).toBe(403)
    expect(await response.json()).toEqual({
      error: {
        message: expect.stringMatching(/^user quota is not enough \(request id: /),
        type: 'new_api_error',
        param: '',
        code: 'insufficient_user_quota',
      },
    })
    expect(upstream.received).toEqual([])
    expect(lastRecord()).toMatchObject({ kind: 'error', quota: 0 })
  })

  it.each([
    [true, 'user quota: ＄0.000200, need quota: ＄0.005040'],
    [false, 'user quota: 100, need quota: 2520'],
  ])('that is missing is stated in currency: %s', async (inCurrency, amounts) => {
    await reopenGateway({ holds: openTestHolds(100) })
    gateway.parts.settings = { ...testOptions, amounts: { inCurrency, quotaPerUnit: 500_000 } }
    const response = await ask(hi)
    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({
      error: { message: expect.stringContaining(amounts), code: 'insufficient_user_quota' },
    })
  })

  it.each([
    ['/v1/chat/completions', { ...hi, max_tokens: 1000 }],
    ['/v1/chat/completions', { ...hi, max_completion_tokens: 1000 }],
    ['/v1/responses', { model: 'gpt-4o', input: 'hi', max_output_tokens: 1000 }],
    ['/v1/models/gpt-4o:generateContent', { contents: [], generationConfig: { maxOutputTokens: 1000 } }],
    ['/v1/models/gpt-4o:generateContent', { contents: [], generation_config: { max_output_tokens: 1000 } }],
  ])('is held for the longest answer that %s asks for', async (path, body) => {
    await ask(body, path)
    const [held] = gateway.parts.holds.ends
    expect(held?.amount).toBeGreaterThan(5000)
    expect(held?.amount).toBeLessThan(5150)
  })

  it('cannot be recorded: the client gets no answer and pays nothing', async () => {
    gateway.parts.recorder.beforeEnd = (record) => {
      if (record.kind === 'charge') throw new Error('disk full')
    }
    expect((await ask(hi)).status).toBe(500)
    expect(holdEnds()).toEqual(['released'])
  })

  it('is not known: a model without a price is not called', async () => {
    const response = await ask({ ...hi, model: 'unpriced' })
    // Clients repeat what is 500 or more, and no repetition brings a price.
    expect(response.status).toBe(400)
    expect(response.headers.get('x-should-retry')).toBe('false')
    expect(await response.json()).toMatchObject({ error: { code: 'model_price_error' } })
    expect(upstream.received).toEqual([])
  })

  it('is unknown: callers who can set prices read so', () => {
    expect(unpriced('m', { role: 10 }).textIn('zh')).toBe(
      '模型 m 倍率或价格未配置, 请联系管理员设置；Model m ratio or price not set, please contact administrator to set',
    )
    expect(unpriced('m', { role: 100 }).textIn('zh')).toBe(
      '模型 m 倍率或价格未配置，请设置或开始自用模式；Model m ratio or price not set, please set or start self-use mode',
    )
  })

  it('is not spent on blocked words', async () => {
    gateway.parts.settings = { ...testOptions, sensitiveWords: ['test_sensitive'] }
    const messages = [{ role: 'user', content: [{ type: 'text', text: 'a TEST_\u0053ensitive word' }] }]
    const response = await ask({ ...hi, messages })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { code: 'sensitive_words_detected' } })
    expect(upstream.received).toEqual([])
  })
})

describe('the official SDK', () => {
  const client = (): OpenAI => new OpenAI({ apiKey: 'sk-good', baseURL: `${gateway.url}/v1`, maxRetries: 0 })

  it('chats, streams, calls tools, embeds and lists models', async () => {
    const chat = await client().chat.completions.create({
      model: 'gpt-4o',
      messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }] }],
      response_format: { type: 'json_schema', json_schema: { name: 's', schema: { type: 'object' }, strict: true } },
      tools: [{ type: 'function', function: { name: 'f', parameters: {} } }],
    })
    expect(chat.choices[0]?.message.content).toBe('hello')
    upstream.answer = stream(chunk('a'), chunk('b'), usageChunk(1, 2), done)
    const parts: string[] = []
    for await (const part of await client().chat.completions.create({ ...hiStream, stream: true, messages: [] })) {
      parts.push(part.choices[0]?.delta.content ?? '')
    }
    expect(parts).toEqual(['a', 'b'])
    upstream.answer = json({ data: [{ index: 0, embedding: [0.5] }], usage: { prompt_tokens: 2, total_tokens: 2 } })
    const embedding = await client().embeddings.create({ model: 'e', input: 'x', encoding_format: 'float' })
    expect(embedding.data[0]?.embedding).toEqual([0.5])
    useChannels(channel({ models: new Set(['gpt-4o', 'own']) }))
    expect((await client().models.list()).data.map(({ id, owned_by }) => [id, owned_by])).toEqual([
      ['gpt-4o', 'openai'],
      ['own', 'custom'],
    ])
    expect((await client().models.retrieve('own')).id).toBe('own')
  })

  it('throws its own errors', async () => {
    upstream.answer = json({ error: { message: 'slow down', type: 'requests', code: 'rate_limit_exceeded' } }, 429)
    await expect(client().chat.completions.create({ ...hi, messages: [] })).rejects.toBeInstanceOf(RateLimitError)
    const stranger = new OpenAI({ apiKey: 'sk-bad', baseURL: `${gateway.url}/v1`, maxRetries: 0 })
    await expect(stranger.models.list()).rejects.toBeInstanceOf(OpenAI.AuthenticationError)
    upstream.answer = ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(chunk('a'), () => response.destroy())
    }
    const read = async (): Promise<void> => {
      for await (const _ of await client().chat.completions.create({ ...hiStream, stream: true, messages: [] }));
    }
    await expect(read()).rejects.toBeInstanceOf(OpenAI.APIError)
  })
})
