import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import OpenAI, { RateLimitError } from 'openai'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { RelayChannel } from '../relay/ports.ts'
import { openTestChannels, testChannel, testOptions } from '../relay/testing-ports.ts'
import { openTestDoor, type TestDoor } from './testing-door.ts'
import {
  chunk,
  completion,
  done,
  json,
  openTestUpstream,
  stream,
  type TestUpstream,
  usageChunk,
} from './testing-upstream.ts'

let upstream: TestUpstream
let door: TestDoor

const channel = (changes: Partial<RelayChannel> = {}): RelayChannel =>
  testChannel({ baseUrl: upstream.url, ...changes })

beforeEach(async () => {
  upstream = await openTestUpstream()
  door = await openTestDoor({ relay: { channels: openTestChannels(channel()), keepAliveMs: 30 } })
})
afterEach(async () => {
  await door.close()
  await upstream.close()
})

const useChannels = (...channels: readonly RelayChannel[]): void => {
  door.parts.channels.list.splice(0, Number.POSITIVE_INFINITY, ...channels)
}

const ask = (body: string | Record<string, unknown>, path = '/v1/chat/completions'): Promise<Response> =>
  fetch(door.url + path, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-good', 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

const hi = { model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] }
const hiStream = { ...hi, stream: true }
const lastRecord = () => door.parts.recorder.records.at(-1)
const holdEnds = () => [...door.parts.holds.ends.values()].map(({ end }) => end)
const sentBody = (): string => upstream.received.at(-1)?.body.toString() ?? ''

