import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import { claude, message, messageStream } from '../../../test/support/gateway/dialects.ts'
import {
  ask,
  channel,
  gateway,
  hi,
  hiStream,
  lastRecord,
  upstream,
  useChannels,
  useScene,
} from '../../../test/support/gateway/scene.ts'
import { chunk, completion, done, json, stream } from '../../../test/support/gateway/upstream.ts'

/** Clients and upstreams write any text; it must neither break a head nor fill it. */

useScene()

const header = 'x-tollgate-lost-fields'
const longName = 'a'.repeat(65_536)

const hostile: readonly (readonly [string, Record<string, unknown>])[] = [
  ['a member in Chinese', { ...hi, 备注: 1 }],
  [
    'a part type with line ends',
    {
      ...hi,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }, { type: 'x\r\nset-cookie: a=b' }] }],
    },
  ],
  ['a member with NUL and an escape', { ...hi, 'x\0\u001b[31m': 1 }],
  ['half of a surrogate pair', { ...hi, '\ud83d': 1 }],
  ['65 kB of letters', { ...hi, [longName]: 1 }],
  [
    '10,000 members',
    { ...hi, ...Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`member${index}`, 1])) },
  ],
]

const expectCharged = (): void => {
  expect(gateway.parts.recorder.records.map(({ kind }) => kind)).toEqual(['charge'])
  expect(JSON.stringify(lastRecord()?.other).length).toBeLessThan(16_000)
}

const expectReadable = (value: string | null): void => {
  expect(value).toMatch(/^[\x20-\x7e]+$/)
  expect(value?.length).toBeLessThanOrEqual(2048)
}

describe.each(hostile)('%s among the unsupported fields', (_, body) => {
  it('reaches the header of an answer encoded and capped, and the call is charged once', async () => {
    useChannels(claude())
    upstream.answer = json(message)
    const response = await ask({ ...body, model: 'claude-sonnet-4-5' })
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ choices: [{ message: { content: 'Hello' } }] })
    expectReadable(response.headers.get(header))
    expectCharged()
  })

  it('reaches the header of a stream', async () => {
    useChannels(claude())
    upstream.answer = stream(...messageStream)
    const response = await ask({ ...body, stream: true, model: 'claude-sonnet-4-5' })
    expect(response.status).toBe(200)
    expect(await response.text()).toContain('[DONE]')
    expectReadable(response.headers.get(header))
    expectCharged()
  })

  it('reaches the header of a whole answer that is sent as a stream', async () => {
    useChannels(claude())
    upstream.answer = json(message)
    const response = await ask({ ...body, stream: true, model: 'claude-sonnet-4-5' })
    expect(await response.text()).toContain('[DONE]')
    expectReadable(response.headers.get(header))
    expectCharged()
  })
})

it('encodes a block type in Chinese of the upstream, with percent signs', async () => {
  useChannels(claude())
  upstream.answer = json({ ...message, content: [{ type: '思考%,' }, { type: 'text', text: 'Hello' }] })
  const response = await ask({ ...hi, model: 'claude-sonnet-4-5' })
  expect(response.headers.get(header)).toBe(`answer.${encodeURIComponent('思考%,')}`)
  expect(lastRecord()?.other).toMatchObject({ lost_fields: ['answer.思考%,'] })
  expectCharged()
})

it('counts the fields that found no place', async () => {
  useChannels(claude())
  upstream.answer = json(message)
  const [, body] = hostile.at(-1) ?? ['', {}]
  const response = await ask({ ...body, model: 'claude-sonnet-4-5' })
  expect(response.headers.get(header)).toMatch(/^member0, .*, \+9\d\d\d more$/)
  expect(lastRecord()?.other.lost_fields).toHaveLength(101)
  expect(lastRecord()?.other.lost_fields).toContain('+9900 more')
})

it('marks a name that was cut', async () => {
  useChannels(claude())
  upstream.answer = json(message)
  const response = await ask({ ...hi, [longName]: 1, model: 'claude-sonnet-4-5' })
  expect(response.headers.get(header)).toBe(`${'a'.repeat(100)}...`)
  expect(lastRecord()?.other.lost_fields).toEqual([`${'a'.repeat(100)}...`])
})

/** Names and values on the wire. */
const rawAsk = (body: object): Promise<{ status: number | undefined; headers: NodeJS.Dict<string | string[]> }> =>
  new Promise((resolve, reject) => {
    const call = request(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-good' },
      agent: false,
    })
    call.on('error', reject)
    call.on('response', (response) => {
      response.resume()
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers }))
    })
    call.end(JSON.stringify(body))
  })

describe('headers of the upstream', () => {
  const hostileHeaders = {
    'x-note': Buffer.from('备注\u0001').toString('latin1').replace('\u0001', '\t'),
    'x-long': 'b'.repeat(9000),
    'x-plain': 'a, b; c="100%"',
  }

  it('go through where they can, encoded and capped', async () => {
    useChannels(channel())
    upstream.answer = json(completion('Hello'), 200, hostileHeaders)
    const { status, headers } = await rawAsk(hi)
    expect(status).toBe(200)
    expect(headers['x-plain']).toBe('a, b; c="100%"')
    expectReadable(String(headers['x-note']).replaceAll('\t', ' '))
    expect(headers['x-long']).toMatch(/^b{2000,2045}\.\.\.$/)
    expectCharged()
  })

  it('do so beside speech', async () => {
    upstream.answer = ({ response }) =>
      response.writeHead(200, { 'content-type': 'audio/mpeg', ...hostileHeaders }).end('x')
    const response = await ask({ model: 'tts-1', input: 'hi', voice: 'alloy' }, '/v1/audio/speech')
    expect(response.status).toBe(200)
    expect(await response.text()).toBe('x')
    expectCharged()
  })

  it('are encoded where the upstream says when to ask again', async () => {
    upstream.answer = json({ error: { message: 'slow' } }, 429, {
      'retry-after': Buffer.from('十秒').toString('latin1'),
    })
    const { status, headers } = await rawAsk(hiStream)
    expect(status).toBe(429)
    expectReadable(String(headers['retry-after']))
  })
})

it('streams go on to be charged once', async () => {
  upstream.answer = stream(chunk('hi'), done)
  expect(await (await ask(hiStream)).text()).toContain('[DONE]')
  expectCharged()
})
