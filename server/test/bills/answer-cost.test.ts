import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { dollarsOf } from '../../src/billing/amounts/dollars.ts'
import { listPrice, priceOf } from '../support/billing/price.ts'
import {
  claude,
  contents,
  gemini,
  generated,
  generatedStream,
  message,
  messageStream,
  named,
  question,
  respond,
  response,
  responseStream,
} from '../support/gateway/dialects.ts'
import { testToken } from '../support/gateway/listener.ts'
import {
  channel,
  gateway,
  hi,
  hiStream,
  lastRecord,
  reopenGateway,
  until,
  upstream,
  useChannels,
  useScene,
} from '../support/gateway/scene.ts'
import { chunk, completion, done, json, type Received, stream, usageChunk } from '../support/gateway/upstream.ts'
import { testOptions, testPrices } from '../support/relay/ports.ts'

/** Costs in answers: in every dialect the amount that the ledger books, and only for callers who asked for it. */

useScene()

const asking = { 'x-tollgate-include-cost': 'true' }

const call = (path: string, body: object, headers: Record<string, string> = asking): Promise<Response> =>
  fetch(gateway.url + path, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-good', 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

/** Every cost that an answer says, as it is written. */
const costsIn = (text: string): string[] => [...text.matchAll(/"cost":([^,}]*)/g)].map(([, cost]) => cost ?? '')

const charged = (): string => {
  const { receipt } = lastRecord() ?? {}
  if (receipt === undefined) throw new Error('nothing was charged')
  return dollarsOf(receipt)
}

const expectTold = (text: string): void => {
  expect(lastRecord()?.quota).toBeGreaterThan(0)
  expect(costsIn(text)).toEqual([charged()])
  expect(text).toContain(`"receipt":"${lastRecord()?.id}"`)
}

const openai = () => channel()
const gatewaysOwn = { prompt_tokens: 10, completion_tokens: 5, cost: 9.5, cost_details: { upstream: 9 }, receipt: 'x' }
const stating = { ...completion('hello'), usage: gatewaysOwn }
const geminiPath = '/v1beta/models/gemini-2.5-flash'

const whole = [
  ['chat', '/v1/chat/completions', hi, openai, json(completion('hello'))],
  ['chat without usage', '/v1/chat/completions', hi, openai, json({ ...completion('hello'), usage: null })],
  ['chat of a gateway that states its cost', '/v1/chat/completions', hi, openai, json(stating)],
  ['chat at Claude', '/v1/chat/completions', hi, claude, json(message)],
  ['completions', '/v1/completions', { model: 'gpt-4o', prompt: 'a' }, openai, json(completion('hello'))],
  ['messages', '/v1/messages', question, claude, json(message)],
  ['messages at OpenAI', '/v1/messages', question, openai, json(completion('hello'))],
  ['responses', '/v1/responses', respond, openai, json(response)],
  ['responses at Claude', '/v1/responses', respond, claude, json(message)],
  ['generateContent', `${geminiPath}:generateContent`, contents, gemini, json(generated)],
  ['generateContent at OpenAI', `${geminiPath}:generateContent`, contents, openai, json(completion('hello'))],
  [
    'Converse',
    '/model/claude-sonnet-4-5/converse',
    { messages: [{ role: 'user', content: [{ text: 'hi' }] }] },
    claude,
    json(message),
  ],
  [
    'embeddings',
    '/v1/embeddings',
    { model: 'e', input: 'x' },
    openai,
    json({ data: [{ index: 0, embedding: [0.5] }], usage: { prompt_tokens: 2, total_tokens: 2 } }),
  ],
  [
    'embeddings of Gemini',
    '/v1beta/models/e:embedContent',
    { content: { parts: [{ text: 'x' }] } },
    openai,
    json({ data: [{ index: 0, embedding: [0.5] }], usage: { prompt_tokens: 2, total_tokens: 2 } }),
  ],
  [
    'rerank',
    '/v1/rerank',
    { model: 'r', query: 'a', documents: ['b'] },
    openai,
    json({ results: [{ index: 0, relevance_score: 0.5 }], usage: { prompt_tokens: 3, total_tokens: 3 } }),
  ],
  [
    'rerank of Cohere',
    '/v2/rerank',
    { model: 'r', query: 'a', documents: ['b'] },
    openai,
    json({ results: [{ index: 0, relevance_score: 0.5 }], usage: { prompt_tokens: 3, total_tokens: 3 } }),
  ],
  [
    'pictures',
    '/v1/images/generations',
    { model: 'dall-e-3', prompt: 'a' },
    openai,
    json({ created: 1, data: [{ url: 'https://x.test/1.png' }] }),
  ],
] as const

