import OpenAI, {
  APIConnectionTimeoutError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
} from 'openai'
import { zodResponseFormat } from 'openai/helpers/zod'
import type { ChatCompletionChunk, ChatCompletionCreateParamsNonStreaming } from 'openai/resources/chat/completions'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type Books, type Entry, openBooks, sumOf } from './books.ts'
import { addChannel, addCustomer, addKey, type Person, signIn } from './operator.ts'
import {
  chunk,
  completion,
  json,
  type ScriptedUpstream,
  silence,
  startScriptedUpstream,
  stream,
  streamThen,
  usage,
  usageChunk,
} from './scripted-upstream.ts'
import { type Site, startSite } from './site.ts'

/** The official client, as it is, with nothing but another address. Every call is paid for to the last unit. */

let site: Site
let upstream: ScriptedUpstream
let customer: Person
let books: Books
let client: OpenAI
/** Bodies as the client sent them, and the ids of the answers. */
const sent: string[] = []
const requestIds: string[] = []
let before = 0
/** What the calls of one test cost together. */
let spent = 0

const recordingFetch: typeof fetch = async (url, init) => {
  if (typeof init?.body === 'string') sent.push(init.body)
  const response = await fetch(url, init)
  requestIds.push(response.headers.get('x-oneapi-request-id') ?? '')
  return response
}

const clientWith = (apiKey: string): OpenAI =>
  new OpenAI({ apiKey, baseURL: `${site.url}/v1`, maxRetries: 0, fetch: recordingFetch })

beforeAll(async () => {
  upstream = await startScriptedUpstream()
  site = await startSite()
  const operator = await signIn(site.url)
  customer = await addCustomer(site.url, operator, 'alice', 1_000_000)
  books = openBooks(operator)
  await addChannel(operator, upstream.url, {
    models: 'gpt-4o,text-embedding-3-small,text-moderation-latest,gpt-3.5-turbo-instruct',
  })
  client = clientWith(await addKey(customer))
})
afterAll(async () => {
  await site?.remove()
  await upstream?.close()
})

beforeEach(async () => {
  upstream.answer = json(completion())
  spent = 0
  before = await books.balance(customer.id)
})
afterEach(async () => {
  expect(before - (await books.balance(customer.id))).toBe(spent)
})

const entryOfLast = (): Promise<Entry> => books.entry(requestIds.at(-1) ?? '')

/** The last call was charged with `quota`, for a reason that its receipt shows. */
const expectCharge = async (quota: number): Promise<Entry> => {
  const entry = await entryOfLast()
  const { receipt } = entry.other
  expect(entry).toMatchObject({ type: 2, quota })
  expect(receipt?.quota).toBe(quota)
  expect(receipt === undefined ? undefined : sumOf(receipt)).toBe(quota)
  spent += quota
  return entry
}

/** The last call failed, cost nothing, and the operator can read why. */
const expectFailure = async (status: number): Promise<Entry> => {
  const entry = await entryOfLast()
  expect(entry).toMatchObject({ type: 5, quota: 0, other: { status } })
  expect(entry.other.admin_info?.cause).toMatch(/./)
  return entry
}

const hello = {
  model: 'gpt-4o',
  messages: [{ role: 'user', content: 'Say hello.' }],
} satisfies ChatCompletionCreateParamsNonStreaming

const collect = async (chunks: AsyncIterable<ChatCompletionChunk>): Promise<ChatCompletionChunk[]> => {
  const all: ChatCompletionChunk[] = []
  for await (const one of chunks) all.push(one)
  return all
}

const textOf = (chunks: readonly ChatCompletionChunk[]): string =>
  chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')

