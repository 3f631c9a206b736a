import { describe, expect, it } from 'vitest'
import { claude, contents, gemini, named, question, respond } from '../support/gateway/dialects.ts'
import {
  ask,
  channel,
  gateway,
  hi,
  holdEnds,
  lastRecord,
  upstream,
  useChannels,
  useScene,
} from '../support/gateway/scene.ts'
import { json, stream } from '../support/gateway/upstream.ts'

useScene()

/** An error that comes within a success, in a stream or a whole body, has the status of its code for clients of every dialect. */

const openai = () => channel({ type: 1 })
const minimax = () => channel({ type: 35 })
const other = () => channel({ type: 8, baseUrl: `${upstream.url}/v1/chat/completions` })

type Client = 'chat' | 'responses' | 'Anthropic' | 'Gemini'

const calls: Readonly<Record<Client, (model: string, streamed: boolean) => Promise<Response>>> = {
  chat: (model, streamed) => ask({ ...hi, model, stream: streamed }),
  responses: (model, streamed) => ask({ ...respond, model, stream: streamed }, '/v1/responses'),
  Anthropic: (model, streamed) => ask({ ...question, model, stream: streamed }, '/v1/messages'),
  Gemini: (model, streamed) =>
    ask(contents, `/v1beta/models/${model}:${streamed ? 'streamGenerateContent?alt=sse' : 'generateContent'}`),
}
const clients = Object.keys(calls) as Client[]

const failedResponse = (error: unknown, beside?: object) => ({
  id: 'resp_1',
  object: 'response',
  status: 'failed',
  error,
  output: [],
  ...beside,
})

const created = named('response.created', { response: { ...failedResponse(null), status: 'in_progress' } })

/** Error of a Responses upstream, in each of the places where it stands. */
const responsesForms = (error: object): readonly (readonly [string, boolean, ReturnType<typeof json>])[] => [
  ['in response.failed', true, stream(created, named('response.failed', { response: failedResponse(error) }))],
  ['in an error event', true, stream(created, named('error', { ...error, param: null }))],
  [
    'beside a response without one',
    true,
    stream(created, named('response.failed', { response: failedResponse(null), error })),
  ],
  ['in a whole body', false, json(failedResponse(error))],
]

const statuses: readonly (readonly [object, number, Partial<Record<Client, number>>?])[] = [
  [{ code: 'context_length_exceeded', message: 'Your input exceeds the context window of this model.' }, 400],
  [{ code: 'invalid_prompt', message: 'Invalid prompt' }, 400],
  [{ code: 'rate_limit_exceeded', message: 'Rate limit reached. Please try again in 11.2s.' }, 429],
  [{ code: 'insufficient_quota', message: 'You exceeded your current quota.' }, 429],
  [{ code: 'server_is_overloaded', message: 'Overloaded' }, 503, { Anthropic: 529 }],
  [{ code: 'server_error', message: 'Something broke' }, 502],
]

describe.each(clients.filter((client) => client !== 'responses'))('a %s client of a Responses upstream', (client) => {
  it.each(
    statuses.flatMap(([error, status, own]) =>
      responsesForms(error).map(([place, streamed, answer]) => ({
        error,
        status: own?.[client] ?? status,
        place,
        streamed,
        answer,
      })),
    ),
  )('reads $error.code $place as $status', async ({ error, status, streamed, answer }) => {
    useChannels(openai())
    upstream.answer = answer
    const response = await calls[client]('gpt-5.5-pro', streamed)
    const text = await response.text()
    expect(response.status).toBe(status)
    if (status !== 429) expect(text).toContain((error as { message: string }).message)
    if ('code' in error && error.code === 'rate_limit_exceeded') expect(response.headers.get('retry-after')).toBe('12')
    if ('code' in error && error.code === 'context_length_exceeded' && client === 'chat')
      expect(JSON.parse(text)).toMatchObject({ error: { code: 'context_length_exceeded' } })
    expect(holdEnds()).toEqual(['released'])
    expect(lastRecord()?.kind).not.toBe('charge')
    if (status === 400) expect(upstream.received.length).toBe(1)
  })
})

