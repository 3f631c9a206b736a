import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import type { RelayChannel } from '../../src/relay/ports.ts'
import { named } from '../support/gateway/dialects.ts'
import { channel, gateway, holdEnds, lastRecord, upstream, useChannels, useScene } from '../support/gateway/scene.ts'
import { chunk, json, stream } from '../support/gateway/upstream.ts'

/** The class that each official client throws, for every kind of error that a provider has, in every place where it may come. */

useScene()

type Client = 'chat' | 'responses' | 'Anthropic' | 'Gemini'
type Kind = 'context' | 'rate' | 'overload' | 'auth' | 'filter' | 'missing' | 'large' | 'broken'

interface Saying {
  readonly status: number
  readonly message: string
  readonly openai: object
  readonly anthropic: string
  readonly google: string
}

const kinds: Readonly<Record<Kind, Saying>> = {
  context: {
    status: 400,
    message: 'prompt is too long: 210000 tokens > 200000 maximum',
    openai: { type: 'invalid_request_error', code: 'context_length_exceeded' },
    anthropic: 'invalid_request_error',
    google: 'INVALID_ARGUMENT',
  },
  rate: {
    status: 429,
    message: 'Rate limit reached. Please try again in 7s.',
    openai: { type: 'tokens', code: 'rate_limit_exceeded' },
    anthropic: 'rate_limit_error',
    google: 'RESOURCE_EXHAUSTED',
  },
  overload: {
    status: 503,
    message: 'The engine is overloaded.',
    openai: { type: 'server_error', code: 'server_is_overloaded' },
    anthropic: 'overloaded_error',
    google: 'UNAVAILABLE',
  },
  auth: {
    status: 401,
    message: 'Incorrect API key provided: channel-key.',
    openai: { type: 'invalid_request_error', code: 'invalid_api_key' },
    anthropic: 'authentication_error',
    google: 'UNAUTHENTICATED',
  },
  filter: {
    status: 400,
    message: 'Your prompt was refused by the content policy.',
    openai: { type: 'invalid_request_error', code: 'content_policy_violation' },
    anthropic: 'invalid_request_error',
    google: 'INVALID_ARGUMENT',
  },
  missing: {
    status: 404,
    message: 'The model does not exist.',
    openai: { type: 'invalid_request_error', code: 'model_not_found' },
    anthropic: 'not_found_error',
    google: 'NOT_FOUND',
  },
  large: {
    status: 413,
    message: 'Request too large.',
    openai: { type: 'invalid_request_error', code: 'request_too_large' },
    anthropic: 'request_too_large',
    google: 'INVALID_ARGUMENT',
  },
  broken: {
    status: 500,
    message: 'Something broke.',
    openai: { type: 'server_error', code: 'server_error' },
    anthropic: 'api_error',
    google: 'INTERNAL',
  },
}

/** Statuses that each client reads. Anthropic's overload is 529, and a refused key is the operator's. */
const readAs = (kind: Kind, client: Client, isNative: boolean): number => {
  if (kind === 'overload') return client === 'Anthropic' ? 529 : 503
  if (kind === 'auth') return 502
  return kind === 'broken' ? (isNative ? 500 : 502) : kinds[kind].status
}

interface Upstream {
  readonly place: () => RelayChannel
  readonly model: string
  readonly body: (saying: Saying) => object
  readonly first: readonly string[]
  readonly event: (saying: Saying) => string
}

const sse = (value: object): string => `data: ${JSON.stringify(value)}\n\n`
const openaiError = ({ message, openai }: Saying): object => ({ error: { message, param: null, ...openai } })
const anthropicError = ({ message, anthropic }: Saying): object => ({ error: { type: anthropic, message } })
const response = {
  id: 'resp_1',
  object: 'response',
  model: 'gpt-5.2-pro',
  output: [],
  status: 'in_progress',
  error: null,
}