/** A streamed call whose bytes the test reads itself. */
const openStream = async (body: Record<string, unknown> = hiStream): Promise<IncomingMessage> => {
  const call = request(`${door.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-good' },
    agent: false,
  })
  call.on('error', () => {})
  call.end(JSON.stringify(body))
  const [response] = (await once(call, 'response')) as [IncomingMessage]
  return response
}

const until = async (fact: () => boolean): Promise<void> => {
  while (!fact()) await new Promise((resolve) => setTimeout(resolve, 5))
}

describe('the body that goes upstream', () => {
  it('is the bytes that came when nothing has to change', async () => {
    const body =
      '{ "model":"gpt-4o",\n"messages":[{"role":"user","content":"\\u0068i"}], "top_p":0.0, "x_new":{"a":1E2}, "seed":0 }'
    await ask(body)
    expect(sentBody()).toBe(body)
    expect(upstream.received[0]?.headers).toMatchObject({
      authorization: 'Bearer channel-key',
      'content-type': 'application/json',
      'accept-encoding': 'identity',
    })
  })

  it('has the mapped model and the forced usage, and else the bytes that came', async () => {
    useChannels(
      channel({
        modelMapping: new Map([
          ['gpt-4o', 'a'],
          ['a', 'b'],
        ]),
      }),
    )
    upstream.answer = stream(chunk('x'), usageChunk(1, 2), done)
    const response = await ask('{"model":"gpt-4o", "stream":true,"top_p":1.0,"messages":[]}')
    expect(sentBody()).toBe(
      '{"model":"b", "stream":true,"top_p":1.0,"messages":[],"stream_options":{"include_usage":true}}',
    )
    expect(await response.text()).toBe(chunk('x') + done)
    expect(lastRecord()).toMatchObject({
      model: 'gpt-4o',
      promptTokens: 1,
      completionTokens: 2,
      other: { is_model_mapped: true, upstream_model_name: 'b' },
    })
  })

  it('gets the channel’s overrides, except for embeddings', async () => {
    useChannels(channel({ paramOverride: { temperature: 0, user: 'x' } }))
    await ask(hi)
    expect(JSON.parse(sentBody())).toEqual({ ...hi, temperature: 0, user: 'x' })
    await ask({ model: 'e', input: 'x' }, '/v1/embeddings')
    expect(JSON.parse(sentBody())).toEqual({ model: 'e', input: 'x' })
  })

  it('is never touched in pass-through mode', async () => {
    door.parts.settings = { ...testOptions, passThrough: true }
    useChannels(channel({ modelMapping: new Map([['gpt-4o', 'b']]), paramOverride: { a: 1 } }))
    const body = JSON.stringify(hiStream)
    await ask(body)
    expect(sentBody()).toBe(body)
  })

  it('makes the system message of a reasoning model a developer message', async () => {
    await ask(
      '{"model":"o3-mini-low","temperature":1,"messages":[{"content":"s","role":"system"},{"role":"user","content":"1.0"}]}',
    )
    expect(sentBody()).toBe(
      '{"model":"o3-mini","messages":[{"content":"s","role":"developer"},{"role":"user","content":"1.0"}],"reasoning_effort":"low"}',
    )
    expect(lastRecord()?.other).toMatchObject({ reasoning_effort: 'low', upstream_model_name: 'o3-mini' })
  })

  it('does not carry a key of the query on', async () => {
    await fetch(`${door.url}/v1/chat/completions?key=good&a=1`, { method: 'POST', body: JSON.stringify(hi) })
    expect(upstream.received[0]?.path).toBe('/v1/chat/completions?a=1')
  })

  it('refuses a mapping that runs in a circle', async () => {
    useChannels(
      channel({
        modelMapping: new Map([
          ['gpt-4o', 'a'],
          ['a', 'gpt-4o'],
        ]),
      }),
    )
    const response = await ask(hi)
    expect(response.status).toBe(500)
    expect(await response.json()).toMatchObject({ error: { code: 'model_mapped_error' } })
    expect(holdEnds()).toEqual(['released'])
  })
})

describe('channels', () => {
  const failing = (ids: readonly number[], status: number) => {
    upstream.answer = (call) => {
      const id = Number(call.headers.authorization?.slice('Bearer '.length))
      if (ids.includes(id)) json({ error: { message: `no ${id}`, type: 't' } }, status)(call)
      else json(completion('hello'))(call)
    }
  }
  const three = () => [1, 2, 3].map((id) => channel({ id, keys: [String(id)], priority: -id }))

  it('are tried by priority, never one twice, and the log tells the way', async () => {
    door.parts.settings = { ...testOptions, retryTimes: 5 }
    useChannels(...three())
    failing([1, 2], 500)
    expect((await ask(hi)).status).toBe(200)
    expect(lastRecord()).toMatchObject({
      channelId: 3,
      other: {
        admin_info: {
          use_channel: ['1', '2', '3'],
          attempts: [{ channel: 1, status: 500 }, { channel: 2 }, { error: '' }],
        },
      },
    })
    expect(door.parts.channels.reports.map((report) => report.failure?.status)).toEqual([500, 500, undefined])
    failing([1, 2, 3], 503)
    expect((await ask(hi)).status).toBe(503)
    expect(upstream.received).toHaveLength(6)
    expect(holdEnds()).toEqual([expect.any(Number), 'released'])
  })

  it.each([
    [400, 1],
    [401, 2],
    [408, 1],
    [429, 2],
    [500, 2],
    [504, 1],
  ])('after %i there are %i attempts', async (status, attempts) => {
    door.parts.settings = { ...testOptions, retryTimes: 1 }
    useChannels(...three())
    failing([1, 2, 3], status)
    expect((await ask(hi)).status).toBe(status)
    expect(upstream.received).toHaveLength(attempts)
  })

  it('change the status of an answer before the retry is decided', async () => {
    door.parts.settings = { ...testOptions, retryTimes: 1 }
    useChannels(...three().map((each) => ({ ...each, statusCodeMapping: new Map([[400, 500]]) })))
    failing([1], 400)
    expect((await ask(hi)).status).toBe(200)
  })

  it('that answer 200 with an error have failed', async () => {
    upstream.answer = json({ error: { message: 'soft', type: 'x', code: 7 } })
    const response = await ask(hi)
    expect(response.status).toBe(502)
    expect(await response.json()).toMatchObject({
      error: { message: expect.stringMatching(/^soft /), type: 'x', code: 7 },
    })
    upstream.answer = stream('data: {"error":{"message":"soft","type":"x"}}\n\n')
    expect((await ask(hiStream)).status).toBe(502)
    expect(holdEnds()).toEqual(['released', 'released'])
  })

  it('do not show their key or address', async () => {
    upstream.answer = json({ error: { message: `key channel-key at ${upstream.url}/v1 sk-abcdefghijklmnop1234` } }, 401)
    const body = (await (await ask(hi)).json()) as { error: { message: string } }
    expect(body.error.message).toMatch(/^key \*\*\* at \*\*\*\/v1 \*\*\* \(request id/)
  })

  it('that vanish before the call is sent are nobody’s fault', async () => {
    useChannels()
    const response = await ask(hi)
    expect(response.status).toBe(503)
    expect(await response.json()).toEqual({
      error: {
        message: expect.stringMatching(/^当前分组 default 下对于模型 gpt-4o 无可用渠道 \(request id: /),
        type: 'new_api_error',
      },
    })
    expect(lastRecord()).toMatchObject({ kind: 'error', other: { error_code: 'no_available_channel', status: 503 } })
  })
})

describe('a stream', () => {
  it('forwards each event as it comes and ends only when the call is recorded', async () => {
    let write = (_: string): void => {}
    upstream.answer = ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.flushHeaders()
      write = (text) => response.write(text)
    }
    let recorded = (): void => {}
    door.parts.recorder.beforeEnd = () => new Promise((resolve) => (recorded = resolve))
    const opened = openStream()
    await until(() => upstream.received.length === 1)
    write(chunk('one'))
    const response = await opened
    let text = ''
    response.on('data', (data: Buffer) => (text += data))
    await until(() => text.includes('one'))
    write(chunk('two').slice(0, 30))
    write(chunk('two').slice(30))
    await until(() => text.includes('two'))
    write(usageChunk(3, 4) + done)
    upstream.received[0]?.response.end()
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(text).toBe(chunk('one') + chunk('two'))
    recorded()
    await once(response, 'end')
    expect(text).toBe(chunk('one') + chunk('two') + done)
    expect(lastRecord()).toMatchObject({ promptTokens: 3, completionTokens: 4, isStream: true })
  })

  it('hears comments while it waits, and a failure then comes as an event', async () => {
    upstream.answer = ({ response }) => {
      setTimeout(
        () => response.writeHead(500, { 'content-type': 'application/json' }).end('{"error":{"message":"late"}}'),
        150,
      )
    }
    const response = await ask(hiStream)
    expect(response.status).toBe(200)
    const text = await response.text()
    expect(text).toMatch(/^(: keep-alive\n\n){2,}data: \{"error":\{"message":"late \(request id/)
    expect(text).not.toContain('[DONE]')
    expect(holdEnds()).toEqual(['released'])
  })

  it('slows its upstream down when the client does not read', async () => {
    const big = chunk('x'.repeat(60_000))
    let sent = 0
    upstream.answer = ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const more = (): void => {
        while (sent < 1000) {
          sent += 1
          if (!response.write(big)) {
            response.once('drain', more)
            return
          }
        }
        response.end(done)
      }
      more()
    }
    const response = await openStream()
    response.pause()
    let before = -1
    while (before !== sent) {
      before = sent
      await new Promise((resolve) => setTimeout(resolve, 150))
    }
    expect(sent).toBeLessThan(500)
    let bytes = 0
    response.on('data', (data: Buffer) => (bytes += data.length))
    response.resume()
    await once(response, 'end')
    expect(bytes).toBe(1000 * big.length + done.length)
  })

  it('whose client leaves stops its upstream and bills what was produced', async () => {
    upstream.answer = ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(chunk('produced'))
    }
    const response = await openStream()
    await once(response, 'data')
    response.destroy()
    await upstream.received[0]?.closed
    await until(() => lastRecord() !== undefined)
    expect(lastRecord()).toMatchObject({
      kind: 'charge',
      completionTokens: 'produced'.length,
      receipt: { estimated: true },
      other: { end: 'client_gone' },
    })
    expect(holdEnds()).toEqual([lastRecord()?.quota])
  })

  it('is read to its end after the client left when the option says so', async () => {
    door.parts.settings = { ...testOptions, onClientGone: 'finish' }
    let finish = (): void => {}
    upstream.answer = ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(chunk('a'))
      finish = () => response.end(usageChunk(8, 9) + done)
    }
    const response = await openStream()
    await once(response, 'data')
    response.destroy()
    await new Promise((resolve) => setTimeout(resolve, 50))
    finish()
    await until(() => lastRecord() !== undefined)
    expect(lastRecord()).toMatchObject({ promptTokens: 8, completionTokens: 9, receipt: { estimated: false } })
  })

  it('costs nothing when the client leaves before the first byte', async () => {
    upstream.answer = () => {}
    const call = request(`${door.url}/v1/chat/completions`, { method: 'POST', headers: { authorization: 'good' } })
    call.on('error', () => {})
    call.end(JSON.stringify(hi))
    await until(() => upstream.received.length === 1)
    call.destroy()
    await upstream.received[0]?.closed
    await until(() => lastRecord() !== undefined)
    expect(lastRecord()).toMatchObject({ kind: 'error', other: { status: 499, end: 'client_gone' } })
    expect(holdEnds()).toEqual(['released'])
    expect(door.parts.channels.reports).toEqual([])
  })

  it('is made of a plain answer when the upstream does not stream', async () => {
    const text = await (await ask({ ...hiStream, stream_options: { include_usage: true } })).text()
    const events = text.split('\n\n').filter((event) => event.startsWith('data: {'))
    const [first, last] = events.map((event) => JSON.parse(event.slice(6)) as Record<string, unknown>)
    expect(first).toMatchObject({ object: 'chat.completion.chunk', choices: [{ delta: { content: 'hello' } }] })
    expect(last).toMatchObject({ choices: [], usage: { prompt_tokens: 10 } })
    expect(text.endsWith(done)).toBe(true)
    expect(lastRecord()).toMatchObject({ promptTokens: 10, completionTokens: 5 })
  })

  it('gets the usage event that the client asked for when the upstream sends none', async () => {
    upstream.answer = stream(chunk('four'), done)
    const text = await (await ask({ ...hiStream, stream_options: { include_usage: true } })).text()
    const event = JSON.parse(text.split('\n\n')[1]?.slice(6) ?? '') as Record<string, unknown>
    expect(event).toMatchObject({ id: 'c', created: 5, model: 'm', choices: [], usage: { completion_tokens: 4 } })
  })

  it('shows reasoning as content when the channel says so', async () => {
    useChannels(channel({ thinkingToContent: true }))
    const delta = (fields: object) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: fields }] })}\n\n`
    upstream.answer = stream(
      delta({ reasoning_content: 'a' }),
      delta({ reasoning_content: 'b' }),
      delta({ content: 'c' }),
      done,
    )
    const text = await (await ask(hiStream)).text()
    const contents = [...text.matchAll(/"content":"((?:\\.|[^"])*)"/g)].map(([, content]) => content)
    expect(contents).toEqual(['<think>\\na', 'b', '\\n</think>\\n', 'c'])
  })

  it('has only standard fields when the channel says so', async () => {
    useChannels(channel({ forceFormat: true }))
    upstream.answer = stream(
      'data: {"id":"i","odd":1,"choices":[{"index":0,"delta":{"content":"c","odd":2}}]}\n\n',
      done,
    )
    const text = await (await ask(hiStream)).text()
    expect(JSON.parse(text.split('\n\n')[0]?.slice(6) ?? '')).toEqual({
      id: 'i',
      object: 'chat.completion.chunk',
      created: 0,
      model: '',
      system_fingerprint: null,
      choices: [{ delta: { content: 'c' }, logprobs: null, finish_reason: null, index: 0 }],
      usage: null,
    })
  })
})