it.each(clients)('an overload in Anthropic’s stream is one for a %s client', async (client) => {
  useChannels(claude())
  upstream.answer = stream(named('error', { error: { type: 'overloaded_error', message: 'Overloaded' } }))
  const response = await calls[client]('claude-opus-5-5', true)
  expect(response.status).toBe(client === 'Anthropic' ? 529 : 503)
  const body = (await response.json()) as { error: { status?: string; type?: string } }
  if (client === 'Gemini') expect(body.error.status).toBe('UNAVAILABLE')
  if (client === 'Anthropic') expect(body.error.type).toBe('overloaded_error')
})

const noUse = { promptTokenCount: 10, totalTokenCount: 10 }
const malformed = (parts: readonly object[] = [], finishReason = 'MALFORMED_FUNCTION_CALL') => ({
  candidates: [
    { content: { role: 'model', parts }, finishReason, finishMessage: 'Malformed function call: print(x)', index: 0 },
  ],
  usageMetadata: noUse,
})
const generated = {
  candidates: [{ content: { role: 'model', parts: [{ text: 'Hello' }] }, finishReason: 'STOP' }],
  usageMetadata: { ...noUse, candidatesTokenCount: 2 },
}
const sse = (value: object): string => `data: ${JSON.stringify(value)}\n\n`
const chatError = (streamed: boolean, text = '') =>
  streamed
    ? stream(
        sse({ id: 'c', choices: [{ index: 0, delta: { content: text }, finish_reason: 'error' }] }),
        'data: [DONE]\n\n',
      )
    : json({
        id: 'c',
        choices: [{ index: 0, message: { content: text }, finish_reason: 'error' }],
        usage: { prompt_tokens: 4, completion_tokens: 0 },
      })

describe.each([false, true])('a model that fails before it answers, streamed: %s', (streamed) => {
  const geminiSays = (value: object) => (streamed ? stream(sse(value)) : json(value))

  it.each(clients.filter((client) => client !== 'Gemini'))('is no refusal for a %s client', async (client) => {
    useChannels(gemini())
    upstream.answer = geminiSays(malformed())
    const response = await calls[client]('gemini-2.5-flash', streamed)
    const text = await response.text()
    expect(response.status).toBe(502)
    expect(text).toContain('Malformed function call: print(x)')
    expect(text).not.toMatch(/content_filter|refusal/)
    expect(holdEnds()).toEqual(['released'])
    expect(upstream.received.length).toBe(2)
  })

  it('is asked once more, and only the answer is paid', async () => {
    useChannels(gemini())
    const thoughts = streamed ? [] : [{ text: 'I think', thought: true }]
    const answers = [geminiSays(malformed(thoughts)), geminiSays(generated)]
    upstream.answer = (call) => answers.shift()?.(call)
    const response = await calls.chat('gemini-2.5-flash', streamed)
    const text = await response.text()
    expect(text).toContain('Hello')
    expect(text).toContain('"finish_reason":"stop"')
    expect(gateway.parts.recorder.records).toMatchObject([{ kind: 'charge', promptTokens: 10, completionTokens: 2 }])
  })

  it.each(['chat', 'Anthropic', 'responses'] as const)('ends where its text ends for a %s client', async (client) => {
    useChannels(gemini())
    upstream.answer = geminiSays(malformed([{ text: 'Well' }]))
    const response = await calls[client]('gemini-2.5-flash', streamed)
    const text = await response.text()
    expect(response.status).toBe(200)
    expect(text).toContain('Well')
    expect(text).toMatch(/"(finish_reason":"stop|stop_reason":"end_turn|status":"completed)"/)
  })

  it.each(['Anthropic', 'Gemini', 'responses'] as const)(
    'says so with finish_reason "error", for a %s client',
    async (client) => {
      useChannels(other())
      upstream.answer = chatError(streamed)
      const response = await calls[client]('m', streamed)
      const text = await response.text()
      expect(response.status).toBe(502)
      expect(text).not.toMatch(/SAFETY|refusal|content_filter/)
      upstream.answer = chatError(streamed, 'Well')
      const ended = await calls[client]('m', streamed)
      expect(ended.status).toBe(200)
      expect(await ended.text()).not.toMatch(/SAFETY|"refusal"|content_filter/)
    },
  )

  it.each(clients)('MiniMax’ errors within a success have their status for a %s client', async (client) => {
    for (const place of [minimax(), other()]) {
      useChannels(place)
      const body = { choices: null, base_resp: { status_code: 1008, status_msg: 'insufficient balance' } }
      upstream.answer = streamed ? stream(sse(body)) : json(body)
      const response = await calls[client]('MiniMax-M3', streamed)
      expect(response.status).toBe(402)
      expect(await response.text()).toContain('insufficient balance')
    }
  })
})

