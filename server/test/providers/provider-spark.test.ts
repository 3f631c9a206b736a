import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  ask,
  channel,
  gateway,
  hi,
  lastRecord,
  reopenGateway,
  upstream,
  useChannels,
  useScene,
} from '../support/gateway/scene.ts'
import { openTestSocket, type SocketCall, type TestSocket } from '../support/gateway/socket.ts'
import { completion, json } from '../support/gateway/upstream.ts'
import { quickTimeouts } from '../support/relay/timeouts.ts'

useScene()

let socket: TestSocket
beforeEach(async () => {
  socket = await openTestSocket()
})
afterEach(() => socket.close())

const keys = ['appid123|apisecret-000001|apikey-00000001']
const spark = (changes: object = {}) => channel({ type: 18, baseUrl: socket.url, keys, ...changes })

/** After the reference: www.xfyun.cn/doc/spark/Web.html §4. */
const message = (content: string, status: number, usage?: object) => ({
  header: { code: 0, message: 'Success', sid: 'cht1', status },
  payload: {
    choices: { status, seq: 0, text: [{ content, role: 'assistant', index: 0 }] },
    ...(usage === undefined ? {} : { usage: { text: usage } }),
  },
})

const used = { question_tokens: 4, prompt_tokens: 5, completion_tokens: 9, total_tokens: 14 }

const sayAll = (call: SocketCall): void => call.send(message('你', 0), message('好 ', 1), message('there', 2, used))

const sent = (): Record<string, unknown> => JSON.parse(socket.calls[0]?.message ?? '{}')

const textOf = (stream: string): string =>
  stream
    .split('\n\n')
    .flatMap((event) => (event.startsWith('data: {') ? [JSON.parse(event.slice(6))] : []))
    .flatMap(({ choices = [] }) => choices as { delta: { content?: string } }[])
    .map(({ delta }) => delta.content ?? '')
    .join('')

