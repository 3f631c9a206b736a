import { expect, it } from 'vitest'
import { testCaller, testChannel, testModels } from '../../../test/support/relay/ports.ts'
import { openaiChatDialect } from '../../dialects/openai-chat/dialect.ts'
import type { RelayCall } from '../call.ts'
import type { RelayChannel } from '../ports.ts'
import type { Connection, Exchange, ProviderAnswer, Reading } from './exchange.ts'
import { exchangeFor } from './exchange-for.ts'

const settings = { passThrough: false, cacheMarks: new Map(), forceStreamOption: true, models: testModels }

const at = (type: number, changes: Partial<RelayChannel> = {}): RelayChannel => testChannel({ type, ...changes })
const openai = 1
const anthropic = 14
const cohere = 34

const callOf = (changes: Partial<RelayCall>): RelayCall => {
  const body = changes.body ?? {}
  return {
    id: 'req-1',
    startedAt: 0,
    caller: testCaller,
    ip: '',
    model: String(body.model ?? ''),
    stream: false,
    endpoint: 'conversation',
    dialect: undefined,
    path: '',
    query: '?beta=1',
    accept: '*/*',
    passed: {},
    raw: Buffer.from(JSON.stringify(body)),
    body,
    ...changes,
  }
}

const chat = callOf({
  dialect: openaiChatDialect,
  path: '/v1/chat/completions',
  body: { model: 'claude-sonnet-4-5', messages: [{ role: 'user', content: 'hi' }], logit_bias: { 1: 2 } },
})

/** No exchange below uses the network again. */
const connection = { sent: { url: '', headers: {} } } as unknown as Connection

const answerOf = async (exchange: Exchange, json: object): Promise<ProviderAnswer> => {
  const head = { status: 200, headers: { 'content-type': 'application/json', 'x-own': '1' } }
  const reading: Reading = await exchange.readResponse(head, Buffer.from(JSON.stringify(json)), connection)
  if (reading.kind !== 'answer') throw new Error(reading.kind)
  return reading
}

const printed = (answer: ProviderAnswer): unknown => {
  const usage = answer.usage()
  if (usage === undefined) throw new Error('no usage')
  return JSON.parse(String(answer.print({ usage, estimated: false }).bytes))
}

it('passes a call through in the dialect of the provider', async () => {
  const exchange = exchangeFor(chat, at(openai), settings)
  expect(exchange.request).toMatchObject({ path: chat.path, query: '?beta=1', accept: '*/*' })
  expect(exchange.request.body).toBe(chat.raw)
  const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }
  const json = { id: 'a', own: 1, choices: [{ message: { content: 'hello' } }], usage }
  const answer = await answerOf(exchange, json)
  expect(answer.output().text).toBe('hello')
  expect(answer.usage()).toMatchObject({ input: 3, output: 2 })
  expect(printed(answer)).toEqual(json)
})

it('translates a call for a provider of another dialect, and names what it cannot express', async () => {
  const exchange = exchangeFor(chat, at(anthropic), settings)
  expect(exchange.request).toMatchObject({ path: '/v1/messages', query: '', accept: undefined })
  expect(exchange.unsupported).toEqual(['logit_bias'])
  const answer = await answerOf(exchange, {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5',
    content: [{ type: 'text', text: 'hello' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 3, output_tokens: 2 },
  })
  expect(answer.output().text).toBe('hello')
  expect(answer.unsupported).toEqual(['logit_bias'])
  expect(printed(answer)).toMatchObject({
    choices: [{ message: { content: 'hello' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 3, completion_tokens: 2 },
  })
})

it('keeps the bytes of an upload but for the name of its model', async () => {
  const form = (model: string): string =>
    `--x\r\nContent-Disposition: form-data; name="model"\r\n\r\n${model}\r\n--x\r\n` +
    'Content-Disposition: form-data; name="file"; filename="a.wav"\r\nContent-Type: audio/wav\r\n\r\nRIFF\r\n--x--\r\n'
  const contentType = 'multipart/form-data; boundary=x'
  const call = callOf({
    endpoint: 'transcripts',
    path: '/v1/audio/transcriptions',
    body: { model: 'whisper-1' },
    raw: Buffer.from(form('whisper-1')),
    form: { contentType, file: undefined, files: [] },
  })
  const exchange = exchangeFor(call, at(openai, { modelMapping: new Map([['whisper-1', 'mine']]) }), settings)
  expect(exchange.request).toMatchObject({ model: 'mine', contentType })
  expect(exchange.request.body.toString()).toBe(form('mine'))
  const answer = await answerOf(exchange, { text: 'hello', usage: { type: 'duration', seconds: 60 } })
  expect(answer.usage()).toMatchObject({ input: 1000 })
})

it('makes a call in the API of a provider that has its own for it', async () => {
  const body = { model: 'rerank-v3.5', query: 'q', documents: ['a', 'b'], return_documents: false }
  const exchange = exchangeFor(callOf({ endpoint: 'rerank', path: '/v1/rerank', body }), at(cohere), settings)
  expect(exchange.request.path).toBe('/v2/rerank')
  const answer = await answerOf(exchange, {
    results: [{ index: 1, relevance_score: 0.5 }],
    meta: { billed_units: { search_units: 2 }, tokens: { input_tokens: 9 } },
  })
  expect(answer.calls).toBe(2)
  expect(printed(answer)).toMatchObject({ results: [{ index: 1, relevance_score: 0.5 }] })
})

it('says of any kind whether a response with status 200 is an error', async () => {
  const rerank = callOf({ endpoint: 'rerank', path: '/v1/rerank', body: { model: 'm', query: 'q', documents: ['a'] } })
  const exchanges = [
    exchangeFor(chat, at(openai), settings),
    exchangeFor(chat, at(anthropic), settings),
    exchangeFor(rerank, at(cohere), settings),
  ]
  for (const exchange of exchanges)
    await expect(answerOf(exchange, { error: { message: 'overloaded' } })).rejects.toThrow('error')
})