describe('a whole answer', () => {
  it.each(whole)('of %s says its cost in body and head', async (_name, path, body, at, answer) => {
    useChannels(at())
    upstream.answer = answer
    const answered = await call(path, body)
    const text = await answered.text()
    expect(answered.status).toBe(200)
    expectTold(text)
    expect(answered.headers.get('x-tollgate-cost')).toBe(charged())
    expect(answered.headers.get('x-tollgate-receipt')).toBe(lastRecord()?.id)
    expect(lastRecord()?.receipt?.call).toMatchObject({ path: expect.any(String), model: expect.any(String) })
    expect(text).not.toContain('cost_details')
  })

  it('keeps every other byte where its vectors are long, and their usage is not at the end', async () => {
    const vectors = JSON.stringify(Array.from({ length: 9000 }, (_, at) => at / 7))
    const usage = '"usage":{"prompt_tokens":2,"total_tokens":2}'
    for (const text of [
      `{"data":[{"embedding":${vectors}}],${usage}}`,
      `{${usage},"data":[{"embedding":${vectors}}]}`,
    ]) {
      upstream.answer = ({ response: to }) =>
        void to.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length }).end(text)
      const answered = await call('/v1/embeddings', { model: 'e', input: 'x' })
      const addition = `,"cost":${charged()},"receipt":"${lastRecord()?.id}"`
      expect(await answered.text()).toBe(text.replace(usage, `${usage.slice(0, -1)}${addition}}`))
    }
  })

  it('keeps every other byte', async () => {
    const text =
      '{"id": "x",\n "choices":[{"message":{"content":"a\\u0062"}}], "usage" : {"prompt_tokens":1e1,"completion_tokens":5} }'
    upstream.answer = ({ response: to }) => void to.writeHead(200, { 'content-type': 'application/json' }).end(text)
    const answered = await (await call('/v1/chat/completions', hi)).text()
    expect(answered).toBe(
      text.replace(
        '"completion_tokens":5}',
        `"completion_tokens":5,"cost":${charged()},"receipt":"${lastRecord()?.id}"}`,
      ),
    )
  })
})

const upstreamError = named('error', { error: { type: 'overloaded_error', message: 'Overloaded' } })

const streams = [
  ['chat', '/v1/chat/completions', hiStream, openai, stream(chunk('a'), chunk('b'), usageChunk(1, 2), done)],
  [
    'chat that asks for usage',
    '/v1/chat/completions',
    { ...hiStream, stream_options: { include_usage: true } },
    openai,
    stream(chunk('a'), usageChunk(1, 2), ': ping\n\n', done),
  ],
  [
    'chat in one piece',
    '/v1/chat/completions',
    hiStream,
    openai,
    stream([chunk('a'), usageChunk(1, 2), done].join('')),
  ],
  ['chat that was answered whole', '/v1/chat/completions', hiStream, openai, json(completion('hello'))],
  [
    'chat of a gateway that states its cost',
    '/v1/chat/completions',
    { ...hiStream, stream_options: { include_usage: true } },
    openai,
    stream(
      chunk('a'),
      `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'b' } }], usage: gatewaysOwn })}\n\n`,
      `data: ${JSON.stringify({ choices: [], usage: gatewaysOwn })}\n\n`,
      done,
    ),
  ],
  ['chat at Claude', '/v1/chat/completions', hiStream, claude, stream(...messageStream)],
  [
    'completions',
    '/v1/completions',
    { model: 'gpt-4o', prompt: 'a', stream: true },
    openai,
    stream(chunk('a'), usageChunk(1, 2), done),
  ],
  ['messages', '/v1/messages', { ...question, stream: true }, claude, stream(...messageStream)],
  [
    'messages at OpenAI',
    '/v1/messages',
    { ...question, stream: true },
    openai,
    stream(chunk('a'), usageChunk(1, 2), done),
  ],
  ['responses', '/v1/responses', { ...respond, stream: true }, openai, stream(...responseStream)],
  ['responses at Claude', '/v1/responses', { ...respond, stream: true }, claude, stream(...messageStream)],
  ['generateContent', `${geminiPath}:streamGenerateContent?alt=sse`, contents, gemini, stream(...generatedStream)],
  ['generateContent as a list', `${geminiPath}:streamGenerateContent`, contents, gemini, stream(...generatedStream)],
  [
    'generateContent at OpenAI',
    `${geminiPath}:streamGenerateContent?alt=sse`,
    contents,
    openai,
    stream(chunk('a'), usageChunk(1, 2), done),
  ],
  [
    'pictures',
    '/v1/images/generations',
    { model: 'dall-e-3', prompt: 'a', stream: true },
    openai,
    stream(
      named('image_generation.partial_image', { b64_json: 'AA' }),
      named('image_generation.completed', { b64_json: 'AA' }),
    ),
  ],
  [
    'messages that break off',
    '/v1/messages',
    { ...question, stream: true },
    claude,
    stream(...messageStream.slice(0, 4)),
  ],
  [
    'messages that end in an error',
    '/v1/messages',
    { ...question, stream: true },
    claude,
    stream(...messageStream.slice(0, 4), upstreamError),
  ],
  ['chat that breaks off', '/v1/chat/completions', hiStream, openai, stream(chunk('a'), chunk('b'))],
  [
    'responses that break off',
    '/v1/responses',
    { ...respond, stream: true },
    openai,
    stream(...responseStream.slice(0, 2)),
  ],
] as const

