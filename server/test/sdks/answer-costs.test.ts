import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { expect, it } from 'vitest'
import { dollarsOf } from '../../src/billing/amounts/amount-text.ts'
import {
  claude,
  gemini,
  generated,
  generatedStream,
  message,
  messageStream,
  response,
} from '../support/gateway/dialects.ts'
import { channel, gateway, lastRecord, upstream, useChannels, useScene } from '../support/gateway/scene.ts'
import { chunk, completion, done, json, stream, usageChunk } from '../support/gateway/upstream.ts'

/** Official SDKs read the cost as a number where usage is, and the events about it break none of them. */

useScene()

const defaultHeaders = { 'x-tollgate-include-cost': 'true' }
const apiKey = 'sk-good'
const openai = () => new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey, maxRetries: 0, defaultHeaders })
const anthropic = () => new Anthropic({ baseURL: gateway.url, apiKey, maxRetries: 0, defaultHeaders })
const google = () =>
  new GoogleGenAI({ apiKey, vertexai: false, httpOptions: { baseUrl: gateway.url, headers: defaultHeaders } })

const charged = (): number => {
  const { receipt } = lastRecord() ?? {}
  return receipt === undefined ? Number.NaN : Number(dollarsOf(receipt))
}

/** The cost in a usage; SDKs keep members that their types do not know. */
const costIn = (usage: unknown): unknown => (usage as { cost?: unknown } | undefined)?.cost

const chat = { model: 'gpt-4o', messages: [{ role: 'user' as const, content: 'hi' }] }
const ask = { model: 'claude-sonnet-4-5', max_tokens: 90, messages: [{ role: 'user' as const, content: 'hi' }] }
const respond = { model: 'gpt-4o', input: 'hi' }
const generate = { model: 'gemini-2.5-flash', contents: 'hi' }

it('OpenAI: chat completions, whole and streamed', async () => {
  upstream.answer = json(completion('hello'))
  const { usage } = await openai().chat.completions.create(chat)
  expect(costIn(usage)).toBe(charged())
  upstream.answer = stream(chunk('a'), usageChunk(1, 2), done)
  const costs: unknown[] = []
  for await (const part of await openai().chat.completions.create({ ...chat, stream: true }))
    if (part.usage) costs.push(costIn(part.usage))
  expect(costs).toEqual([charged()])
})

it('OpenAI: Responses, whole, streamed, and broken off', async () => {
  upstream.answer = json(response)
  expect(costIn((await openai().responses.create(respond)).usage)).toBe(charged())
  // Its helper for streams adds all events up.
  useChannels(claude())
  upstream.answer = stream(...messageStream)
  const streamed = { ...respond, model: 'claude-sonnet-4-5' }
  expect(costIn((await openai().responses.stream(streamed).finalResponse()).usage)).toBe(charged())
  upstream.answer = stream(...messageStream.slice(0, 4))
  const types: string[] = []
  const costs: unknown[] = []
  const broken = openai().responses.stream(streamed)
  broken.on('event', (event) => {
    types.push(event.type)
    if (event.type === 'response.in_progress' && costIn(event.response.usage) !== undefined)
      costs.push(costIn(event.response.usage))
  })
  await expect(broken.finalResponse()).rejects.toBeInstanceOf(OpenAI.APIError)
  expect(costs).toEqual([charged()])
  expect(types.lastIndexOf('response.in_progress')).toBe(types.length - 1)
})

it('Anthropic: Messages, whole, streamed, and broken off', async () => {
  useChannels(claude())
  upstream.answer = json(message)
  expect(costIn((await anthropic().messages.create(ask)).usage)).toBe(charged())
  upstream.answer = stream(...messageStream)
  const costs: unknown[] = []
  const running = anthropic().messages.stream(ask)
  running.on('streamEvent', (event) => {
    if (event.type === 'message_delta') costs.push(costIn(event.usage))
  })
  const { content } = await running.finalMessage()
  expect([content[0], costs]).toMatchObject([{ text: 'Say "message_stop"' }, [charged()]])
  costs.length = 0
  upstream.answer = stream(...messageStream.slice(0, 4))
  const broken = await anthropic().messages.create({ ...ask, stream: true })
  await expect(
    (async () => {
      for await (const event of broken) if (event.type === 'message_delta') costs.push(costIn(event.usage))
    })(),
  ).rejects.toBeInstanceOf(Anthropic.APIError)
  expect(costs).toEqual([charged()])
})

it('Google: generateContent, whole and streamed', async () => {
  useChannels(gemini())
  upstream.answer = json(generated)
  expect(costIn((await google().models.generateContent(generate)).usageMetadata)).toBe(charged())
  upstream.answer = stream(...generatedStream)
  let last: unknown
  for await (const part of await google().models.generateContentStream(generate)) last = part.usageMetadata ?? last
  expect(costIn(last)).toBe(charged())
})

it('says it of direct calls that are billed by their usage', async () => {
  useChannels(
    channel({
      passthrough: { groups: new Set(['default']), keys: new Set(), paths: [], price: undefined, shared: true },
    }),
  )
  upstream.answer = json(completion('hello'))
  const direct = new OpenAI({ baseURL: `${gateway.url}/p/1/v1`, apiKey, maxRetries: 0, defaultHeaders })
  expect(costIn((await direct.chat.completions.create(chat)).usage)).toBe(charged())
})