describe('chat', () => {
  it('is answered whole', async () => {
    const answer = await client.chat.completions.create(hello)
    expect(answer).toEqual(completion())
    expect(upstream.calls.at(-1)).toMatchObject({
      path: '/v1/chat/completions',
      headers: { authorization: 'Bearer sk-upstream' },
    })
    // (20 + 50 × 4) × 1.25
    const entry = await expectCharge(275)
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
    upstream.answer = json(
      completion(undefined, { usage: { ...usage(100, 10), prompt_tokens_details: { cached_tokens: 60 } } }),
    )
    await client.chat.completions.create(hello)
    // (40 + 60 × 0.5 + 10 × 4) × 1.25 = 137.5, rounded half up
    await expectCharge(138)
  })

  it('is streamed, without the usage that nobody asked for', async () => {
    upstream.answer = stream(
      chunk({ role: 'assistant' }),
      chunk({ content: 'Hel' }),
      chunk({ content: 'lo!' }),
      usageChunk(20, 50),
    )
    const chunks = await collect(await client.chat.completions.create({ ...hello, stream: true }))
    expect(textOf(chunks)).toBe('Hello!')
    expect(chunks.filter((one) => one.usage)).toEqual([])
    // The provider is asked for it all the same: it is what the bill stands on.
    expect(upstream.calls.at(-1)?.raw).toBe(sent.at(-1)?.replace(/}$/, ',"stream_options":{"include_usage":true}}'))
    expect(await expectCharge(275)).toMatchObject({ is_stream: true, prompt_tokens: 20, completion_tokens: 50 })
  })

  it('is streamed with the usage that the client asked for', async () => {
    upstream.answer = stream(chunk({ content: 'Hel' }), chunk({ content: 'lo!' }), usageChunk(7, 3))
    const chunks = await collect(
      await client.chat.completions.create({ ...hello, stream: true, stream_options: { include_usage: true } }),
    )
    expect(textOf(chunks)).toBe('Hello!')
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: usage(7, 3) })
    expect(upstream.calls.at(-1)?.raw).toBe(sent.at(-1))
    // (7 + 3 × 4) × 1.25 = 23.75
    await expectCharge(24)
  })

  it('streams through the client’s own assembling helper', async () => {
    upstream.answer = stream(
      chunk({ role: 'assistant', content: 'Hel' }),
      {
        ...chunk({ content: 'lo!' }),
        choices: [{ index: 0, delta: { content: 'lo!' }, finish_reason: 'stop' }],
      },
      usageChunk(20, 50),
    )
    expect(await client.chat.completions.stream(hello).finalContent()).toBe('Hello!')
    await expectCharge(275)
  })

  it('gives the usage that a provider did not report', async () => {
    upstream.answer = stream(chunk({ content: 'one two three' }))
    const chunks = await collect(
      await client.chat.completions.create({ ...hello, stream: true, stream_options: { include_usage: true } }),
    )
    // 3 for the answer's beginning, 3 for the message, 1 for its role, 3 for its text; the answer is 3 words long
    expect(chunks.at(-1)?.usage).toMatchObject(usage(10, 3))
    // (10 + 3 × 4) × 1.25 = 27.5
    const entry = await expectCharge(28)
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
    upstream.answer = json(completion({ content: null, tool_calls: [call] }))
    const answer = await client.chat.completions.create({
      ...hello,
      tools,
      tool_choice: 'required',
      parallel_tool_calls: false,
    })
    expect(answer.choices[0]?.message.tool_calls).toEqual([call])
    expect(upstream.calls.at(-1)?.raw).toBe(sent.at(-1))
    expect(upstream.calls.at(-1)?.raw).toContain('"strict":true')
    expect(upstream.calls.at(-1)?.raw).toContain('"parallel_tool_calls":false')
    await expectCharge(275)
  })

  it('are called in pieces by a stream', async () => {
    const piece = (part: object) => chunk({ tool_calls: [{ index: 0, ...part }] })
    upstream.answer = stream(
      piece({ ...call, function: { name: 'weather', arguments: '' } }),
      piece({ function: { arguments: '{"city":' } }),
      piece({ function: { arguments: '"北京"}' } }),
      usageChunk(20, 50),
    )
    const chunks = await collect(await client.chat.completions.create({ ...hello, tools, stream: true }))
    const pieces = chunks.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? [])
    expect(pieces[0]).toMatchObject({ id: 'call_1', function: { name: 'weather' } })
    expect(pieces.map((one) => one.function?.arguments).join('')).toBe('{"city":"北京"}')
    await expectCharge(275)
  })

  it('get their results back to the model', async () => {
    await client.chat.completions.create({
      model: 'gpt-4o',
      messages: [
        ...hello.messages,
        { role: 'assistant', content: null, tool_calls: [{ ...call, type: 'function' }] },
        { role: 'tool', tool_call_id: 'call_1', content: '晴' },
      ],
    })
    expect(upstream.calls.at(-1)?.raw).toBe(sent.at(-1))
    await expectCharge(275)
  })
})

it('parses a structured answer', async () => {
  const Person = z.object({ name: z.string(), age: z.number() })
  upstream.answer = json(completion({ content: '{"name":"Ada","age":36}', refusal: null }))
  const answer = await client.chat.completions.parse({ ...hello, response_format: zodResponseFormat(Person, 'person') })
  expect(answer.choices[0]?.message.parsed).toEqual({ name: 'Ada', age: 36 })
  expect(upstream.calls.at(-1)?.raw).toBe(sent.at(-1))
  expect(upstream.calls.at(-1)?.raw).toContain('"json_schema":{"name":"person","strict":true')
  await expectCharge(275)
})

