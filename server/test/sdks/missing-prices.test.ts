import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { askIn, everyWay } from '../support/gateway/dialect-calls.ts'
import { named } from '../support/gateway/dialects.ts'
import { ask, channel, gateway, lastRecord, upstream, useChannels, useScene } from '../support/gateway/scene.ts'
import { chunk, completion, done, json, stream, usageChunk } from '../support/gateway/upstream.ts'

/** A gateway behind this one has no price for a model: its 500 is answered as a missing price of our own is. */

useScene()

const chinese = '模型 gpt-4o 倍率或价格未配置，请联系管理员设置或开始自用模式'
const english = 'Model gpt-4o ratio or price not set, please set or start self-use mode (request id: 2026)'
const both = `${chinese}；${english}`
const unmapped =
  "This model isn't mapped yet. model=gpt-4o, custom_llm_provider=openai. Add it here - https://github.com/BerriAI/litellm/blob/main/model_prices_and_context_window.json."

/** Bodies as such gateways write them. */
const forms: readonly (readonly [string, unknown])[] = [
  ['new-api', { error: { message: both, type: 'new_api_error', param: '', code: 'model_price_error' } }],
  ['a fork without the code', { error: { message: both, type: 'one_api_error', param: '', code: null } }],
  ['a fork in English', { error: { message: english, type: 'one_api_error' } }],
  ['a fork in Chinese', { error: { message: chinese, type: 'one_api_error' } }],
  ['an older one', { error: { message: '模型 gpt-4o 倍率或价格未配置, 请联系管理员设置', code: 'model_price_error' } }],
  ['the form of tasks', { code: 'model_price_error', message: both, data: null }],
  ['Claude’s form', { type: 'error', error: { type: 'model_price_error', message: both } }],
  ['Claude’s form without the code', { type: 'error', error: { type: 'new_api_error', message: both } }],
  ['Google’s form', { error: { code: 500, message: both, status: 'INTERNAL' } }],
  ['LiteLLM', { error: { message: unmapped, type: 'None', param: 'None', code: '500' } }],
  ['LiteLLM around its class', { error: { message: `litellm.APIError: OpenAIException - ${unmapped}`, code: '500' } }],
  ['new-api behind LiteLLM', { error: { message: `litellm.InternalServerError: OpenAIException - ${both}` } }],
]

/** Failures that stay as they are. */
const others: readonly (readonly [string, unknown, number?])[] = [
  ['another reason', { error: { message: 'boom', type: 'new_api_error', code: 'do_request_failed' } }],
  ['words in a sentence', { error: { message: `The user wrote: ${english}`, type: 'server_error' } }],
  ['other words', { error: { message: 'The price of this model is not known', type: 'server_error' } }],
  ['LiteLLM’s advice alone', { error: { message: "This model isn't mapped yet, sorry" } }],
  ['503', { error: { message: both, type: 'new_api_error', code: 'model_price_error' } }, 503],
  ['429', { error: { message: 'busy', type: 'new_api_error', code: 'model_price_error' } }, 429],
]

const types = [1, 8, 14, 24, 20, 43] as const
const at = (type: number) =>
  channel({ type, ...(type === 8 ? { baseUrl: `${upstream.url}/v1/chat/completions` } : {}) })

const read = async (response: Response): Promise<readonly [number, string | null, string]> => [
  response.status,
  response.headers.get('x-should-retry'),
  await response.text(),
]

const streamed = [chunk('Hi'), usageChunk(3, 1), done]

