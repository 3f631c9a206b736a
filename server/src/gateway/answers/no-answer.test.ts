import { describe, expect, it } from 'vitest'
import { question } from '../../../test/support/gateway/dialects.ts'
import {
  ask,
  channel,
  gateway,
  hi,
  hiStream,
  holdEnds,
  lastRecord,
  upstream,
  useChannels,
  useScene,
} from '../../../test/support/gateway/scene.ts'
import { completion, json, stream } from '../../../test/support/gateway/upstream.ts'

/** Bodies with status 200 that are no answers: refusals in a provider's own format, which are free. */

useScene()

const refusals: readonly Record<string, unknown>[] = [
  { error: 'the model is not loaded' },
  { code: 1113, msg: 'balance is not enough' },
  { success: false, message: 'balance is not enough', data: null },
  { detail: 'not found' },
  { detail: [{ loc: ['body'], msg: 'field required' }] },
  { base_resp: { status_code: 1008, status_msg: 'insufficient balance' }, choices: null },
  { id: 'x', object: 'chat.completion', choices: [] },
  {},
]

const responses = { model: 'gpt-4o', input: 'hi' }
const contents = { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] }
const clients = {
  chat: () => ask(hi),
  responses: () => ask(responses, '/v1/responses'),
  anthropic: () => ask({ ...question, model: 'gpt-4o' }, '/v1/messages'),
  gemini: () => ask(contents, '/v1beta/models/gpt-4o:generateContent'),
  completions: () => ask({ model: 'gpt-4o', prompt: 'hi' }, '/v1/completions'),
}
const providers = {
  openai: () => channel(),
  claude: () => channel({ type: 14 }),
  gemini: () => channel({ type: 24 }),
}
const pairs = Object.keys(clients).flatMap((client) =>
  Object.keys(providers).map((provider) => [client, provider] as const),
)

describe.each(pairs)('a client of %s and a provider of %s', (client, provider) => {
  it.each(refusals.map((body) => [JSON.stringify(body), body] as const))('%s costs nothing', async (_, body) => {
    const served = providers[provider as keyof typeof providers]()
    useChannels(served)
    upstream.answer = json(body)
    const answer = await clients[client as keyof typeof clients]()
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(lastRecord()).toMatchObject({ kind: 'error', quota: 0 })
    expect(holdEnds()).toEqual(['released'])
  })
})

it('has another channel asked', async () => {
  useChannels(channel({ priority: 2 }), channel({ id: 2 }))
  gateway.parts.settings = { ...gateway.parts.settings, retryTimes: 1 }
  upstream.answer = (call) =>
    json(upstream.received.length === 1 ? { code: 1113, msg: 'no' } : completion('hello'))(call)
  expect((await ask(hi)).status).toBe(200)
  expect(gateway.parts.recorder.records.map(({ kind }) => kind)).toEqual(['charge'])
})

const streams = {
  chat: () => ask(hiStream),
  responses: () => ask({ ...responses, stream: true }, '/v1/responses'),
  anthropic: () => ask({ ...question, model: 'gpt-4o', stream: true }, '/v1/messages'),
  gemini: () => ask(contents, '/v1beta/models/gpt-4o:streamGenerateContent?alt=sse'),
}

describe.each(Object.keys(streams).flatMap((client) => Object.keys(providers).map((provider) => [client, provider])))(
  'at the begin of a stream, a client of %s and a provider of %s',
  (client, provider) => {
    it.each(refusals.slice(0, 4))('%j costs nothing', async (body) => {
      useChannels(providers[provider as keyof typeof providers]())
      upstream.answer = stream(`data: ${JSON.stringify(body)}\n\n`)
      expect((await streams[client as keyof typeof streams]()).status).toBeGreaterThanOrEqual(400)
      expect(lastRecord()).toMatchObject({ kind: 'error', quota: 0 })
    })
  },
)

describe.each([
  ['/v1/embeddings', { model: 'gpt-4o', input: 'hi' }],
  ['/v1/rerank', { model: 'gpt-4o', query: 'q', documents: ['a'] }],
  ['/v1/moderations', { model: 'gpt-4o', input: 'hi' }],
])('%s', (path, body) => {
  it.each([{ error: 'the model is not loaded' }, { error: { message: 'no' } }, { code: 1113, msg: 'no' }, {}])(
    'costs nothing for %j',
    async (refusal) => {
      upstream.answer = json(refusal)
      expect((await ask(body, path)).status).toBeGreaterThanOrEqual(400)
      expect(lastRecord()).toMatchObject({ kind: 'error', quota: 0 })
    },
  )
})

it.each([{ error: 'the model is not loaded' }, { code: 1113, msg: 'no' }, {}])(
  'a transcript costs nothing for %j',
  async (refusal) => {
    upstream.answer = json(refusal)
    const body = new FormData()
    body.set('model', 'whisper-1')
    body.set('file', new Blob([Buffer.alloc(32_000)]), 'a.mp3')
    const headers = { authorization: 'Bearer sk-good' }
    const answer = await fetch(`${gateway.url}/v1/audio/transcriptions`, { method: 'POST', headers, body })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(lastRecord()).toMatchObject({ kind: 'error', quota: 0 })
  },
)

it.each([
  ['an empty text without usage', { choices: [{ index: 0, message: { role: 'assistant', content: '' } }] }],
  ['usage without choices', { choices: [], usage: { prompt_tokens: 7, completion_tokens: 0, total_tokens: 7 } }],
])('is none of these: %s', async (_, body) => {
  upstream.answer = json(body)
  expect((await ask(hi)).status).toBe(200)
  expect(lastRecord()?.kind).toBe('charge')
})
