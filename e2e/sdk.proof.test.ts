import type OpenAI from 'openai'
import { zodResponseFormat } from 'openai/helpers/zod'
import type { ChatCompletionCreateParamsNonStreaming } from 'openai/resources/chat/completions'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { collect, type OfficialClient, openOfficialClient, textOf } from './support/official-client.ts'
import { chunk, completion, json, stream, usage, usageChunk } from './support/scripted-upstream.ts'
import { untouched } from './support/untouched-fields.ts'

/** Calls of the official client and their answers; every call is charged to the last unit. */

let sdk: OfficialClient

beforeAll(async () => {
  sdk = await openOfficialClient()
})
afterAll(() => sdk?.close())
beforeEach(async () => {
  sdk.upstream.answer = json(completion())
  await sdk.begin()
})
afterEach(() => sdk.expectBalanced())

const hello = {
  model: 'gpt-4o',
  messages: [{ role: 'user', content: 'Say hello.' }],
} satisfies ChatCompletionCreateParamsNonStreaming

describe('chat', () => {
  it('is answered whole', async () => {
    const answer = await sdk.client.chat.completions.create(hello)
    expect(answer).toEqual(completion())
    expect(sdk.upstream.calls.at(-1)).toMatchObject({
      path: '/v1/chat/completions',
      headers: { authorization: 'Bearer sk-upstream' },
    })
    // (20 + 50 × 4) × 1.25
    const entry = await sdk.expectCharge(275)
    expect(entry).toMatchObject({
      username: 'alice',
      token_name: 'first',
      model_name: 'gpt-4o',
      channel_name: 'main',
      prompt_tokens: 20,
      completion_tokens: 50,
      is_stream: false,
      other: { end: 'done', receipt: { estimated: false, lines: expect.arrayContaining([expect.anything()]) } },
    })
  })

  it('is billed at half the price for what the provider’s cache held', async () => {
    sdk.upstream.answer = json(
      completion(undefined, { usage: { ...usage(100, 10), prompt_tokens_details: { cached_tokens: 60 } } }),
    )
    await sdk.client.chat.completions.create(hello)
    // (40 + 60 × 0.5 + 10 × 4) × 1.25 = 137.5, rounded half up
    await sdk.expectCharge(138)
  })

  it('is streamed, without usage unless the client requests it', async () => {
    sdk.upstream.answer = stream(
      chunk({ role: 'assistant' }),
      chunk({ content: 'Hel' }),
      chunk({ content: 'lo!' }),
      usageChunk(20, 50),
    )
    const chunks = await collect(await sdk.client.chat.completions.create({ ...hello, stream: true }))
    expect(textOf(chunks)).toBe('Hello!')
    expect(chunks.filter((one) => one.usage)).toEqual([])
    // The provider is asked for it all the same: it is what the bill stands on.
    expect(sdk.received()).toBe(sdk.sent().replace(/}$/, ',"stream_options":{"include_usage":true}}'))
    expect(await sdk.expectCharge(275)).toMatchObject({ is_stream: true, prompt_tokens: 20, completion_tokens: 50 })
  })

  it('is streamed with the usage that the client asked for', async () => {
    sdk.upstream.answer = stream(chunk({ content: 'Hel' }), chunk({ content: 'lo!' }), usageChunk(7, 3))
    const chunks = await collect(
      await sdk.client.chat.completions.create({ ...hello, stream: true, stream_options: { include_usage: true } }),
    )
    expect(textOf(chunks)).toBe('Hello!')
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: usage(7, 3) })
    expect(sdk.received()).toBe(sdk.sent())
    // (7 + 3 × 4) × 1.25 = 23.75
    await sdk.expectCharge(24)
  })

  it('streams through the client’s own assembling helper', async () => {
    sdk.upstream.answer = stream(
      chunk({ role: 'assistant', content: 'Hel' }),
      {
        ...chunk({ content: 'lo!' }),
        choices: [{ index: 0, delta: { content: 'lo!' }, finish_reason: 'stop' }],
      },
      usageChunk(20, 50),
    )
    expect(await sdk.client.chat.completions.stream(hello).finalContent()).toBe('Hello!')
    await sdk.expectCharge(275)
  })

  it('gives the usage that a provider did not report', async () => {
    sdk.upstream.answer = stream(chunk({ content: 'one two three' }))
    const chunks = await collect(
      await sdk.client.chat.completions.create({ ...hello, stream: true, stream_options: { include_usage: true } }),
    )
    // 3 for the answer's beginning, 3 for the message, 1 for its role, 3 for its text; the answer is 3 words long
    expect(chunks.at(-1)?.usage).toMatchObject(usage(10, 3))
    // (10 + 3 × 4) × 1.25 = 27.5
    const entry = await sdk.expectCharge(28)
    expect(entry.other.receipt?.estimated).toBe(true)
  })
})