describe('money', () => {
  it('is not there: nothing is asked', async () => {
    await door.close()
    const { openTestHolds } = await import('../relay/testing-ports.ts')
    door = await openTestDoor({ relay: { channels: openTestChannels(channel()), holds: openTestHolds(0) } })
    const response = await ask(hi)
    expect(response.status).toBe(403)
    expect(await response.json()).toEqual({
      error: {
        message: expect.stringMatching(/^user quota is not enough \(request id: /),
        type: 'new_api_error',
        param: '',
        code: 'insufficient_user_quota',
      },
    })
    expect(upstream.received).toEqual([])
    expect(lastRecord()).toMatchObject({ kind: 'error', quota: 0 })
  })

  it('cannot be recorded: the client gets no answer and pays nothing', async () => {
    door.parts.recorder.beforeEnd = (record) => {
      if (record.kind === 'charge') throw new Error('disk full')
    }
    expect((await ask(hi)).status).toBe(500)
    expect(holdEnds()).toEqual(['released'])
  })

  it('is not known: a model without a price is not called', async () => {
    const response = await ask({ ...hi, model: 'unpriced' })
    expect(response.status).toBe(500)
    expect(await response.json()).toMatchObject({ error: { code: 'model_price_error' } })
    expect(upstream.received).toEqual([])
  })

  it('is not spent on forbidden words', async () => {
    door.parts.settings = { ...testOptions, sensitiveWords: ['test_sensitive'] }
    const messages = [{ role: 'user', content: [{ type: 'text', text: 'a TEST_\u0053ensitive word' }] }]
    const response = await ask({ ...hi, messages })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { code: 'sensitive_words_detected' } })
    expect(upstream.received).toEqual([])
  })
})