const upstreams: Readonly<Record<string, Upstream>> = {
  'chat completions': {
    place: () => channel({ type: 8 }),
    model: 'local',
    body: openaiError,
    first: [chunk('Hel')],
    event: (saying) => sse(openaiError(saying)),
  },
  Responses: {
    place: () => channel({ type: 1 }),
    model: 'gpt-5.2-pro',
    body: openaiError,
    first: [
      named('response.created', { response }),
      named('response.output_item.added', {
        output_index: 0,
        item: { type: 'message', id: 'msg_1', role: 'assistant', content: [] },
      }),
      named('response.content_part.added', {
        output_index: 0,
        item_id: 'msg_1',
        content_index: 0,
        part: { type: 'output_text', text: '' },
      }),
      named('response.output_text.delta', { output_index: 0, item_id: 'msg_1', content_index: 0, delta: 'Hel' }),
    ],
    event: ({ message, openai }) =>
      named('response.failed', { response: { ...response, status: 'failed', error: { message, ...openai } } }),
  },
  Anthropic: {
    place: () => channel({ type: 14 }),
    model: 'claude-opus-5-5',
    body: (saying) => ({ type: 'error', ...anthropicError(saying) }),
    first: [
      named('message_start', {
        message: {
          id: 'm',
          type: 'message',
          role: 'assistant',
          model: 'claude-opus-5-5',
          content: [],
          usage: { input_tokens: 3, output_tokens: 1 },
        },
      }),
      named('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      named('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Hel' } }),
    ],
    event: (saying) => named('error', anthropicError(saying)),
  },
  Gemini: {
    place: () => channel({ type: 24 }),
    model: 'gemini-2.5-flash',
    body: ({ status, message, google }) => ({ error: { code: status, message, status: google } }),
    first: [sse({ candidates: [{ content: { role: 'model', parts: [{ text: 'Hel' }] }, index: 0 }] })],
    event: ({ status, message, google }) => sse({ error: { code: status, message, status: google } }),
  },
}

const native: Readonly<Record<string, Client>> = {
  'chat completions': 'chat',
  Responses: 'responses',
  Anthropic: 'Anthropic',
  Gemini: 'Gemini',
}

interface Thrown {
  readonly name: string
  readonly status: number | undefined
  readonly message: string
  readonly headers?: { get(name: string): string | null }
  readonly code?: unknown
  readonly type?: unknown
  readonly text: string
}

const openai = () => new OpenAI({ apiKey: 'sk-good', baseURL: `${gateway.url}/v1`, maxRetries: 0 })
const user = [{ role: 'user' as const, content: 'hi' }]

/** Reads an answer to its end with the official client; what it read goes to `heard`. */
const calls: Readonly<
  Record<Client, (model: string, streamed: boolean, heard: (text: string) => void) => Promise<void>>
> = {
  async chat(model, streamed, heard) {
    if (!streamed) return void (await openai().chat.completions.create({ model, messages: user }))
    for await (const part of await openai().chat.completions.create({ model, messages: user, stream: true }))
      heard(part.choices[0]?.delta.content ?? '')
  },
  async responses(model, streamed, heard) {
    if (!streamed) return void (await openai().responses.create({ model, input: 'hi', store: false }))
    for await (const event of await openai().responses.create({ model, input: 'hi', store: false, stream: true })) {
      if (event.type === 'response.output_text.delta') heard(event.delta)
      if (event.type === 'response.failed')
        throw Object.assign(new Error(event.response.error?.message), { code: event.response.error?.code })
      if (event.type === 'error') throw Object.assign(new Error(event.message), { code: event.code })
    }
  },
  async Anthropic(model, streamed, heard) {
    const client = new Anthropic({ apiKey: 'sk-good', baseURL: gateway.url, maxRetries: 0 })
    if (!streamed) return void (await client.messages.create({ model, max_tokens: 9, messages: user }))
    for await (const event of await client.messages.create({ model, max_tokens: 9, messages: user, stream: true }))
      if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') heard(event.delta.text)
  },
  async Gemini(model, streamed, heard) {
    const client = new GoogleGenAI({ apiKey: 'sk-good', httpOptions: { baseUrl: gateway.url } })
    if (!streamed) return void (await client.models.generateContent({ model, contents: 'hi' }))
    for await (const part of await client.models.generateContentStream({ model, contents: 'hi' }))
      heard(part.text ?? '')
  },
}

const thrownBy = async (client: Client, model: string, streamed: boolean): Promise<Thrown> => {
  let text = ''
  try {
    await calls[client](model, streamed, (part) => {
      text += part
    })
  } catch (error) {
    const { status, headers, code, type, message } = error as Thrown
    return {
      name: (error as Error).constructor.name,
      status,
      message,
      text,
      code,
      type,
      ...(headers ? { headers } : {}),
    }
  }
  throw new Error('nothing was thrown')
}

const classes: Readonly<Record<number, string>> = {
  400: 'BadRequestError',
  404: 'NotFoundError',
  413: 'ContentTooLargeError',
  429: 'RateLimitError',
  500: 'InternalServerError',
  502: 'InternalServerError',
  503: 'InternalServerError',
  529: 'OverloadedError',
}

const clients = Object.keys(calls) as Client[]
const places = ['whole', 'streamed', 'first event'] as const

const cases = Object.keys(upstreams).flatMap((from) =>
  (Object.keys(kinds) as Kind[]).flatMap((kind) => places.map((place) => ({ from, kind, place }))),
)

describe.each(clients)('an error for a client of %s', (client) => {
  it.each(cases)('from $from: $kind, $place', async ({ from, kind, place }) => {
    const { place: at, model, body, event } = upstreams[from] as Upstream
    const saying = kinds[kind]
    useChannels(at())
    upstream.answer =
      place === 'first event'
        ? stream(event(saying))
        : json(body(saying), from === 'Anthropic' && kind === 'overload' ? 529 : saying.status)
    const thrown = await thrownBy(client, model, place !== 'whole')
    const isNative = native[from] === client
    const status = readAs(kind, client, isNative && place !== 'first event')
    // Failures with a number from the provider are read, in a stream, too.
    const expected = kind === 'broken' && (place !== 'first event' || from === 'Gemini') ? 500 : status
    expect(thrown.status).toBe(expected)
    if (client !== 'Gemini') expect([classes[expected], 'APIError']).toContain(thrown.name)
    if (kind === 'auth') expect(thrown.message).not.toContain('channel-key')
    else if (kind !== 'rate' && kind !== 'overload') expect(thrown.message).toContain(saying.message)
    if (kind === 'rate' && client !== 'Gemini') expect(thrown.headers?.get('retry-after')).toBe('7')
    if (kind === 'rate' && client === 'Gemini') expect(thrown.message).toContain('"retryDelay":"7s"')
    if (kind === 'context' && (client === 'chat' || client === 'responses'))
      expect(thrown.code).toBe('context_length_exceeded')
    if (client === 'Gemini' && kind !== 'auth') expect(thrown.message).toContain(saying.google)
    expect(lastRecord()?.kind).not.toBe('charge')
    expect(holdEnds()).toEqual(['released'])
  })

  it.each(cases.filter(({ place }) => place === 'whole'))(
    'from $from in the middle of a stream: $kind',
    async ({ from, kind }) => {
      const { place: at, model, first, event } = upstreams[from] as Upstream
      const saying = kinds[kind]
      useChannels(at())
      upstream.answer = stream(...first, event(saying))
      const thrown = await thrownBy(client, model, true)
      expect(thrown.text).toBe('Hel')
      if (kind === 'auth') expect(thrown.message).not.toContain('channel-key')
      else if (kind !== 'rate' && kind !== 'overload') expect(thrown.message).toContain(saying.message)
      if (kind !== 'auth' && client === 'Anthropic') expect(thrown.message).toContain(`"type":"${saying.anthropic}"`)
      if (kind !== 'auth' && client === 'Gemini') expect(thrown.message).toContain(saying.google)
      if (kind === 'context' && (client === 'chat' || client === 'responses') && native[from] !== client)
        expect(thrown.code).toBe('context_length_exceeded')
      expect(lastRecord()?.kind).toBe('charge')
    },
  )
})
