import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { expect, it } from 'vitest'
import { ask, gateway, useScene } from '../../test/support/gateway/scene.ts'

useScene()

it.each([
  ['/v1/messages/batches', { type: 'error', error: { type: 'not_found_error', message: expect.any(String) } }],
  ['/v1beta/nothing', { error: { code: 404, status: 'NOT_FOUND', message: expect.any(String) } }],
  ['/v1/nothing', { error: { type: 'invalid_request_error', param: '', code: '', message: expect.any(String) } }],
])('answers 404 for %s in the dialect of its prefix', async (path, body) => {
  const response = await ask({}, path)
  expect(response.status).toBe(404)
  expect(await response.json()).toEqual(body)
})

/** A handshake for a WebSocket, without a key. */
const handshake = async (path: string): Promise<{ answer: IncomingMessage; body: unknown }> => {
  const call = request(gateway.url + path, {
    headers: {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    },
    agent: false,
  }).end()
  const [answer] = (await once(call, 'response')) as [IncomingMessage]
  const parts: Buffer[] = []
  for await (const part of answer) parts.push(part as Buffer)
  return { answer, body: JSON.parse(Buffer.concat(parts).toString()) }
}

it('refuses a WebSocket for responses with 426, so that its client uses POST at once', async () => {
  const { answer, body } = await handshake('/v1/responses')
  expect(answer.statusCode).toBe(426)
  expect(answer.headers.upgrade).toBe('HTTP/1.1')
  expect(body).toEqual({
    error: {
      message: expect.stringContaining('POST /v1/responses'),
      type: 'new_api_error',
      param: '',
      code: 'responses_socket_not_implemented',
    },
  })
})

const live = '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent?key=good'

it('refuses a session of Gemini Live in the shape of Gemini, as a WebSocket and as a plain call', async () => {
  const refused = { error: { code: 501, status: 'UNIMPLEMENTED', message: expect.stringContaining('Gemini Live') } }
  const { answer, body } = await handshake(live)
  expect([answer.statusCode, body]).toEqual([501, refused])
  const plain = await fetch(gateway.url + live)
  expect([plain.status, await plain.json()]).toEqual([501, refused])
})
