import { beforeEach, describe, expect, it } from 'vitest'
import { testChannel } from '../../../test/support/relay/ports.ts'
import type { Asking, UpstreamFailure } from '../../relay/ports.ts'
import { type LiveHealth, openLiveHealth } from './live.ts'
import { requestKind } from './request-kind.ts'

/** An engine answers 500 to what it cannot take: that is the fault of who asked for it. */

let now: number
let health: LiveHealth

beforeEach(() => {
  now = 1_900_000_000_000
  health = openLiveHealth({ clock: () => now, bus: { publish: () => {}, subscribe: () => () => {} } })
})

const path = '/v1/chat/completions'
const messages = [{ role: 'user', content: 'hi' }]
const picture = [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:' } }] }]

const from = (userId: number, body: Readonly<Record<string, unknown>> = { messages }, at = path): Asking => ({
  caller: { userId },
  path: at,
  body,
  raw: Buffer.from(JSON.stringify(body)),
})

const failure = (change: Partial<UpstreamFailure> = {}): UpstreamFailure => ({
  status: 500,
  type: 'server_error',
  code: '',
  message: 'image input is not supported',
  cause: '',
  ...change,
})

const channel = testChannel({ models: new Set(['m']) })
const see = (asking: Asking | undefined, failed?: UpstreamFailure): void =>
  health.seen(channel, failed, 'k', 'm', 10, -1, asking)
const fails = (count: number, asking: Asking, failed = failure()): void => {
  for (let index = 0; index < count; index += 1) see(asking, failed)
}
const avoids = (asking: Asking): boolean => health.avoids(channel.id, 'm', now, asking)

/** Two users are known to use it. */
const usedByTwo = (): void => {
  see(from(1))
  see(from(2))
}

describe('the bad requests of one user', () => {
  it.each([
    ['pictures', { messages: picture }],
    ['no messages', { messages: [] }],
    ['a grammar', { messages, grammar: 'root ::=' }],
    ['texts', { messages }],
  ])('with %s keep no other user away, however many there are', (_, body) => {
    usedByTwo()
    fails(200, from(1, body))
    expect(avoids(from(2))).toBe(false)
    expect(avoids(from(2, body))).toBe(false)
    expect(health.stateOf(channel.id, 'm').state).toBe('closed')
  })

  it('go elsewhere themselves after five, and the good ones of the same user stay', () => {
    usedByTwo()
    fails(4, from(1, { messages: picture }))
    expect(avoids(from(1, { messages: picture }))).toBe(false)
    fails(1, from(1, { messages: picture }))
    expect(avoids(from(1, { messages: picture }))).toBe(true)
    expect(avoids(from(1))).toBe(false)
    now += 31_000
    expect(avoids(from(1, { messages: picture }))).toBe(false)
  })

  it('of a kind that is not plain keep nobody away where the user is alone, either', () => {
    fails(50, from(1, { messages: picture }))
    expect(avoids(from(1))).toBe(false)
    expect(health.stateOf(channel.id, 'm').state).toBe('closed')
  })

  it('between good ones of others are no share of failures that counts', () => {
    for (let round = 0; round < 60; round += 1) {
      fails(3, from(1))
      see(from(2))
      now += 500
    }
    expect(avoids(from(2))).toBe(false)
  })

  it.each([
    ['an error within a 200', failure({ status: 502, inAnswer: true })],
    ['an answer that cannot be read', failure({ status: 200, code: 'bad_response_body' })],
    ['a 501', failure({ status: 501 })],
  ])('are known by %s', (_, failed) => {
    usedByTwo()
    fails(20, from(1), failed)
    expect(avoids(from(2))).toBe(false)
  })
})

describe('a channel that is ill', () => {
  it('is avoided for all when plain requests of two users fail', () => {
    usedByTwo()
    fails(3, from(1))
    fails(2, from(2))
    expect(avoids(from(3))).toBe(true)
    expect(avoids(from(3, { messages: picture }))).toBe(true)
    expect(health.stateOf(channel.id, 'm').state).toBe('open')
  })

  it('is avoided for one kind when that kind fails for two users', () => {
    usedByTwo()
    fails(3, from(1, { messages: picture }))
    fails(2, from(2, { messages: picture }))
    expect(avoids(from(3, { messages: picture }))).toBe(true)
    expect(avoids(from(3))).toBe(false)
  })

  it('is avoided when the plain requests of its only user fail', () => {
    fails(5, from(1))
    expect(avoids(from(1))).toBe(true)
    expect(health.stateOf(channel.id, 'm').state).toBe('open')
  })

  it.each([
    ['nobody is there', failure({ status: 0, code: 'do_request_failed' })],
    ['a gateway before it says so', failure({ status: 502 })],
    ['it is overloaded', failure({ status: 503 })],
    ['it is silent', failure({ status: 0, code: 'upstream_timeout' })],
    ['its key is refused', failure({ status: 401 })],
  ])('is avoided for all after five failures of one user where %s', (_, failed) => {
    usedByTwo()
    fails(5, from(1, { messages: picture }), failed)
    expect(avoids(from(2))).toBe(true)
  })

  it('is forgiven in all scopes', () => {
    usedByTwo()
    fails(5, from(1, { messages: picture }))
    health.forgive(channel.id, 'm')
    expect(avoids(from(1, { messages: picture }))).toBe(false)
    expect(health.calm).toBe(true)
  })

  it('is calm again when a trial of the kind has worked', () => {
    usedByTwo()
    fails(5, from(1, { messages: picture }))
    now += 31_000
    health.chosen(channel.id, 'm', now, from(1, { messages: picture }))
    expect(avoids(from(1, { messages: picture }))).toBe(true)
    see(from(1, { messages: picture }))
    expect(avoids(from(1, { messages: picture }))).toBe(false)
  })
})

describe('the kind of a request', () => {
  const gemini = '/v1beta/models/m:generateContent'
  it.each([
    [path, { model: 'm', messages, stream: true, max_tokens: 5 }, 'plain'],
    ['/v1/messages', { messages: [{ role: 'user', content: [{ type: 'text', text: 'a' }] }] }, 'plain'],
    ['/v1/responses', { input: 'hi', instructions: 'be brief' }, 'plain'],
    [
      '/v1/responses',
      { input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'a' }] }] },
      'plain',
    ],
    [
      gemini,
      { contents: [{ role: 'user', parts: [{ text: 'a' }] }], generationConfig: { maxOutputTokens: 4 } },
      'plain',
    ],
    [path, { messages: picture }, 'image_url'],
    ['/v1/messages', { messages: [{ role: 'user', content: [{ type: 'image', source: {} }] }] }, 'image'],
    ['/v1/responses', { input: [{ role: 'user', content: [{ type: 'input_image' }] }] }, 'input_image'],
    [gemini, { contents: [{ parts: [{ inlineData: {} }] }] }, 'inlineData'],
    [gemini, { contents: [{ parts: [] }], generationConfig: { responseSchema: {} } }, 'responseSchema'],
    [path, { messages: [] }, 'empty'],
    [path, { messages, tools: [], response_format: {} }, 'response_format tools'],
    [path, { messages: [{ role: 'tool', content: 'x' }] }, 'tool_calls'],
    [path, { messages: [{ role: 'user', content: 'x'.repeat(70_000) }] }, 'long'],
    ['/v1/embeddings', { input: 'a' }, '/v1/embeddings'],
    [path, { messages: 'nonsense' }, 'plain'],
  ])('%s %j is %s', (at, body, kind) => expect(requestKind(from(1, body, at))).toBe(kind))
})
