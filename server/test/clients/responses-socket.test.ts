import { once } from 'node:events'
import OpenAI from 'openai'
import { ResponsesWS } from 'openai/resources/responses/ws'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { claude, message, messageStream, responseStream } from '../support/gateway/dialects.ts'
import { testToken } from '../support/gateway/listener.ts'
import {
  channel,
  gateway,
  holdEnds,
  sentBody,
  until,
  upstream,
  useChannels,
  useScene,
} from '../support/gateway/scene.ts'
import { json, stream } from '../support/gateway/upstream.ts'

useScene()

type Event = Record<string, unknown> & { type: string }

/** A bare client that collects what it reads. */
const open = async (key = 'sk-good', path = '/v1/responses') => {
  const socket = new WebSocket(gateway.url.replace('http', 'ws') + path, {
    headers: { authorization: `Bearer ${key}` },
  })
  const events: Event[] = []
  socket.on('message', (data) => events.push(JSON.parse(data.toString())))
  await once(socket, 'open')
  const closed = once(socket, 'close').then(([code]) => code as number)
  return {
    socket,
    events,
    closed,
    say: (event: object) => socket.send(JSON.stringify({ type: 'response.create', ...event })),
    /** The answer of a turn, once its last event has come. */
    async turn(event: object): Promise<Event[]> {
      const from = events.length
      socket.send(JSON.stringify({ type: 'response.create', ...event }))
      await until(() => events.slice(from).some(({ type }) => type === 'response.completed' || type === 'error'))
      return events.slice(from)
    },
  }
}

const idOf = (events: readonly Event[]): string => {
  const { id } = (events.at(-1)?.response ?? {}) as { id?: string }
  return id ?? ''
}
const model = 'claude-sonnet-4-5'
const sentTexts = (): string =>
  (JSON.parse(sentBody()) as { messages: { content: string | { text: string }[] }[] }).messages
    .map(({ content }) => (typeof content === 'string' ? content : content.map(({ text }) => text).join('')))
    .join('|')

const claudeSays = (id: string) => stream(...messageStream.map((event) => event.replaceAll('msg_1', id)))

