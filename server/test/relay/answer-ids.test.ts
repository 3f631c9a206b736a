import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { openDatabase } from '../../src/db/engines/open.ts'
import { migrateLogs } from '../../src/db/migrate.ts'
import { withNamedCall } from '../../src/features/logs/reach/named-call.ts'
import { openLogStore } from '../../src/features/logs/store.ts'
import { journalRecord } from '../../src/journal/journal-record.ts'
import { logRows } from '../../src/ledger/logs/log-row.ts'
import { providerOf } from '../../src/providers/index.ts'
import type { RelayChannel } from '../../src/relay/ports.ts'
import {
  generated,
  generatedStream,
  message,
  messageStream,
  response,
  responseStream,
} from '../support/gateway/dialects.ts'
import { ask, channel, hi, lastRecord, upstream, useChannels, useScene } from '../support/gateway/scene.ts'
import { json, type Received } from '../support/gateway/upstream.ts'

useScene()

/** The id that stands in what a client reads finds the call in the log, whatever dialects it went through. */

const model = 'gpt-4o'
const clients: readonly (readonly [
  name: string,
  call: (stream: boolean) => readonly [Record<string, unknown>, string],
])[] = [
  ['chat', (stream) => [{ model, messages: hi.messages, stream }, '/v1/chat/completions']],
  ['responses', (stream) => [{ model, input: 'hi', stream }, '/v1/responses']],
  ['messages', (stream) => [{ model, max_tokens: 300, messages: hi.messages, stream }, '/v1/messages']],
  [
    'gemini',
    (stream) => [
      { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
      `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    ],
  ],
]

const chat = {
  id: 'chatcmpl-9',
  object: 'chat.completion',
  created: 1,
  model,
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 },
}
const chatEvent = (more: object) =>
  `data: ${JSON.stringify({ ...chat, object: 'chat.completion.chunk', usage: undefined, ...more })}\n\n`
const chatStream = [
  chatEvent({ choices: [{ index: 0, delta: { role: 'assistant', content: 'Hello' }, finish_reason: null }] }),
  chatEvent({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
  chatEvent({ choices: [], usage: chat.usage }),
  'data: [DONE]\n\n',
]

const isStreamed = ({ body, path }: Received): boolean =>
  path.includes('streamGenerateContent') || JSON.parse(body.toString()).stream === true

type Answers = readonly [whole: object, streamed: readonly string[]]
const openai = ({ path }: Received): Answers =>
  path.endsWith('/responses') ? [response, responseStream] : [chat, chatStream]
const providers: readonly (readonly [name: string, type: number, answers: (call: Received) => Answers])[] = [
  ['Anthropic', 14, () => [message, messageStream]],
  ['OpenAI', 1, openai],
  ['Gemini', 24, () => [generated, generatedStream]],
]

const typed = (type: number): RelayChannel => {
  const provider = providerOf(type)
  if (provider === undefined) throw new Error(`no type ${type}`)
  return channel({ type, provider } as Partial<RelayChannel>)
}

/** As each dialect names an answer: at the top, or in the event that begins it. */
const idIn = (text: string): string => {
  const named = /"(?:id|responseId)":\s*"((?:msg|resp|chatcmpl|gen|r)[\w-]+)"/.exec(text)
  return named?.[1] ?? ''
}

describe.each(providers)('an answer of %s', (_, type, answers) => {
  let database: Database
  beforeAll(async () => {
    database = await openDatabase({ engine: 'sqlite', url: ':memory:' })
    await migrateLogs(database)
  })
  afterAll(() => database.close())

  const found = async (id: string): Promise<string[]> => {
    const store = openLogStore(database)
    const filter = { tokenName: '', model: '', group: '', requestId: '', providerRequestId: id }
    const named = await withNamedCall(filter, (each) => store.count(each, 1))
    return (await store.find(named, { offset: 0, limit: 5 })).map((row) => row.request_id)
  }

  describe.each(clients)('to a client of %s', (_name, bodyOf) => {
    it.each([
      ['whole, with an id in the head', false, { 'request-id': 'req_7', 'x-request-id': 'req_7' }],
      ['streamed, with an id in the head', true, { 'request-id': 'req_7', 'x-request-id': 'req_7' }],
      ['whole', false, {}],
      ['streamed', true, {}],
    ])('is found by the id that the client reads, %s', async (_way, isStream, headers) => {
      useChannels(typed(type))
      upstream.answer = (call) => {
        const [whole, events] = answers(call)
        if (!isStreamed(call)) json(whole, 200, headers)(call)
        else call.response.writeHead(200, { 'content-type': 'text/event-stream', ...headers }).end(events.join(''))
      }
      const [body, path] = bodyOf(isStream)
      const text = await (await ask(body, path)).text()
      const record = lastRecord()
      if (record === undefined) throw new Error('nothing was recorded')
      expect(record.kind).toBe('charge')
      await database.query.deleteFrom('logs').execute()
      await database.insertMany('logs', logRows([journalRecord(record)]))
      const id = idIn(text)
      expect(id, text).not.toBe('')
      expect(await found(id)).toEqual([record.id])
      if (Object.keys(headers).length > 0) expect(await found('req_7')).toEqual([record.id])
    })
  })
})
