import { describe, expect, it } from 'vitest'
import { decimal } from '../../src/billing/decimal.ts'
import { testToken } from '../support/gateway/listener.ts'
import { channel, gateway, hi, upstream, useChannels, useScene } from '../support/gateway/scene.ts'
import { completion, json } from '../support/gateway/upstream.ts'

useScene()

/** Direct calls of a key with a list of models: what they name, wherever it stands. */

const open = (shared: boolean, ...models: readonly string[]): void => {
  useChannels(
    channel({
      id: 7,
      models: new Set(['cheap', 'dear']),
      passthrough: { groups: new Set(['default']), keys: new Set(), paths: [], shared, price: decimal(0.01) },
    }),
  )
  gateway.tokens.set('good', { ...testToken, modelLimits: new Set(models) })
  upstream.answer = json({ id: 'x', ok: true })
}

const call = async (path: string, body: string | Buffer | FormData, type?: string): Promise<number> => {
  const answer = await fetch(`${gateway.url}/p/7${path}`, {
    method: 'POST',
    headers: {
      authorization: 'Bearer sk-good',
      ...(typeof body === 'string' || type !== undefined ? { 'content-type': type ?? 'application/json' } : {}),
    },
    body: body instanceof Buffer ? new Uint8Array(body) : body,
  })
  await answer.text()
  return answer.status
}

const send = (path: string, body: unknown): Promise<number> => call(path, JSON.stringify(body))

const file = (text: string, fields: Readonly<Record<string, string>> = { purpose: 'batch' }): FormData => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob([text]), 'a.jsonl')
  return form
}

const line = (model: string, more: object = {}): string =>
  JSON.stringify({ custom_id: 'a', method: 'POST', url: '/v1/chat/completions', body: { ...hi, model, ...more } })

describe.each([true, false])('where things are shared: %s', (shared) => {
  it.each([
    ['a long body', '/v1/responses/compact', { model: 'dear', input: 'x'.repeat(300_000) }],
    ['a very long body', '/v1/responses/compact', { input: 'x'.repeat(700_000), model: 'dear' }],
    [
      'requests of a batch',
      '/v1/messages/batches',
      { requests: [{ custom_id: 'a', params: { ...hi, model: 'dear' } }] },
    ],
    [
      'a tool in requests of a batch',
      '/v1/messages/batches',
      { requests: [{ params: { ...hi, model: 'cheap', tools: [{ type: 'advisor_20260301', model: 'dear' }] } }] },
    ],
    [
      'fallbacks in requests',
      '/v1/messages/batches',
      { requests: [{ params: { model: 'cheap', fallbacks: ['dear'] } }] },
    ],
    ['the session of a key for browsers', '/v1/realtime/client_secrets', { session: { model: 'dear' } }],
    [
      'a transcriber',
      '/v1/realtime/client_secrets',
      { session: { model: 'cheap', audio: { input: { transcription: { model: 'dear' } } } } },
    ],
    ['a grader', '/v1/fine_tuning/jobs', { model: 'cheap', method: { reinforcement: { grader: { model: 'dear' } } } }],
    ['other letters', '/v1/responses/compact', { model: 'cheap', MODEL: 'dear' }],
    ['a model in the address', '/v1beta/models/dear:batchGenerateContent', { batch: {} }],
    ['a model in the query', '/v1/realtime/calls?model=dear', {}],
    [
      'a batch of Gemini',
      '/v1beta/models/cheap:batchGenerateContent',
      { batch: { requests: [{ request: { model: 'models/dear' } }] } },
    ],
  ])('%s names no model that is not on the list', async (_, path, body) => {
    open(shared, 'cheap', 'passthrough')
    const status = await send(path, body)
    expect([400, 403]).toContain(status)
    expect(upstream.received).toEqual([])
  })

  it('names in forms and lines of files are read', async () => {
    open(shared, 'cheap', 'passthrough')
    expect(await call('/v1/files', file(`${line('cheap')}\n${line('dear')}`))).toBe(403)
    expect(await call('/v1/files', file(`no line\n${line('cheap', { models: ['dear'] })}`))).toBe(403)
    expect(await call('/v1/files', file(line('cheap').replace('"model"', '"model":"dear","model"')))).toBe(400)
    expect(await call('/v1/audio/transcriptions', file('x', { model: 'dear' }))).toBe(403)
    expect(await call('/v1/audio/transcriptions', file('x', { MODEL: 'dear' }))).toBe(400)
    expect(await call('/upload/v1beta/files', `${line('dear')}\n`, 'application/jsonl')).toBe(403)
    expect(await call('/v1/responses/compact', '{"model":"dear","model":"cheap"}')).toBe(400)
    expect(await call('/v1/responses/compact', '\ufeff{"model":"dear"}')).toBe(400)
    expect(upstream.received).toEqual([])
  })

  it('what names models on the list goes', async () => {
    open(shared, 'cheap', 'passthrough')
    expect(await call('/v1/files', file(`${line('cheap')}\n${line('cheap')}`))).toBe(200)
    expect(await call('/v1/files', file(`${line('dear')}`, { purpose: 'user_data' }))).toBe(200)
    expect(await send('/v1/messages/batches', { requests: [{ params: { ...hi, model: 'cheap' } }] })).toBe(200)
    expect(upstream.received).toHaveLength(3)
  })
})

it('a file that comes in parts is refused where anybody could make a batch of it', async () => {
  open(true, 'cheap', 'passthrough')
  expect(await call('/v1/uploads/upload_1/parts', file(line('cheap')))).toBe(400)
  expect(upstream.received).toEqual([])
})

it('a call whose usage is read is held to the list in the same way', async () => {
  open(true, 'cheap')
  upstream.answer = json(completion('hello'))
  const chat = { ...hi, model: 'cheap' }
  expect(await send('/v1/chat/completions', { ...chat, models: ['dear'] })).toBe(403)
  expect(await send('/v1/chat/completions', { ...chat, provider: { only: ['a'] } })).toBe(400)
  expect(await send('/v1/chat/completions', { ...chat, models: ['cheap'] })).toBe(200)
  expect(upstream.received).toHaveLength(1)
})
