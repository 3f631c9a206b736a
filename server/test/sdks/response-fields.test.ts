import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import type { ResponseCreateParamsNonStreaming, Tool } from 'openai/resources/responses/responses'
import { describe, expect, it } from 'vitest'
import {
  claude,
  contents,
  eventsIn,
  gemini,
  generated,
  message,
  messageStream,
  named,
} from '../support/gateway/dialects.ts'
import { ask, gateway, sentBody, upstream, useChannels, useScene } from '../support/gateway/scene.ts'
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

describe('why a provider refused', () => {
  const messages = [{ role: 'user' as const, content: 'hi' }]
  const withheld = {
    candidates: [{ content: { parts: [] }, finishReason: 'SAFETY', finishMessage: 'Blocked: harm.', index: 0 }],
    usageMetadata: generated.usageMetadata,
  }
  const details = { type: 'refusal', category: 'bio', explanation: 'No such work.' }

  it('reaches Claude’s clients from Gemini, and Gemini’s from Claude', async () => {
    useChannels(gemini())
    upstream.answer = json(withheld)
    const client = new Anthropic({ apiKey: 'sk-good', baseURL: gateway.url, maxRetries: 0 })
    expect(await client.messages.create({ model: 'gemini-2.5-flash', max_tokens: 9, messages })).toMatchObject({
      stop_details: { explanation: 'Blocked: harm.' },
    })
    useChannels(claude())
    upstream.answer = json({ ...message, content: [], stop_reason: 'refusal', stop_details: details })
    const candidates = [{ finishReason: 'SAFETY', finishMessage: 'No such work.' }]
    const whole = await ask(contents, '/v1beta/models/claude-opus-5:generateContent')
    expect(await whole.json()).toMatchObject({ candidates })
    const [start = ''] = messageStream
    const delta = { stop_reason: 'refusal', stop_sequence: null, stop_details: details }
    upstream.answer = stream(start, named('message_delta', { delta, usage: message.usage }), named('message_stop', {}))
    const streamed = await ask(contents, '/v1beta/models/claude-opus-5:streamGenerateContent?alt=sse')
    expect(eventsIn(await streamed.text()).at(-1)).toMatchObject({ candidates })
  })
})

it('a file comes as bare base64, too', async () => {
  useChannels(claude())
  upstream.answer = json(message)
  const data = Buffer.from('%PDF-1.7 and so on').toString('base64')
  const file = { type: 'file' as const, file: { filename: 'a.pdf', file_data: data } }
  await openai().chat.completions.create({ model: 'claude-opus-5', messages: [{ role: 'user', content: [file] }] })
  const source = { type: 'base64', media_type: 'application/pdf', data }
  expect(JSON.parse(sentBody()).messages).toMatchObject([{ content: [{ type: 'document', title: 'a.pdf', source }] }])
})

it('what Google’s clients call and is not built says so in their language, in both versions', async () => {
  for (const version of ['v1', 'v1beta']) {
    const answer = await ask({ instances: [] }, `/${version}/models/veo-3:predictLongRunning`)
    expect(answer.status).toBe(501)
    expect(await answer.json()).toMatchObject({ error: { code: 501, status: 'UNIMPLEMENTED' } })
  }
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
