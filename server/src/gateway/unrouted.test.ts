import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { expect, it } from 'vitest'
import { ask, gateway, useScene } from '../../test/support/gateway/scene.ts'

useScene()

it.each([
  [
    '/v1/messages/batches',
    {
      type: 'error',
      error: { type: 'not_found_error', message: expect.any(String) },
      request_id: expect.any(String),
    },
  ],
  ['/v1beta/nothing', { error: { code: 404, status: 'NOT_FOUND', message: expect.any(String) } }],
  ['/v1/nothing', { error: { type: 'invalid_request_error', param: '', code: '', message: expect.any(String) } }],
])('answers 404 for %s in the dialect of its prefix', async (path, body) => {
  const response = await ask({}, path)
  expect(response.status).toBe(404)
  expect(await response.json()).toEqual(body)
})

it.each(['/upload/v1beta/files', '/upload/v1/files', '/resumable/upload/v1beta/files', '/upload/v1beta/files/x'])(
  'refuses %s in the shape of Gemini: without a channel it is not known whose account takes the file',
  async (path) => {
    for (const key of ['good', 'unknown']) {
      const address = `${gateway.url}${path}?uploadType=resumable&key=${key}`
      const answer = await fetch(address, { method: 'POST', body: '{}', headers: { 'x-goog-upload-command': 'start' } })
      const status = key === 'good' ? [501, 'UNIMPLEMENTED'] : [401, 'UNAUTHENTICATED']
      const { error } = (await answer.json()) as { error: { code: number; status: string; message: string } }
      expect([error.code, error.status]).toEqual(status)
      expect([answer.status, Object.keys(error).toSorted()]).toEqual([status[0], ['code', 'message', 'status']])
    }
  },
)

it.each(['/v1beta1/nothing', '/upload/v1beta/nothing', '/v1/projects/p/locations/l/nothing', '/v1alpha/nothing'])(
  'answers 404 for %s in the shape of Gemini',
  async (path) => {
    const answer = await fetch(gateway.url + path, { method: 'POST', body: '{}' })
    expect([answer.status, await answer.json()]).toEqual([
      404,
      { error: { code: 404, status: 'NOT_FOUND', message: expect.any(String) } },
    ])
  },
)

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

it.each(['calls/rtc_1/accept', 'translations/client_secrets'])(
  'refuses realtime/%s in words: nobody could meter a session that goes past the gateway',
  async (call) => {
    const refused = await ask({}, `/v1/realtime/${call}`)
    expect([refused.status, refused.headers.get('x-should-retry')]).toEqual([501, 'false'])
    expect(await refused.json()).toMatchObject({
      error: { code: 'realtime_webrtc_not_implemented', message: expect.stringContaining('SIP') },
    })
  },
)

const other = '/ws/google.ai.generativelanguage.v1alpha.GenerativeService.BidiGenerateWorlds?key=good'

it('refuses an unknown kind of session in the shape of Gemini, as a WebSocket and as a plain call', async () => {
  const refused = { error: { code: 501, status: 'UNIMPLEMENTED', message: expect.stringContaining('Gemini Live') } }
  const { answer, body } = await handshake(other)
  expect([answer.statusCode, body]).toEqual([501, refused])
  const plain = await fetch(gateway.url + other)
  expect([plain.status, await plain.json()]).toEqual([501, refused])
})
