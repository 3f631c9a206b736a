import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import {
  claude,
  eventsIn,
  message,
  messageStream,
  respond,
  response,
  responseStream,
} from '../support/gateway/dialects.ts'
import {
  ask,
  channel,
  gateway,
  lastRecord,
  sentBody,
  upstream,
  useChannels,
  useScene,
} from '../support/gateway/scene.ts'
import { json, stream } from '../support/gateway/upstream.ts'

useScene()

describe('a client of the responses', () => {
  it('gets what its own provider answered, byte for byte', async () => {
    upstream.answer = json(response)
    const answered = await ask(respond, '/v1/responses')
    expect(await answered.text()).toBe(JSON.stringify(response))
    expect(sentBody()).toBe(JSON.stringify(respond))
    expect(lastRecord()).toMatchObject({ promptTokens: 11, completionTokens: 2 })
    upstream.answer = stream(...responseStream)
    const streamed = await ask({ ...respond, stream: true }, '/v1/responses')
    expect(await streamed.text()).toBe(responseStream.join(''))
    expect(lastRecord()).toMatchObject({ promptTokens: 11, completionTokens: 2, isStream: true })
  })

  it('may speak to Anthropic', async () => {
    useChannels(claude())
    upstream.answer = json(message)
    const answered = await ask({ ...respond, model: 'claude-sonnet-4-5' }, '/v1/responses')
    expect(JSON.parse(sentBody())).toEqual({
      model: 'claude-sonnet-4-5',
      max_tokens: 40,
      system: 'Be brief.',
      messages: [{ role: 'user', content: 'hi' }],
    })
    expect(await answered.json()).toMatchObject({
      object: 'response',
      status: 'completed',
      output: [{ type: 'message', content: [{ type: 'output_text', text: 'Hello' }] }],
      usage: { input_tokens: 47, input_tokens_details: { cached_tokens: 30 }, output_tokens: 3 },
    })
    upstream.answer = stream(...messageStream)
    const text = await (await ask({ ...respond, stream: true, model: 'claude-sonnet-4-5' }, '/v1/responses')).text()
    expect(eventsIn(text).map(({ type }) => type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ])
  })

  it('gets an error event when the provider breaks off, which its official client understands', async () => {
    useChannels(claude())
    upstream.answer = stream(
      ...messageStream.slice(0, 4),
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n',
    )
    const request = { ...respond, stream: true, model: 'claude-sonnet-4-5' }
    const text = await (await ask(request, '/v1/responses')).text()
    expect(text).toMatch(/\nevent: error\ndata: .*\n\n$/)
    const message = expect.stringContaining('Overloaded')
    expect(eventsIn(text).at(-1)).toMatchObject({ type: 'error', message, param: null, error: { message } })
    const client = new OpenAI({ apiKey: 'sk-good', baseURL: `${gateway.url}/v1`, maxRetries: 0 })
    await expect(client.responses.stream({ ...respond, model: request.model }).finalResponse()).rejects.toThrow(
      'Overloaded',
    )
  })

  it('reads that only the provider can continue a response that it stores', async () => {
    useChannels(claude())
    const answered = await ask({ ...respond, previous_response_id: 'resp_0' }, '/v1/responses')
    expect(answered.status).toBe(400)
    expect(await answered.json()).toMatchObject({
      error: { message: expect.stringContaining('previous_response_id') },
    })
    expect(upstream.received).toHaveLength(0)
  })
})

describe('a response that its provider keeps', () => {
  const two = () => [
    channel({ id: 1, keys: ['key-one'], models: new Set(['gpt-4o']) }),
    channel({ id: 2, keys: ['key-two', 'key-three'], models: new Set(['gpt-4o']) }),
  ]
  const keyOf = (at: number) => upstream.received.at(at)?.headers.authorization
  const about = (method: string, path: string) =>
    fetch(gateway.url + path, { method, headers: { authorization: 'Bearer sk-good' } })

  it('is continued by the channel and the key that keep it, streamed or not', async () => {
    useChannels(...two())
    upstream.answer = json(response)
    await ask(respond, '/v1/responses')
    for (let time = 0; time < 6; time += 1) await ask({ ...respond, previous_response_id: 'resp_1' }, '/v1/responses')
    expect(new Set(upstream.received.map(({ headers }) => headers.authorization)).size).toBe(1)
    upstream.answer = stream(...responseStream.map((event) => event.replaceAll('resp_1', 'resp_2')))
    await (await ask({ ...respond, stream: true }, '/v1/responses')).text()
    const keeper = keyOf(-1)
    upstream.answer = json(response)
    for (let time = 0; time < 6; time += 1) {
      await ask({ ...respond, previous_response_id: 'resp_2' }, '/v1/responses')
      expect(keyOf(-1)).toBe(keeper)
    }
  })

  it('can be read, listed, cancelled and deleted there, for nothing, by its owner', async () => {
    useChannels(...two())
    upstream.answer = json(response)
    await ask(respond, '/v1/responses')
    const keeper = keyOf(-1)
    const recorded = gateway.parts.recorder.records.length
    upstream.answer = json({ id: 'resp_1', deleted: true })
    for (const [method, path] of [
      ['GET', '/v1/responses/resp_1?include[]=x'],
      ['GET', '/v1/responses/resp_1/input_items'],
      ['POST', '/v1/responses/resp_1/cancel'],
      ['DELETE', '/v1/responses/resp_1'],
    ] as const) {
      expect(await (await about(method, path)).json()).toEqual({ id: 'resp_1', deleted: true })
      expect([upstream.received.at(-1)?.path, keyOf(-1)]).toEqual([path, keeper])
    }
    expect(gateway.parts.recorder.records).toHaveLength(recorded)
    await about('GET', '/v1/responses/resp_1?key=sk-good&include[]=x')
    expect(upstream.received.at(-1)?.path).toBe('/v1/responses/resp_1?include%5B%5D=x')
    const seen = upstream.received.length
    const unknown = await about('GET', '/v1/responses/resp_9')
    expect(unknown.status).toBe(404)
    expect(await unknown.json()).toMatchObject({ error: { message: expect.stringContaining('resp_9') } })
    expect(upstream.received).toHaveLength(seen)
  })

  it('is not remembered when the client asks for that', async () => {
    useChannels(...two())
    upstream.answer = json(response)
    await ask({ ...respond, store: false }, '/v1/responses')
    expect((await about('GET', '/v1/responses/resp_1')).status).toBe(404)
  })
})
