import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, connect } from 'node:net'
import { createServer, getCACertificates, setDefaultCACertificates } from 'node:tls'
import OpenAI from 'openai'
import { OpenAIRealtimeWS as BetaWS } from 'openai/beta/realtime/ws'
import { OpenAIRealtimeWebSocket } from 'openai/realtime/websocket'
import { OpenAIRealtimeWS } from 'openai/realtime/ws'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { responseCreated, responseDone } from '../support/gateway/realtime.ts'
import { until } from '../support/gateway/scene.ts'
import { gateway, record, upstream, usage, useSessions } from '../support/gateway/sessions.ts'

/** GET /v1/realtime with OpenAI's own client, which insists on TLS: a proxy before the gateway, as in real life. */

useSessions()

const certificates = new URL('../support/gateway/certificates/', import.meta.url)
const read = (name: string): string => readFileSync(new URL(name, certificates), 'utf8')
const before = getCACertificates('default')

let port = 0
const proxy = createServer({ cert: read('localhost.pem'), key: read('localhost.key') }, (socket) => {
  const onward = connect(Number(new URL(gateway.url).port), '127.0.0.1')
  socket.pipe(onward).pipe(socket)
  for (const end of [socket, onward]) end.on('error', () => {})
  socket.on('close', () => onward.destroy())
  onward.on('close', () => socket.destroy())
})
beforeAll(async () => {
  setDefaultCACertificates([...before, read('localhost.pem')])
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  port = (proxy.address() as AddressInfo).port
})
afterAll(() => {
  setDefaultCACertificates(before)
  proxy.close()
})

const clientOf = (apiKey = 'sk-good'): OpenAI => new OpenAI({ apiKey, baseURL: `https://localhost:${port}/v1` })
const model = 'gpt-realtime'

type Realtime = OpenAIRealtimeWS | OpenAIRealtimeWebSocket

describe.each([
  ['ws', () => new OpenAIRealtimeWS({ model }, clientOf())],
  ['WebSocket', () => new OpenAIRealtimeWebSocket({ model }, clientOf())],
] as const)('over %s', (_, open: () => Realtime) => {
  const opened = async (): Promise<Realtime> => {
    const realtime = open()
    await new Promise((resolve, reject) => {
      realtime.on('session.created', resolve)
      realtime.once('error', reject)
    })
    return realtime
  }

  it('has a conversation in text', async () => {
    upstream.answer = ({ type }, session) => {
      if (type !== 'response.create') return
      const delta = (text: string) => ({ type: 'response.output_text.delta', response_id: 'r', delta: text })
      session.say(responseCreated('r'), delta('Hel'), delta('lo'), responseDone(usage, 'r'))
    }
    const realtime = await opened()
    let transcript = ''
    realtime.on('response.output_text.delta', ({ delta }) => {
      transcript += delta
    })
    const done = new Promise((resolve) => realtime.on('response.done', resolve))
    realtime.send({ type: 'session.update', session: { type: 'realtime', output_modalities: ['text'] } })
    realtime.send({
      type: 'conversation.item.create',
      item: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Say hello' }] },
    })
    realtime.send({ type: 'response.create' })
    expect(await done).toMatchObject({ response: { usage: { total_tokens: 300 } } })
    expect(transcript).toBe('Hello')
    realtime.close()
    expect(await record()).toMatchObject({ kind: 'charge', quota: 5300, other: { end: 'done', ws: true } })
    expect(upstream.sessions[0]?.received.map((text) => (JSON.parse(text) as { type: string }).type)).toEqual([
      'session.update',
      'conversation.item.create',
      'response.create',
    ])
  })

  it('sends and receives audio', async () => {
    const sound = Buffer.alloc(4800, 7).toString('base64')
    upstream.answer = ({ type }, session) => {
      if (type === 'input_audio_buffer.commit')
        session.say({ type: 'input_audio_buffer.committed', item_id: 'i', previous_item_id: null })
      if (type !== 'response.create') return
      session.say(
        responseCreated('r'),
        { type: 'response.output_audio.delta', response_id: 'r', delta: sound },
        { type: 'response.output_audio_transcript.delta', response_id: 'r', delta: 'Hi' },
        responseDone(usage, 'r'),
      )
    }
    const realtime = await opened()
    const received: Buffer[] = []
    realtime.on('response.output_audio.delta', ({ delta }) => received.push(Buffer.from(delta, 'base64')))
    const done = new Promise((resolve) => realtime.on('response.done', resolve))
    realtime.send({ type: 'input_audio_buffer.append', audio: sound })
    realtime.send({ type: 'input_audio_buffer.commit' })
    realtime.send({ type: 'response.create' })
    await done
    expect(Buffer.concat(received)).toEqual(Buffer.alloc(4800, 7))
    realtime.close()
    expect(await record()).toMatchObject({
      other: { audio_input: 60, audio_output: 70 },
      receipt: { estimated: false },
    })
  })

  it('calls tools', async () => {
    upstream.answer = ({ type, item }, session) => {
      if (type === 'response.create' && session.received.length === 2) {
        session.say(
          responseCreated('r'),
          {
            type: 'response.function_call_arguments.done',
            response_id: 'r',
            call_id: 'c1',
            name: 'weather',
            arguments: '{"city":"Bonn"}',
          },
          responseDone(usage, 'r'),
        )
      }
      if (type === 'conversation.item.create') session.say({ type: 'conversation.item.added', item })
    }
    const realtime = await opened()
    const called = new Promise<string>((resolve) =>
      realtime.on('response.function_call_arguments.done', (call) => resolve(call.arguments)),
    )
    const added = new Promise((resolve) => realtime.on('conversation.item.added', resolve))
    const tool = { type: 'function', name: 'weather', parameters: { type: 'object', properties: {} } } as const
    realtime.send({ type: 'session.update', session: { type: 'realtime', tools: [tool] } })
    realtime.send({ type: 'response.create' })
    expect(await called).toBe('{"city":"Bonn"}')
    const output = { type: 'function_call_output', call_id: 'c1', output: '20 degrees' } as const
    realtime.send({ type: 'conversation.item.create', item: output })
    expect(await added).toMatchObject({ item: output })
    realtime.close()
    expect(await record()).toMatchObject({ quota: 5300 })
  })

  it('receives errors of the upstream and of the gateway', async () => {
    const realtime = await opened()
    const errors: { error?: { message?: string; code?: string | null } | undefined }[] = []
    realtime.on('error', (error) => errors.push(error))
    upstream.sessions[0]?.say({ type: 'error', event_id: 'e', error: { type: 't', code: 'theirs', message: 'no' } })
    await until(() => errors.length === 1)
    upstream.sessions[0]?.socket.terminate()
    await until(() => errors.length === 2)
    expect(errors.map(({ error }) => error?.code)).toEqual(['theirs', 'upstream_broke'])
    await record()
  })
})

it('is refused with its status', async () => {
  const realtime = new OpenAIRealtimeWS({ model }, clientOf('sk-wrong'))
  const error = await new Promise<Error>((resolve) => realtime.on('error', resolve))
  expect(error.message).toContain('401')
})

it('speaks the beta', async () => {
  const realtime = new BetaWS({ model }, clientOf())
  await new Promise((resolve) => realtime.on('session.created', resolve))
  expect(upstream.sessions[0]?.headers['openai-beta']).toBe('realtime=v1')
  upstream.sessions[0]?.say(responseCreated(), { type: 'response.text.delta', delta: 'Hi' }, responseDone(usage))
  await new Promise((resolve) => realtime.on('response.done', resolve))
  realtime.close()
  expect(await record()).toMatchObject({ quota: 5300 })
})