describe('a stream', () => {
  it.each(streams)('of %s says its cost once', async (_name, path, body, at, answer) => {
    useChannels(at())
    upstream.answer = answer
    const answered = await call(path, body)
    const text = await answered.text()
    expectTold(text)
    expect(answered.headers.get('x-tollgate-receipt')).toBe(lastRecord()?.id)
    expect(text).not.toContain('cost_details')
  })

  it('is the upstream’s but for the cost', async () => {
    useChannels(claude())
    upstream.answer = stream(...messageStream)
    const withCost = await (await call('/v1/messages', { ...question, stream: true })).text()
    const addition = `,"cost":${charged()},"receipt":"${lastRecord()?.id}"`
    expect(withCost.replace(addition, '')).toBe(messageStream.join(''))
  })

  it('comes piece by piece: only the report of what was used waits', async () => {
    let upstreamEnd = () => {}
    upstream.answer = ({ response: to }) => {
      to.writeHead(200, { 'content-type': 'text/event-stream' })
      to.write(chunk('a'))
      upstreamEnd = () => to.end(usageChunk(1, 2) + done)
    }
    const answered = await call('/v1/chat/completions', hiStream)
    const reader = answered.body?.getReader()
    const first = await reader?.read()
    expect(Buffer.from(first?.value ?? []).toString()).toBe(chunk('a'))
    upstreamEnd()
    let rest = ''
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read())
      rest += Buffer.from(part.value).toString()
    expectTold(rest)
    expect(rest.endsWith(done)).toBe(true)
  })

  it('over a WebSocket says the cost of each turn', async () => {
    useChannels(claude())
    upstream.answer = stream(...messageStream)
    const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/v1/responses`, {
      headers: { authorization: 'Bearer sk-good', ...asking },
    })
    const messages: string[] = []
    socket.on('message', (data) => messages.push(data.toString()))
    await once(socket, 'open')
    for (const turn of [1, 2]) {
      messages.length = 0
      socket.send(JSON.stringify({ type: 'response.create', model: 'claude-sonnet-4-5', input: 'a', store: false }))
      await until(() => messages.some((each) => each.includes('response.completed')))
      expect(gateway.parts.recorder.records.length).toBe(turn)
      expectTold(messages.join('\n'))
    }
    socket.close()
  })
})

describe('sound', () => {
  const sound = Buffer.from([0xff, 0xfb, 0x90, 0, 1, 2, 3, 0x80])
  const sounds = ({ response: to }: Received): void =>
    void to.writeHead(200, { 'content-type': 'audio/mpeg' }).end(sound)
  const speech = { model: 'tts-1', input: 'Hello', voice: 'alloy' }

  /** Head, bytes and trailers, as they come over the wire. */
  const raw = async (body: object, seen: (bytes: Buffer) => void = () => {}) => {
    const asked = request(`${gateway.url}/v1/audio/speech`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-good', 'content-type': 'application/json', ...asking },
    })
    asked.end(JSON.stringify(body))
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    const parts: Buffer[] = []
    for await (const part of answer) {
      parts.push(part as Buffer)
      seen(part as Buffer)
    }
    return { headers: answer.headers, trailers: answer.trailers, bytes: Buffer.concat(parts) }
  }

  it('that is billed by its text has its cost in the head', async () => {
    await reopenGateway({ prices: testPrices(priceOf('tts-1')) })
    useChannels(channel())
    upstream.answer = sounds
    const answered = await raw(speech)
    expect(answered.bytes).toEqual(sound)
    expect(lastRecord()?.quota).toBeGreaterThan(0)
    expect(answered.headers['x-tollgate-cost']).toBe(charged())
    expect(answered.trailers).toEqual({})
  })

  it('goes out as it comes, whichever way it is billed', async () => {
    for (const price of [priceOf('tts-1'), listPrice({ input: 0.6, output: 12 })]) {
      await reopenGateway({ prices: testPrices(price) })
      useChannels(channel())
      let rest = (): void => {}
      upstream.answer = ({ response: to }) => {
        to.writeHead(200, { 'content-type': 'audio/mpeg' }).write(sound)
        rest = () => void to.end(sound)
      }
      // The provider says the rest when the client has the beginning.
      const { bytes } = await raw(speech, () => rest())
      expect(bytes).toEqual(Buffer.concat([sound, sound]))
    }
  })

  it('that is billed by its length has its cost behind it', async () => {
    await reopenGateway({ prices: testPrices(listPrice({ input: 0.6, output: 12 })) })
    useChannels(channel())
    upstream.answer = sounds
    const { headers, trailers, bytes } = await raw({ ...speech, model: 'gpt-4o-mini-tts' })
    expect(bytes).toEqual(sound)
    expect(lastRecord()?.quota).toBeGreaterThan(0)
    expect(headers).toMatchObject({ trailer: 'X-Tollgate-Cost', 'x-tollgate-receipt': lastRecord()?.id })
    expect(headers['x-tollgate-cost']).toBeUndefined()
    expect(trailers).toEqual({ 'x-tollgate-cost': charged() })
  })

  it('has its cost behind it where the upstream has another model', async () => {
    await reopenGateway({ prices: testPrices(priceOf('tts-1')) })
    useChannels(channel({ modelMapping: new Map([['tts-1', 'voice']]) }))
    upstream.answer = sounds
    const { headers, trailers } = await raw(speech)
    expect(headers['x-tollgate-cost']).toBeUndefined()
    expect(trailers).toEqual({ 'x-tollgate-cost': charged() })
  })

  it('that broke off says what its beginning cost, as the ledger does', async () => {
    await reopenGateway({ prices: testPrices(priceOf('tts-1')) })
    useChannels(channel())
    let broken = (): void => {}
    upstream.answer = ({ response: to }) => {
      to.writeHead(200, { 'content-type': 'audio/mpeg' }).write(sound)
      broken = () => void to.destroy()
    }
    const answered = await call('/v1/audio/speech', speech)
    broken()
    await expect(answered.arrayBuffer()).rejects.toThrow()
    await until(() => lastRecord() !== undefined)
    expect(answered.headers.get('x-tollgate-cost')).toBe(charged())
  })

  it('of a client of HTTP/1.0 comes without a cost behind it', async () => {
    await reopenGateway({ prices: testPrices(listPrice({ input: 0.6, output: 12 })) })
    useChannels(channel())
    upstream.answer = sounds
    const { hostname, port } = new URL(gateway.url)
    const socket = connect(Number(port), hostname)
    const body = JSON.stringify({ ...speech, model: 'gpt-4o-mini-tts' })
    const head = ['POST /v1/audio/speech HTTP/1.0', 'Authorization: Bearer sk-good', 'X-Tollgate-Include-Cost: true']
    socket.write(`${head.join('\r\n')}\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
    let text = ''
    for await (const part of socket) text += (part as Buffer).toString('latin1')
    expect(text).toMatch(/^HTTP\/1\.1 200/)
    expect(text.endsWith(sound.toString('latin1'))).toBe(true)
  })
})