describe('the official SDK', () => {
  const client = (): OpenAI => new OpenAI({ apiKey: 'sk-good', baseURL: `${door.url}/v1`, maxRetries: 0 })

  it('chats, streams, calls tools, embeds and lists models', async () => {
    const chat = await client().chat.completions.create({
      model: 'gpt-4o',
      messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }] }],
      response_format: { type: 'json_schema', json_schema: { name: 's', schema: { type: 'object' }, strict: true } },
      tools: [{ type: 'function', function: { name: 'f', parameters: {} } }],
    })
    expect(chat.choices[0]?.message.content).toBe('hello')
    upstream.answer = stream(chunk('a'), chunk('b'), usageChunk(1, 2), done)
    const parts: string[] = []
    for await (const part of await client().chat.completions.create({ ...hiStream, stream: true, messages: [] })) {
      parts.push(part.choices[0]?.delta.content ?? '')
    }
    expect(parts).toEqual(['a', 'b'])
    upstream.answer = json({ data: [{ index: 0, embedding: [0.5] }], usage: { prompt_tokens: 2, total_tokens: 2 } })
    const embedding = await client().embeddings.create({ model: 'e', input: 'x', encoding_format: 'float' })
    expect(embedding.data[0]?.embedding).toEqual([0.5])
    useChannels(channel({ models: new Set(['gpt-4o', 'own']) }))
    expect((await client().models.list()).data.map(({ id, owned_by }) => [id, owned_by])).toEqual([
      ['gpt-4o', 'openai'],
      ['own', 'custom'],
    ])
    expect((await client().models.retrieve('own')).id).toBe('own')
  })

  it('throws its own errors', async () => {
    upstream.answer = json({ error: { message: 'slow down', type: 'requests', code: 'rate_limit_exceeded' } }, 429)
    await expect(client().chat.completions.create({ ...hi, messages: [] })).rejects.toBeInstanceOf(RateLimitError)
    const stranger = new OpenAI({ apiKey: 'sk-bad', baseURL: `${door.url}/v1`, maxRetries: 0 })
    await expect(stranger.models.list()).rejects.toBeInstanceOf(OpenAI.AuthenticationError)
    upstream.answer = ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(chunk('a'), () => response.destroy())
    }
    const read = async (): Promise<void> => {
      for await (const _ of await client().chat.completions.create({ ...hiStream, stream: true, messages: [] }));
    }
    await expect(read()).rejects.toBeInstanceOf(OpenAI.APIError)
  })
})
