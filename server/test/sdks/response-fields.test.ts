import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import type { ResponseCreateParamsNonStreaming, Tool } from 'openai/resources/responses/responses'
import { describe, expect, it } from 'vitest'
import { claude, gemini, generated, message, messageStream } from '../support/gateway/dialects.ts'
import { gateway, upstream, useChannels, useScene } from '../support/gateway/scene.ts'
import { completion, json, stream } from '../support/gateway/upstream.ts'

useScene()

/** Fields that official clients declare as always there, in answers of providers that do not have them. */

const openai = () => new OpenAI({ apiKey: 'sk-good', baseURL: `${gateway.url}/v1`, maxRetries: 0 })

const tool: Tool = { type: 'function', name: 'weather', parameters: { type: 'object', properties: {} }, strict: false }
const request = {
  model: 'claude-sonnet-4-5',
  input: 'hi',
  instructions: 'Be brief.',
  metadata: { ticket: '7' },
  tools: [tool],
  tool_choice: 'auto',
  parallel_tool_calls: false,
  max_output_tokens: 100,
} satisfies ResponseCreateParamsNonStreaming

const { model: _, input: _input, ...repeated } = request

describe('a response', () => {
  it('repeats its request, whole and streamed', async () => {
    useChannels(claude())
    upstream.answer = json(message)
    expect(await openai().responses.create(request)).toMatchObject({ ...repeated, temperature: null, top_p: null })
    upstream.answer = stream(...messageStream)
    const seen: OpenAI.Responses.Response[] = []
    for await (const event of await openai().responses.create({ ...request, stream: true }))
      if ('response' in event) seen.push(event.response)
    expect(seen).toHaveLength(3)
    for (const response of seen) expect(response).toMatchObject(repeated)
  })

  it('has what is usual where its request says nothing, and what was written to a cache', async () => {
    useChannels(claude())
    upstream.answer = json(message)
    expect(await openai().responses.create({ model: request.model, input: 'hi' })).toMatchObject({
      instructions: null,
      metadata: {},
      parallel_tool_calls: true,
      tool_choice: 'auto',
      tools: [],
      usage: { input_tokens_details: { cached_tokens: 30, cache_write_tokens: 5 } },
    })
  })
})

describe('a message', () => {
  const anthropic = () => new Anthropic({ apiKey: 'sk-good', baseURL: gateway.url, maxRetries: 0 })
  const question = { model: 'gpt-4o', max_tokens: 50, messages: [{ role: 'user' as const, content: 'hi' }] }

  it('says why its model refused, whole and streamed', async () => {
    const refused = completion('')
    const [choice] = refused.choices
    const answer = { ...choice, message: { role: 'assistant', content: null, refusal: 'I cannot.' } }
    upstream.answer = json({ ...refused, choices: [answer] })
    const details = { type: 'refusal', category: null, explanation: 'I cannot.' }
    expect(await anthropic().messages.create(question)).toMatchObject({
      container: null,
      stop_reason: 'refusal',
      stop_details: details,
    })
    const delta = { id: 'c', choices: [{ index: 0, delta: { refusal: 'I cannot.' }, finish_reason: 'stop' }] }
    upstream.answer = stream(`data: ${JSON.stringify(delta)}\n\n`, 'data: [DONE]\n\n')
    expect(await anthropic().messages.stream(question).finalMessage()).toMatchObject({
      stop_reason: 'refusal',
      stop_details: details,
    })
  })

  it('has no such reason where it did not', async () => {
    upstream.answer = json(completion('Hello'))
    expect(await anthropic().messages.create(question)).toMatchObject({ container: null, stop_details: null })
  })
})

describe('an answer of Google’s that may go on', () => {
  const [candidate] = generated.candidates
  const cut = { ...generated, candidates: [{ ...candidate, finishReason: 'CONTINUATION', continuationToken: 'more' }] }

  it('goes on for its own clients', async () => {
    useChannels(gemini())
    upstream.answer = (call) => json(upstream.received.length === 1 ? cut : generated)(call)
    const client = new GoogleGenAI({ apiKey: 'sk-good', httpOptions: { baseUrl: gateway.url } })
    const config = { automaticContinuation: true }
    await client.models.generateContent({ model: 'gemini-2.5-flash', contents: 'hi', config })
    expect(upstream.received.map(({ body }) => JSON.parse(body.toString()).continuationToken)).toEqual([
      undefined,
      'more',
    ])
  })

  it('is one that was cut at a limit for others, and none that was refused', async () => {
    useChannels(gemini())
    upstream.answer = json(cut)
    const messages = [{ role: 'user' as const, content: 'hi' }]
    const answer = await openai().chat.completions.create({ model: 'gemini-2.5-flash', messages })
    expect(answer.choices).toMatchObject([{ finish_reason: 'length', message: { content: 'Hello' } }])
  })
})