describe('responses over a WebSocket', () => {
  it('name no model that their key may not use', async () => {
    gateway.tokens.set('good', { ...testToken, modelLimits: new Set(['gpt-4o']) })
    const { turn, socket } = await open()
    const drawing = { type: 'image_generation', model: 'dear' }
    for (const members of [{ models: ['dear'] }, { tools: [drawing] }, { extra_body: { model: 'dear' } }]) {
      const [refused] = await turn({ model: 'gpt-4o', input: 'x', ...members })
      expect(refused).toMatchObject({ type: 'error', status: 403 })
    }
    expect(upstream.received).toEqual([])
    socket.close()
  })

  it('answer OpenAI’s own client, turn after turn with its new input only', async () => {
    useChannels(claude())
    const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'sk-good' })
    const socket = new ResponsesWS(client)
    const ids: string[] = []
    const texts: string[] = []
    socket.on('response.output_text.delta', ({ delta }) => texts.push(delta))
    socket.on('response.completed', (event) => ids.push(event.response.id))
    upstream.answer = claudeSays('msg_1')
    socket.send({ type: 'response.create', model, input: 'a', store: false })
    await until(() => ids.length === 1)
    upstream.answer = claudeSays('msg_2')
    socket.send({ type: 'response.create', model, input: 'b', store: false, previous_response_id: ids[0] ?? '' })
    await until(() => ids.length === 2)
    expect(sentTexts()).toBe('a|Say "message_stop"|b')
    expect(texts.join('')).toBe('Say "message_stop"'.repeat(2))
    socket.close()
    expect(gateway.parts.recorder.records).toMatchObject([
      { kind: 'charge', promptTokens: 47, completionTokens: 3, isStream: true },
      { kind: 'charge', promptTokens: 47, completionTokens: 3, isStream: true },
    ])
    expect(holdEnds()).not.toContain('held')
  })

  it('pass the events of a provider of responses as they came', async () => {
    const client = await open()
    upstream.answer = stream(...responseStream)
    const events = await client.turn({ model: 'gpt-4o', input: 'a' })
    expect(events.map(({ type }) => type)).toEqual([
      'response.created',
      'response.output_text.delta',
      'response.completed',
    ])
    expect(JSON.parse(sentBody())).toEqual({ model: 'gpt-4o', input: 'a', stream: true })
    // It stores the response, so it gets the id.
    await client.turn({ model: 'gpt-4o', input: 'b', previous_response_id: idOf(events) })
    expect(JSON.parse(sentBody())).toMatchObject({ previous_response_id: 'resp_1', input: 'b' })
    // Of one that is not stored only the socket knows.
    await client.turn({ model: 'gpt-4o', input: 'c', store: false })
    await client.turn({ model: 'gpt-4o', input: 'd', store: false, previous_response_id: 'resp_1' })
    client.socket.close()
  })

  it('keep what store: false leaves out to the socket, and what is stored for all', async () => {
    useChannels(claude())
    const [one, two] = [await open(), await open()]
    upstream.answer = claudeSays('msg_1')
    await one.turn({ model, input: 'a', store: false })
    expect(await two.turn({ model, input: 'b', previous_response_id: 'msg_1' })).toMatchObject([
      { type: 'error', status: 400, error: { code: 'previous_response_not_found' } },
    ])
    upstream.answer = claudeSays('msg_2')
    await one.turn({ model, input: 'b', previous_response_id: 'msg_1' })
    upstream.answer = claudeSays('msg_3')
    await two.turn({ model, input: 'c', store: false })
    for (const { socket } of [one, two]) socket.close()
  })

  it('are prepared without a call, and repeat the name of their stream', async () => {
    useChannels(claude())
    const client = await open()
    const prepared = await client.turn({ model, input: 'a', generate: false, store: false, stream_id: 's1' })
    expect(prepared).toMatchObject([{ stream_id: 's1' }, { type: 'response.completed', stream_id: 's1' }])
    expect(upstream.received).toHaveLength(0)
    upstream.answer = claudeSays('msg_1')
    const events = await client.turn({ model, input: 'b', previous_response_id: idOf(prepared), stream_id: 's1' })
    expect(sentTexts()).toMatch(/^a\|?b$/)
    expect(events.every(({ stream_id }) => stream_id === 's1')).toBe(true)
    client.socket.close()
  })

  it('are refused one by one, in words, while the socket goes on', async () => {
    useChannels(claude())
    const client = await open()
    client.socket.send(JSON.stringify({ type: 'response.steer', input: 'x' }))
    client.socket.send('no json')
    client.say({ input: 'a' })
    await until(() => client.events.length === 3)
    expect(client.events).toMatchObject([
      { type: 'error', status: 400, error: { message: expect.stringContaining('response.steer') } },
      { type: 'error', status: 400, error: { message: expect.stringContaining('JSON') } },
      { type: 'error', status: 400, error: { message: expect.stringContaining('model is required') } },
    ])
    upstream.answer = json({ error: { type: 'overloaded_error', message: 'Overloaded' } }, 529)
    expect(await client.turn({ model, input: 'a' })).toMatchObject([
      { type: 'error', error: { message: expect.stringContaining('Overloaded') } },
    ])
    upstream.answer = claudeSays('msg_1')
    expect((await client.turn({ model, input: 'a' })).at(-1)).toMatchObject({ type: 'response.completed' })
    client.socket.close()
  })

  it('stop with their client, who pays what came', async () => {
    useChannels(claude())
    const client = await open()
    upstream.answer = ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const event of messageStream.slice(0, 4)) response.write(event)
    }
    client.say({ model, input: 'a' })
    await until(() => client.events.some(({ type }) => type === 'response.output_text.delta'))
    client.socket.close()
    await gateway.listener.over()
    expect(gateway.parts.recorder.records).toMatchObject([{ kind: 'charge', other: { end: 'client_gone' } }])
    expect(holdEnds()).not.toContain('held')
  })

  it('need a good key, at the handshake and for every turn', async () => {
    const refused = new WebSocket(`${gateway.url.replace('http', 'ws')}/v1/responses`)
    const [, response] = await once(refused, 'unexpected-response')
    expect(response.statusCode).toBe(401)
    refused.on('error', () => {})
    refused.terminate()
    const client = await open()
    gateway.tokens.set('good', { ...testToken, status: 2 })
    expect(await client.turn({ model: 'gpt-4o', input: 'a' })).toMatchObject([{ type: 'error', status: 401 }])
    gateway.tokens.set('good', testToken)
    client.socket.close()
  })

  it('end when the process does, after the turn that runs', async () => {
    useChannels(channel())
    const [idle, busy] = [await open(), await open()]
    upstream.answer = ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(responseStream[0])
      setTimeout(() => response.end(responseStream.slice(1).join('')), 50)
    }
    busy.say({ model: 'gpt-4o', input: 'a' })
    await until(() => busy.events.length > 0)
    gateway.listener.endSessions('soon')
    expect(await idle.closed).toBe(1001)
    expect(await busy.closed).toBe(1001)
    expect(busy.events.at(-1)?.type).toBe('response.completed')
  })
})

it('reads its messages of one turn from a whole answer, too', async () => {
  useChannels(claude())
  const client = await open()
  upstream.answer = json(message)
  expect((await client.turn({ model, input: 'a' })).at(-1)).toMatchObject({ type: 'response.completed' })
  client.socket.close()
})
