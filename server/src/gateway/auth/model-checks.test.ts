import { request as httpRequest } from 'node:http'
import { expect, it } from 'vitest'
import { gateway, lastRecord, upstream, useScene } from '../../../test/support/gateway/scene.ts'

useScene()

const long = 'm'.repeat(256)
const longest = 'm'.repeat(255)

const form = (model: string): FormData => {
  const fields = new FormData()
  fields.set('model', model)
  fields.set('file', new Blob(['sound']), 'a.mp3')
  return fields
}

const post = (path: string, body: object | FormData): Promise<Response> =>
  fetch(gateway.url + path, {
    method: 'POST',
    headers: {
      authorization: 'Bearer sk-good',
      ...(body instanceof FormData ? {} : { 'content-type': 'application/json' }),
    },
    body: body instanceof FormData ? body : JSON.stringify(body),
  })

type Call = readonly [path: string, body: (model: string) => object | FormData, message: (answer: never) => unknown]

const ofOpenai = ({ error }: { error: { message: string; code: string } }) => error.message
const ofAnthropic = ({ type, error }: { type: string; error: { message: string } }) => type === 'error' && error.message
const ofGemini = ({ error }: { error: { message: string; status: string } }) =>
  error.status === 'INVALID_ARGUMENT' && error.message

const messages = [{ role: 'user', content: 'hi' }]
const calls: readonly Call[] = [
  ['/v1/chat/completions', (model) => ({ model, messages }), ofOpenai],
  ['/v1/completions', (model) => ({ model, prompt: 'hi' }), ofOpenai],
  ['/v1/responses', (model) => ({ model, input: 'hi' }), ofOpenai],
  ['/v1/embeddings', (model) => ({ model, input: 'hi' }), ofOpenai],
  ['/v1/images/generations', (model) => ({ model, prompt: 'hi' }), ofOpenai],
  ['/v1/audio/transcriptions', form, ofOpenai],
  ['/v1/messages', (model) => ({ model, messages, max_tokens: 1 }), ofAnthropic],
  ['/v1/messages/count_tokens', (model) => ({ model, messages }), ofAnthropic],
  [`/v1beta/models/${long}:generateContent`, () => ({ contents: [] }), ofGemini],
  [`/v1beta/models/${long}:embedContent`, () => ({ content: { parts: [{ text: 'hi' }] } }), ofGemini],
  ['/pg/chat/completions', (model) => ({ model, messages }), ofOpenai],
]

it.each(calls)('%s refuses a model name of 256 characters in its dialect', async (path, body, message) => {
  const response = await post(path, body(long))
  const text = await response.text()
  expect(response.status).toBe(400)
  expect(message(JSON.parse(text) as never)).toMatch(/field model is longer than 255 characters: m{80}…/)
  expect(text).not.toContain('m'.repeat(81))
  expect(JSON.stringify(lastRecord())).not.toContain('m'.repeat(201))
  expect(lastRecord()).toMatchObject({ kind: 'error', model: '', quota: 0 })
  expect(upstream.received).toEqual([])
})

it('a name of 255 characters is a model like any other', async () => {
  const response = await post('/v1/chat/completions', { model: longest, messages })
  expect(lastRecord()?.model).toBe(longest)
  expect(((await response.json()) as { error?: { code: string } }).error?.code).not.toBe('invalid_text_request')
})

it('a session is refused before its handshake', async () => {
  const status = await new Promise((resolve, reject) => {
    const call = httpRequest(`${gateway.url}/v1/realtime?model=${long}`, {
      headers: {
        authorization: 'Bearer sk-good',
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      },
    })
    call.on('response', (response) => resolve(response.resume().statusCode))
    call.on('error', reject)
    call.end()
  })
  expect(status).toBe(400)
  expect(lastRecord()).toMatchObject({ kind: 'error', model: '' })
})