describe('a Spark channel with the keys of an app', () => {
  it('asks over a signed WebSocket and streams what comes', async () => {
    useChannels(spark())
    socket.answer = sayAll
    const response = await ask({
      ...hi,
      model: 'SparkDesk-v3.5',
      messages: [{ role: 'system', content: 'Be brief.' }, ...hi.messages],
      temperature: 0.5,
      max_tokens: 20,
      user: 'u'.repeat(40),
      seed: 1,
      stream: true,
    })
    const text = await response.text()
    expect(textOf(text)).toBe('你好 there')
    expect(text).toContain('"finish_reason":"stop"')
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
    expect(response.headers.get('x-tollgate-lost-fields')).toBe('seed')
    expect(lastRecord()).toMatchObject({ promptTokens: 5, completionTokens: 9, receipt: { estimated: false } })
    const url = new URL(socket.calls[0]?.path ?? '', 'ws://x')
    expect(url.pathname).toBe('/v3.5/chat')
    expect(url.searchParams.get('host')).toBe('spark-api.xf-yun.com')
    expect(Buffer.from(url.searchParams.get('authorization') ?? '', 'base64').toString()).toMatch(
      /^api_key="apikey-00000001", algorithm="hmac-sha256", headers="host date request-line", signature="[\w+/]+="$/,
    )
    expect(sent()).toEqual({
      header: { app_id: 'appid123', uid: expect.stringMatching(/^[0-9a-f]{32}$/) },
      parameter: { chat: { domain: 'generalv3.5', temperature: 0.5, max_tokens: 20 } },
      payload: {
        message: {
          text: [
            { role: 'system', content: 'Be brief.' },
            { role: 'user', content: 'hi' },
          ],
        },
      },
    })
  })

  it('closes the WebSocket when the last message has come', async () => {
    useChannels(spark())
    socket.answer = sayAll
    await (await ask({ ...hi, model: 'SparkDesk', stream: true })).text()
    expect(await socket.calls[0]?.closed).toBe(1000)
  })

  it('gives clients without a stream the whole answer, in their dialect', async () => {
    useChannels(spark({ other: 'v3.1' }))
    socket.answer = sayAll
    const response = await ask(
      {
        model: 'SparkDesk',
        max_tokens: 5,
        system: 'Be brief.',
        messages: hi.messages,
        tools: [{ name: 't', input_schema: {} }],
      },
      '/v1/messages',
    )
    expect(response.headers.get('content-type')).toContain('application/json')
    expect(response.headers.get('x-tollgate-lost-fields')).toBe('tools')
    expect(await response.json()).toMatchObject({
      type: 'message',
      content: [{ type: 'text', text: '你好 there' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 5, output_tokens: 9 },
    })
    expect(socket.calls[0]?.path).toMatch(/^\/v3\.1\/chat\?/)
    // The older ones know no system.
    expect(sent()).toMatchObject({
      parameter: { chat: { domain: 'generalv3' } },
      payload: {
        message: {
          text: [
            { role: 'user', content: 'Be brief.' },
            { role: 'assistant', content: 'Okay' },
            { role: 'user', content: 'hi' },
          ],
        },
      },
    })
  })

  it.each([
    [11200, 502, 'credentials_failed'],
    [10907, 400],
    [11202, 429],
    [10110, 503],
    [10012, 502],
  ])('answers error %i with the status %i', async (code, status, expectedCode = String(code)) => {
    useChannels(spark())
    socket.answer = (call) => call.send({ header: { code, message: 'AppIdNoAuthError', sid: 's', status: 2 } })
    for (const stream of [false, true]) {
      const response = await ask({ ...hi, stream })
      expect(response.status).toBe(status)
      expect(await response.json()).toMatchObject({ error: { code: expectedCode } })
    }
  })

  it('logs for the operator why a handshake was refused, without the key', async () => {
    useChannels(spark())
    socket.refusal = { status: 401, body: { message: 'HMAC signature does not match, apikey-00000001' } }
    const response = await ask(hi)
    const text = await response.text()
    expect(response.status).toBe(502)
    expect(text).not.toContain('HMAC signature does not match')
    expect(text).not.toContain('apikey-00000001')
    expect(JSON.stringify(lastRecord())).toContain('HMAC signature does not match')
    expect(JSON.stringify(lastRecord())).not.toContain('apisecret')
  })

  it('says that a stream broke when the WebSocket did', async () => {
    useChannels(spark())
    socket.answer = (call) => {
      call.send(message('a', 0))
      call.cut()
    }
    const text = await (await ask({ ...hi, stream: true })).text()
    expect(textOf(text)).toBe('a')
    expect(text).not.toContain('[DONE]')
    expect(text).toContain('"error"')
    expect(lastRecord()).toMatchObject({ other: { end: 'upstream_broke' } })
    const plain = await ask(hi)
    expect(plain.status).toBe(502)
  })

  it('says that nothing came in time', async () => {
    await reopenGateway({ limits: { ...gateway.parts.limits, timeouts: quickTimeouts } })
    useChannels(spark())
    socket.answer = () => {}
    const response = await ask(hi)
    expect(response.status).toBe(504)
    expect(await response.json()).toMatchObject({ error: { code: 'upstream_timeout' } })
  })

  it('hangs up when its client does', async () => {
    useChannels(spark())
    socket.answer = (call) => call.send(message('a', 0))
    const leaving = new AbortController()
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-good' },
      body: JSON.stringify({ ...hi, stream: true }),
      signal: leaving.signal,
    })
    await response.body?.getReader().read()
    leaving.abort()
    await socket.calls[0]?.closed
    expect(socket.calls).toHaveLength(1)
  })
})

describe('a Spark channel with an APIPassword', () => {
  it('uses OpenAI’s dialect over HTTP and Spark’s names of models', async () => {
    useChannels(channel({ type: 18, keys: ['password'] }))
    upstream.answer = json(completion('hello'))
    await (await ask({ ...hi, model: 'SparkDesk-v4.0' })).json()
    expect(upstream.received[0]).toMatchObject({
      path: '/v1/chat/completions',
      headers: { authorization: 'Bearer password' },
    })
    expect(JSON.parse(upstream.received[0]?.body.toString() ?? '')).toMatchObject({ model: '4.0Ultra' })
  })
})