describe('who asks', () => {
  const saysCost = async (headers: Record<string, string>): Promise<boolean> => {
    const text = await (await call('/v1/chat/completions', hi, headers)).text()
    return costsIn(text).length > 0
  }

  it('is the call, or its key', async () => {
    expect(await saysCost({})).toBe(false)
    expect(lastRecord()?.receipt?.call).toBeUndefined()
    expect(await saysCost({ 'x-tollgate-include-cost': 'false' })).toBe(false)
    expect(await saysCost(asking)).toBe(true)
    gateway.tokens.set('good', { ...testToken, includeCost: true })
    expect(await saysCost({})).toBe(true)
    expect(await saysCost({ 'x-tollgate-include-cost': 'false' })).toBe(false)
  })

  it('does not learn in headers what a gateway behind this one took', async () => {
    const headers = { 'x-tollgate-cost': '9.5', 'x-tollgate-receipt': 'inner' }
    upstream.answer = json(completion('hello'), 200, headers)
    const plain = await call('/v1/chat/completions', hi, {})
    expect([plain.headers.get('x-tollgate-cost'), plain.headers.get('x-tollgate-receipt')]).toEqual([null, null])
    const answered = await call('/v1/chat/completions', hi)
    expect(answered.headers.get('x-tollgate-cost')).toBe(charged())
  })

  it('learns the cost of an answer that was charged and withheld for a blocked word', async () => {
    gateway.parts.settings = { ...testOptions, answerCheck: { words: ['hello'], stop: true, hold: 0 } }
    const answered = await call('/v1/chat/completions', hi)
    expect(answered.status).toBeGreaterThanOrEqual(400)
    expect(answered.headers.get('x-tollgate-cost')).toBe(charged())
  })
})