describe.each(everyWay)('for a client of %s, streamed: %s', (dialect, isStream) => {
  it.each(types)('a 500 of a gateway without a price is 400 for good at type %i', async (type) => {
    for (const [name, body] of forms) {
      useChannels(at(type))
      upstream.answer = json(body, 500)
      const [status, advice, text] = await read(await askIn(dialect, 'gpt-4o', { stream: isStream }))
      expect([name, status, advice]).toEqual([name, 400, 'false'])
      expect(text).toContain('Model gpt-4o ratio or price not set')
      expect(text).not.toContain('self-use')
      expect(lastRecord()?.quota).toBe(0)
    }
  })

  it('another 500, and another status, stay', async () => {
    for (const [name, body, sent = 500] of others) {
      useChannels(at(1))
      upstream.answer = json(body, sent)
      const [status, advice, text] = await read(await askIn(dialect, 'gpt-4o', { stream: isStream }))
      const expected = dialect === 'messages' && sent === 503 ? [503, 529] : [sent]
      expect(expected, name).toContain(status)
      expect(advice, name).toBe(null)
      expect(text, name).not.toContain('Model gpt-4o ratio or price not set, please contact')
    }
  })

  it('another channel answers that has a price', async () => {
    const second = { id: 2, name: 'second', priority: -1 }
    useChannels(
      channel({ type: 8, baseUrl: `${upstream.url}/none` }),
      channel({ ...second, type: 8, baseUrl: `${upstream.url}/priced` }),
    )
    gateway.parts.settings = { ...gateway.parts.settings, retryTimes: 1 }
    upstream.answer = (received) => {
      if (received.path.startsWith('/none')) json(forms[0]?.[1], 500)(received)
      else if (isStream) stream(...streamed)(received)
      else json(completion('Hi'))(received)
    }
    const [status] = await read(await askIn(dialect, 'gpt-4o', { stream: isStream }))
    expect([status, upstream.received.map(({ path }) => path)]).toEqual([200, ['/none', '/priced']])
  })
})

describe('an error within a success', () => {
  const failed = { message: both, type: 'new_api_error', code: 'model_price_error' }

  it.each(everyWay)('is the same for a client of %s, streamed: %s', async (dialect, isStream) => {
    useChannels(channel({ type: 8, baseUrl: `${upstream.url}/v1/chat/completions` }))
    const event = `data: ${JSON.stringify({ error: failed })}\n\n`
    upstream.answer = isStream ? stream(event) : json({ error: failed })
    const [status, advice, text] = await read(await askIn(dialect, 'gpt-4o', { stream: isStream }))
    expect([status, advice]).toEqual([400, 'false'])
    expect(text).toContain('Model gpt-4o ratio or price not set, please contact')
  })

  it('is the same in a stream of Responses', async () => {
    useChannels(channel({ type: 1 }))
    upstream.answer = stream(named('error', { message: both, code: failed.code, param: null }))
    const [status] = await read(await askIn('chat', 'gpt-5.2-codex', { stream: true }))
    expect(status).toBe(400)
  })
})

describe('calls that are no conversations', () => {
  it.each([
    ['/v1/embeddings', { input: 'hi' }],
    ['/v1/images/generations', { prompt: 'hi' }],
    ['/v1/audio/speech', { input: 'hi', voice: 'alloy' }],
    ['/v1/rerank', { query: 'hi', documents: ['a'] }],
    ['/v1/moderations', { input: 'hi' }],
    ['/v1/completions', { prompt: 'hi' }],
  ])('are refused for good, too: %s', async (path, body) => {
    upstream.answer = json(forms[0]?.[1], 500)
    const [status, advice] = await read(await ask({ model: 'gpt-4o', ...body }, path))
    expect([status, advice]).toEqual([400, 'false'])
  })
})

const openai = () => new OpenAI({ apiKey: 'sk-good', baseURL: `${gateway.url}/v1` })
const anthropic = () => new Anthropic({ apiKey: 'sk-good', baseURL: gateway.url })
const google = () => new GoogleGenAI({ apiKey: 'sk-good', httpOptions: { baseUrl: gateway.url } }).models
const model = 'gpt-4o'
const messages = [{ role: 'user' as const, content: 'hi' }]

it.each([
  ['openai', () => openai().chat.completions.create({ model, messages, stream: true })],
  ['openai, Responses', () => openai().responses.create({ model, input: 'hi' })],
  ['anthropic', () => anthropic().messages.create({ model, messages, max_tokens: 9 })],
  ['google', () => google().generateContent({ model, contents: 'hi' })],
])('is asked for once by the official client of %s', async (_, call) => {
  upstream.answer = json(forms[0]?.[1], 500)
  await expect(call()).rejects.toMatchObject({ status: 400 })
  expect(upstream.received).toHaveLength(1)
})