/** Requests whose every byte must reach the provider. */
const untouched: Record<string, Record<string, unknown>> = {
  'explicit zeros and nulls': {
    top_p: 0,
    temperature: 0,
    seed: 0,
    n: 0,
    max_tokens: 0,
    presence_penalty: 0,
    frequency_penalty: 0,
    stop: null,
    logprobs: false,
    stream: false,
  },
  'fields of today': {
    logit_bias: { 50256: -100 },
    metadata: { run: '42', empty: '' },
    store: true,
    service_tier: 'flex',
    reasoning_effort: 'minimal',
    verbosity: 'low',
    prediction: { type: 'content', content: 'Hello' },
    prompt_cache_key: 'k',
    safety_identifier: 'u-1',
    web_search_options: { search_context_size: 'low' },
  },
  'fields of tomorrow': { x_future: { deep: [1, 2.5e-7, null, { '😀': '\u2028' }] }, user: '' },
  'image parts': {
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url: 'https://example.com/cat.png', detail: 'low' } },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${'iVBORw0KGgo='.repeat(2000)}` } },
        ],
      },
    ],
  },
  'audio and file parts': {
    modalities: ['text'],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
          { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERg==' } },
        ],
      },
    ],
  },
}

it.each(Object.entries(untouched))('carries %s to the provider byte for byte', async (_, fields) => {
  await client.chat.completions.create({ ...hello, ...fields } as ChatCompletionCreateParamsNonStreaming)
  expect(upstream.calls.at(-1)?.raw).toBe(sent.at(-1))
  await expectCharge(275)
})

describe('the other endpoints', () => {
  it('embed, in the encoding that the client prefers', async () => {
    const vector = [0.5, -0.25, 1]
    upstream.answer = (call) => {
      const asBase64 = call.raw.includes('"encoding_format":"base64"')
      const embedding = asBase64 ? Buffer.from(new Float32Array(vector).buffer).toString('base64') : vector
      json({
        object: 'list',
        model: 'text-embedding-3-small',
        data: [{ object: 'embedding', index: 0, embedding }],
        usage: { prompt_tokens: 800, total_tokens: 800 },
      })(call)
    }
    const answer = await client.embeddings.create({ model: 'text-embedding-3-small', input: ['hello'], dimensions: 3 })
    expect(answer.data[0]?.embedding).toEqual(vector)
    expect(upstream.calls.at(-1)).toMatchObject({ path: '/v1/embeddings', raw: sent.at(-1) })
    expect(sent.at(-1)).toContain('"encoding_format":"base64"')
    // 800 × 0.01
    await expectCharge(8)
  })

  it('moderate', async () => {
    const results = [{ flagged: false, categories: {}, category_scores: {}, category_applied_input_types: {} }]
    upstream.answer = json({ id: 'modr-1', model: 'text-moderation-latest', results })
    const fiftyTokens = Array.from({ length: 50 }, () => 'one').join(' ')
    const answer = await client.moderations.create({ model: 'text-moderation-latest', input: fiftyTokens })
    expect(answer.results).toEqual(results)
    expect(upstream.calls.at(-1)).toMatchObject({ path: '/v1/moderations', raw: sent.at(-1) })
    // 50 × 0.1; nobody reports the usage of a moderation
    await expectCharge(5)
  })

  it('complete the old way', async () => {
    upstream.answer = json({
      id: 'cmpl-1',
      object: 'text_completion',
      created: 1,
      model: 'gpt-3.5-turbo-instruct',
      choices: [{ index: 0, text: ' world', finish_reason: 'stop', logprobs: null }],
      usage: usage(1000, 300),
    })
    const answer = await client.completions.create({ model: 'gpt-3.5-turbo-instruct', prompt: 'Hello', echo: false })
    expect(answer.choices[0]?.text).toBe(' world')
    expect(upstream.calls.at(-1)).toMatchObject({ path: '/v1/completions', raw: sent.at(-1) })
    // (1000 + 300 × 1.3333333333333333) × 0.75
    await expectCharge(1050)
  })

  it('list models and show one', async () => {
    const models = await client.models.list()
    expect(models.data.map(({ id }) => id)).toEqual([
      'gpt-3.5-turbo-instruct',
      'gpt-4o',
      'text-embedding-3-small',
      'text-moderation-latest',
    ])
    expect(await client.models.retrieve('gpt-4o')).toMatchObject({ id: 'gpt-4o', object: 'model' })
  })
})

describe('errors arrive as the client’s own types', () => {
  it('401 for a wrong key', async () => {
    const error = await clientWith('sk-wrong')
      .chat.completions.create(hello)
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(AuthenticationError)
    expect(error).toMatchObject({ status: 401, type: 'new_api_error' })
    expect((error as Error).message).toContain(`无效的令牌 (request id: ${requestIds.at(-1)})`)
  })

  it('403 for a model that the key may not use', async () => {
    const key = await addKey(customer, { model_limits_enabled: true, model_limits: 'gpt-4o-mini' })
    await expect(clientWith(key).chat.completions.create(hello)).rejects.toBeInstanceOf(PermissionDeniedError)
    await expectFailure(403)
  })

  it('404 for a model that does not exist', async () => {
    await expect(client.models.retrieve('no-such-model')).rejects.toBeInstanceOf(NotFoundError)
  })

  it('400 for a request without messages', async () => {
    const { messages, ...rest } = hello
    expect(messages).toHaveLength(1)
    const call = client.chat.completions.create(rest as ChatCompletionCreateParamsNonStreaming)
    const error = await call.catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(BadRequestError)
    expect(error).toMatchObject({ status: 400, code: 'invalid_text_request' })
    await expectFailure(400)
  })

  it('400 with the provider’s own words, code and param', async () => {
    const error = {
      message: 'Unsupported value',
      type: 'invalid_request_error',
      param: 'temperature',
      code: 'unsupported_value',
    }
    upstream.answer = json({ error }, 400)
    const thrown = await client.chat.completions.create(hello).catch((reason: unknown) => reason)
    expect(thrown).toBeInstanceOf(BadRequestError)
    expect(thrown).toMatchObject({ type: error.type, param: error.param, code: error.code })
    expect((thrown as Error).message).toContain('Unsupported value (request id: ')
    await expectFailure(400)
  })

  it('429 in words that say nothing about the provider', async () => {
    const error = { message: 'Rate limit reached for org-secret', type: 'requests', code: 'rate_limit_exceeded' }
    upstream.answer = json({ error }, 429, { 'retry-after': '7' })
    const thrown = await client.chat.completions.create(hello).catch((reason: unknown) => reason)
    expect(thrown).toBeInstanceOf(RateLimitError)
    expect((thrown as RateLimitError).message).toContain('当前分组上游负载已饱和，请稍后再试')
    expect((thrown as RateLimitError).message).not.toContain('org-secret')
    expect((thrown as RateLimitError).headers.get('retry-after')).toBe('7')
    const entry = await expectFailure(429)
    expect(entry.other.admin_info?.cause).toContain('org-secret')
  })

  it('5xx for a provider in trouble', async () => {
    upstream.answer = json({ error: { message: 'The server had an error', type: 'server_error' } }, 500)
    await expect(client.chat.completions.create(hello)).rejects.toBeInstanceOf(InternalServerError)
    await expectFailure(500)
  })

  it('an error inside a stream when the provider breaks off', async () => {
    upstream.answer = streamThen([chunk({ content: 'one two three' })], ({ response }) => response.destroy())
    const chunks: ChatCompletionChunk[] = []
    const reading = (async () => {
      for await (const one of await client.chat.completions.create({ ...hello, stream: true })) chunks.push(one)
    })()
    await expect(reading).rejects.toMatchObject({ code: 'upstream_broke' })
    expect(textOf(chunks)).toBe('one two three')
    const entry = await expectCharge(28)
    expect(entry).toMatchObject({ prompt_tokens: 10, completion_tokens: 3, other: { end: 'upstream_broke' } })
  })
})

describe('a client that goes', () => {
  it('after its own time-out pays nothing, and the provider is told', async () => {
    upstream.answer = silence
    const seen = upstream.calls.length
    await expect(client.chat.completions.create(hello, { timeout: 300 })).rejects.toBeInstanceOf(
      APIConnectionTimeoutError,
    )
    expect(await upstream.calls[seen]?.left).toBe(true)
    const newest = async () => (await books.newest())?.other.error_code
    await expect.poll(newest).toBe('client_gone')
    expect(await books.newest()).toMatchObject({ type: 5, quota: 0, other: { status: 499, end: 'client_gone' } })
  })

  it('in the middle of a stream pays for what was produced', async () => {
    upstream.answer = streamThen([chunk({ content: 'one two' }), chunk({ content: ' three' })], silence)
    const answer = await client.chat.completions.create({ ...hello, stream: true })
    const chunks: ChatCompletionChunk[] = []
    for await (const one of answer) {
      chunks.push(one)
      if (chunks.length === 2) answer.controller.abort()
    }
    expect(textOf(chunks)).toBe('one two three')
    expect(await upstream.calls.at(-1)?.left).toBe(true)
    const entry = await expectCharge(28)
    expect(entry).toMatchObject({ prompt_tokens: 10, completion_tokens: 3 })
    expect(entry.other).toMatchObject({ end: 'client_gone', receipt: { estimated: true } })
  })
})