it('thoughts before a call that cannot be read are not paid', async () => {
  useChannels(gemini())
  const thought = { candidates: [{ content: { parts: [{ text: 'I think', thought: true }] } }] }
  upstream.answer = stream(sse(thought), sse(malformed()))
  const response = await calls.Anthropic('gemini-2.5-flash', true)
  const text = await response.text()
  expect(text).toContain('Malformed function call: print(x)')
  expect(text).not.toContain('refusal')
  expect(lastRecord()?.kind).not.toBe('charge')
  expect(holdEnds()).toEqual(['released'])
})

const reason = 'Function call is missing a thought_signature'

it.each([
  ['a list', [{ error: { code: 400, message: reason, status: 'INVALID_ARGUMENT' } }]],
  ['a list of details', { detail: [{ type: 'extra_forbidden', loc: ['body', 'user'], msg: reason }] }],
  ['a sentence', { detail: reason }],
  ['an object of details', { detail: { message: reason } }],
  ['a list of errors', { errors: [{ code: 7000, message: reason }] }],
  ['errors by field', { errors: { messages: [reason] } }],
  ['an error of Volcengine', { ResponseMetadata: { Error: { Code: 'InvalidParameter', Message: reason } } }],
  ['an error within an error', { error: { error: { message: reason } } }],
  ['an event', { type: 'error', code: 'invalid_prompt', message: reason }],
])('the reason is read from %s', async (_, body) => {
  for (const place of [openai(), other(), gemini(), claude()]) {
    useChannels(place)
    upstream.answer = json(body, 400)
    for (const client of ['chat', 'Anthropic'] as const) {
      const response = await calls[client]('m', false)
      expect(response.status).toBe(400)
      expect(await response.text()).toContain(reason)
    }
  }
})

it('a list within a stream is an error of it', async () => {
  useChannels(other())
  upstream.answer = stream(
    `data: ${JSON.stringify([{ error: { code: 429, message: 'Slow down', status: 'RESOURCE_EXHAUSTED' } }])}\n\n`,
  )
  for (const client of clients) expect((await calls[client]('m', true)).status).toBe(429)
})

it.each([
  [
    'Claude',
    claude,
    {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' },
    },
  ],
  [
    'Gemini',
    gemini,
    {
      error: {
        code: 400,
        status: 'INVALID_ARGUMENT',
        message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
      },
    },
  ],
  [
    'DeepSeek',
    () => channel({ type: 43 }),
    {
      error: {
        type: 'invalid_request_error',
        code: 'invalid_request_error',
        message: "This model's maximum context length is 131072 tokens. However, you requested 150000 tokens.",
      },
    },
  ],
  ['Bedrock', other, { message: 'Input is too long for requested model.' }],
  [
    'Kimi',
    other,
    {
      error: {
        type: 'invalid_request_error',
        message: 'Invalid request: Your request exceeded model token limit: 262144',
      },
    },
  ],
  [
    'llama.cpp',
    other,
    {
      error: {
        code: 400,
        type: 'exceed_context_size_error',
        message: 'the request exceeds the available context size',
      },
    },
  ],
] as const)('a prompt too long for %s has OpenAI’s code', async (_, place, body) => {
  useChannels(place())
  upstream.answer = json(body, 400)
  for (const client of ['chat', 'responses'] as const) {
    const response = await calls[client]('m', false)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { code: 'context_length_exceeded' } })
  }
})

it('the name of a status is the code, and other numbers stay', async () => {
  useChannels(gemini())
  upstream.answer = json(
    { error: { code: 400, status: 'INVALID_ARGUMENT', message: 'contents is not specified' } },
    400,
  )
  expect(await (await calls.chat('m', false)).json()).toMatchObject({ error: { code: 'INVALID_ARGUMENT' } })
})
