import { expect, it } from 'vitest'
import { responseCreated, responseDone } from '../support/gateway/realtime.ts'
import { until } from '../support/gateway/scene.ts'
import { channel, gateway, record, records, reopen, upstream, usage, useSessions } from '../support/gateway/sessions.ts'

/** POST /v1/realtime/calls: the sound goes from the browser to the provider, the events of the call are followed beside it. */

useSessions()

const offer = 'v=0\r\no=- 1 2 IN IP4 127.0.0.1\r\n'

const place = (body: string | FormData, headers: Record<string, string> = {}, query = ''): Promise<Response> =>
  fetch(`${gateway.url}/v1/realtime/calls${query}`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-good', ...headers },
    body,
  })

const form = (session: object): FormData => {
  const data = new FormData()
  data.set('sdp', offer)
  data.set('session', JSON.stringify(session))
  return data
}

const session = { type: 'realtime', model: 'gpt-realtime', instructions: 'Be brief.' }

it('answers the offer, and bills what the events of the call report', async () => {
  const answer = await place(form(session))
  expect([answer.status, answer.headers.get('location'), await answer.text()]).toEqual([
    201,
    '/v1/realtime/calls/rtc_1',
    'v=0 answer',
  ])
  const [post] = upstream.posts
  expect(post?.type).toMatch(/^multipart\/form-data; boundary=/)
  expect(post?.body).toContain(offer)
  expect(post?.body).toContain(JSON.stringify(session))
  expect(upstream.paths).toEqual(['/v1/realtime?call_id=rtc_1'])
  expect(upstream.sessions[0]?.headers.authorization).toBe(`Bearer ${channel().keys[0]}`)
  upstream.sessions[0]?.say(responseCreated('r'), responseDone(usage, 'r'))
  upstream.sessions[0]?.socket.close(1000)
  expect(await record()).toMatchObject({ kind: 'charge', quota: 5300, other: { end: 'done', ws: true } })
})

it('takes a bare offer with the key of a browser', async () => {
  const made = await fetch(`${gateway.url}/v1/realtime/client_secrets`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-good', 'content-type': 'application/json' },
    body: JSON.stringify({ session }),
  })
  const { value } = (await made.json()) as { value: string }
  const answer = await place(offer, { authorization: `Bearer ${value}`, 'content-type': 'application/sdp' })
  expect(answer.status).toBe(201)
  expect(upstream.posts[0]?.body).toContain('Be brief.')
  upstream.sessions[0]?.socket.close(1000)
  expect(await record()).toMatchObject({ kind: 'charge', userId: 7 })
})

it('hangs up when the key may not be used any more', async () => {
  await place(form(session))
  const token = gateway.tokens.get('good')
  if (token !== undefined) gateway.tokens.set('good', { ...token, status: 2 })
  upstream.sessions[0]?.say(responseCreated('r'), responseDone(usage, 'r'))
  await until(() => upstream.posts.length === 2)
  expect(upstream.posts[1]?.path).toBe('/v1/realtime/calls/rtc_1/hangup')
  expect(await record()).toMatchObject({ kind: 'charge', quota: 5300 })
})

it('is charged and ended when the connection to its events breaks in the middle of a response, however often it takes', async () => {
  await reopen({ hangUpPauses: [1, 1, 1] })
  await place(form(session))
  upstream.hungUp = [503, 502]
  const delta = { type: 'response.output_audio_transcript.delta', delta: 'Hello, how can I help you today?' }
  upstream.sessions[0]?.say(responseCreated('a'), responseDone(usage, 'a'), responseCreated('b'), delta)
  setTimeout(() => upstream.sessions[0]?.socket.terminate(), 50)
  const charged = await record()
  expect(charged).toMatchObject({
    kind: 'charge',
    other: { end: 'upstream_broke', ws: true },
    receipt: { estimated: true },
  })
  expect(charged?.quota).toBeGreaterThan(5300)
  await until(() => upstream.posts.filter(({ path }) => path.endsWith('/hangup')).length === 3)
})

it('is not answered where it could not be metered: the call is hung up at once', async () => {
  upstream.refusal = { status: 404, body: { error: { message: 'no such call' } } }
  const answer = await place(form(session))
  expect(answer.status).toBe(404)
  await until(() => upstream.posts.some(({ path }) => path.endsWith('/hangup')))
  expect(records()).toMatchObject([{ kind: 'error' }])
})

it('is refused where the channel refuses it, or gives the call no name to follow it by', async () => {
  upstream.placed = { status: 500, location: '', body: '{"error":{"message":"no WebRTC here"}}' }
  const answer = await place(form(session))
  expect([answer.status, records().length]).toEqual([500, 1])
  upstream.placed = { status: 201, location: '', body: 'v=0 nameless' }
  expect((await place(form(session))).status).toBe(502)
})

it.each([
  ['no offer', 'hello', 'application/sdp', '?model=gpt-realtime'],
  ['no model', offer, 'application/sdp', ''],
])('refuses %s', async (_, body, type, query) => {
  const answer = await place(body, { 'content-type': type }, query)
  expect([answer.status, upstream.posts]).toEqual([400, []])
})
