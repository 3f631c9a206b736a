import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { expect, it } from 'vitest'
import { ask, gateway, upstream, useScene } from '../support/gateway/scene.ts'

/** A model without a price: no repetition brings one, so that clients must not repeat the call. */

useScene()

const model = 'unpriced'
const messages = [{ role: 'user', content: 'hi' }]
const contents = [{ role: 'user', parts: [{ text: 'hi' }] }]
const streamed = { model, stream: true }

it.each([
  ['/v1/chat/completions', { model, messages }],
  ['/v1/chat/completions', { ...streamed, messages }],
  ['/v1/completions', { model, prompt: 'hi' }],
  ['/v1/completions', { ...streamed, prompt: 'hi' }],
  ['/v1/messages', { model, messages, max_tokens: 9 }],
  ['/v1/messages', { ...streamed, messages, max_tokens: 9 }],
  ['/v1/responses', { model, input: 'hi' }],
  ['/v1/responses', { ...streamed, input: 'hi' }],
  ['/v1beta/models/unpriced:generateContent', { contents }],
  ['/v1beta/models/unpriced:streamGenerateContent?alt=sse', { contents }],
  ['/v2/chat', { model, messages }],
  ['/v2/chat', { ...streamed, messages }],
  ['/v1/embeddings', { model, input: 'hi' }],
  ['/v1/images/generations', { model, prompt: 'hi' }],
  ['/v1/audio/speech', { model, input: 'hi', voice: 'alloy' }],
  ['/v1/rerank', { model, query: 'hi', documents: ['a'] }],
  ['/v1/moderations', { model, input: 'hi' }],
])('is refused for good at %s: %j', async (path, body) => {
  const response = await ask(body, path)
  expect([response.status, response.headers.get('x-should-retry')]).toEqual([400, 'false'])
  expect(await response.text()).toContain('ratio or price not set')
  expect(upstream.received).toEqual([])
})

const openai = () => new OpenAI({ apiKey: 'sk-good', baseURL: `${gateway.url}/v1` })
const anthropic = () => new Anthropic({ apiKey: 'sk-good', baseURL: gateway.url })
const google = () => new GoogleGenAI({ apiKey: 'sk-good', httpOptions: { baseUrl: gateway.url } }).models
const hi = [{ role: 'user' as const, content: 'hi' }]

it.each([
  ['openai, chat', () => openai().chat.completions.create({ model, messages: hi })],
  ['openai, chat streamed', () => openai().chat.completions.create({ model, messages: hi, stream: true })],
  ['openai, Responses', () => openai().responses.create({ model, input: 'hi' })],
  ['openai, Responses streamed', () => openai().responses.create({ model, input: 'hi', stream: true })],
  ['anthropic', () => anthropic().messages.create({ model, messages: hi, max_tokens: 9 })],
  ['anthropic, streamed', () => anthropic().messages.create({ model, messages: hi, max_tokens: 9, stream: true })],
  ['google', () => google().generateContent({ model, contents: 'hi' })],
  ['google, streamed', () => google().generateContentStream({ model, contents: 'hi' })],
])('is asked for once by the official client of %s', async (_, call) => {
  await expect(call()).rejects.toMatchObject({ status: 400 })
  expect(gateway.parts.recorder.records).toHaveLength(1)
})