describe('tools', () => {
  const tools = [
    {
      type: 'function',
      function: {
        name: 'weather',
        strict: true,
        parameters: {
          type: 'object',
          properties: { city: { type: 'string' } },
          required: ['city'],
          additionalProperties: false,
        },
      },
    },
  ] satisfies OpenAI.ChatCompletionTool[]
  const call = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"北京"}' } }

  it('are called, and their definition reaches the provider', async () => {
    sdk.upstream.answer = json(completion({ content: null, tool_calls: [call] }))
    const answer = await sdk.client.chat.completions.create({
      ...hello,
      tools,
      tool_choice: 'required',
      parallel_tool_calls: false,
    })
    expect(answer.choices[0]?.message.tool_calls).toEqual([call])
    expect(sdk.received()).toBe(sdk.sent())
    expect(sdk.received()).toContain('"strict":true')
    expect(sdk.received()).toContain('"parallel_tool_calls":false')
    await sdk.expectCharge(275)
  })

  it('are called in pieces by a stream', async () => {
    const piece = (part: object) => chunk({ tool_calls: [{ index: 0, ...part }] })
    sdk.upstream.answer = stream(
      piece({ ...call, function: { name: 'weather', arguments: '' } }),
      piece({ function: { arguments: '{"city":' } }),
      piece({ function: { arguments: '"北京"}' } }),
      usageChunk(20, 50),
    )
    const chunks = await collect(await sdk.client.chat.completions.create({ ...hello, tools, stream: true }))
    const pieces = chunks.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? [])
    expect(pieces[0]).toMatchObject({ id: 'call_1', function: { name: 'weather' } })
    expect(pieces.map((one) => one.function?.arguments).join('')).toBe('{"city":"北京"}')
    await sdk.expectCharge(275)
  })

  it('get their results back to the model', async () => {
    await sdk.client.chat.completions.create({
      model: 'gpt-4o',
      messages: [
        ...hello.messages,
        { role: 'assistant', content: null, tool_calls: [{ ...call, type: 'function' }] },
        { role: 'tool', tool_call_id: 'call_1', content: '晴' },
      ],
    })
    expect(sdk.received()).toBe(sdk.sent())
    await sdk.expectCharge(275)
  })
})

it('parses a structured answer', async () => {
  const Person = z.object({ name: z.string(), age: z.number() })
  sdk.upstream.answer = json(completion({ content: '{"name":"Ada","age":36}', refusal: null }))
  const answer = await sdk.client.chat.completions.parse({
    ...hello,
    response_format: zodResponseFormat(Person, 'person'),
  })
  expect(answer.choices[0]?.message.parsed).toEqual({ name: 'Ada', age: 36 })
  expect(sdk.received()).toBe(sdk.sent())
  expect(sdk.received()).toContain('"json_schema":{"name":"person","strict":true')
  await sdk.expectCharge(275)
})

it.each(Object.entries(untouched))('carries %s to the provider byte for byte', async (_, fields) => {
  await sdk.client.chat.completions.create({ ...hello, ...fields } as ChatCompletionCreateParamsNonStreaming)
  expect(sdk.received()).toBe(sdk.sent())
  await sdk.expectCharge(275)
})

describe('the other endpoints', () => {
  it('embed, in the encoding that the client prefers', async () => {
    const vector = [0.5, -0.25, 1]
    sdk.upstream.answer = (call) => {
      const asBase64 = call.raw.includes('"encoding_format":"base64"')
      const embedding = asBase64 ? Buffer.from(new Float32Array(vector).buffer).toString('base64') : vector
      json({
        object: 'list',
        model: 'text-embedding-3-small',
        data: [{ object: 'embedding', index: 0, embedding }],
        usage: { prompt_tokens: 800, total_tokens: 800 },
      })(call)
    }
    const answer = await sdk.client.embeddings.create({
      model: 'text-embedding-3-small',
      input: ['hello'],
      dimensions: 3,
    })
    expect(answer.data[0]?.embedding).toEqual(vector)
    expect(sdk.upstream.calls.at(-1)).toMatchObject({ path: '/v1/embeddings', raw: sdk.sent() })
    expect(sdk.sent()).toContain('"encoding_format":"base64"')
    // 800 × 0.01
    await sdk.expectCharge(8)
  })

  it('moderate', async () => {
    const results = [{ flagged: false, categories: {}, category_scores: {}, category_applied_input_types: {} }]
    sdk.upstream.answer = json({ id: 'modr-1', model: 'text-moderation-latest', results })
    const fiftyTokens = Array.from({ length: 50 }, () => 'one').join(' ')
    const answer = await sdk.client.moderations.create({ model: 'text-moderation-latest', input: fiftyTokens })
    expect(answer.results).toEqual(results)
    expect(sdk.upstream.calls.at(-1)).toMatchObject({ path: '/v1/moderations', raw: sdk.sent() })
    // Free: platform.openai.com/docs/guides/moderation.
    await sdk.expectCharge(0)
  })

  it('complete the old way', async () => {
    sdk.upstream.answer = json({
      id: 'cmpl-1',
      object: 'text_completion',
      created: 1,
      model: 'gpt-3.5-turbo-instruct',
      choices: [{ index: 0, text: ' world', finish_reason: 'stop', logprobs: null }],
      usage: usage(1000, 300),
    })
    const answer = await sdk.client.completions.create({
      model: 'gpt-3.5-turbo-instruct',
      prompt: 'Hello',
      echo: false,
    })
    expect(answer.choices[0]?.text).toBe(' world')
    expect(sdk.upstream.calls.at(-1)).toMatchObject({ path: '/v1/completions', raw: sdk.sent() })
    // (1000 + 300 × 1.3333333333333333) × 0.75
    await sdk.expectCharge(1050)
  })

  it('list models and show one', async () => {
    const models = await sdk.client.models.list()
    expect(models.data.map(({ id }) => id)).toEqual([
      'gpt-3.5-turbo-instruct',
      'gpt-4o',
      'text-embedding-3-small',
      'text-moderation-latest',
    ])
    expect(await sdk.client.models.retrieve('gpt-4o')).toMatchObject({ id: 'gpt-4o', object: 'model' })
  })
})
