import { describe, expect, it } from 'vitest'
import type { RelayChannel } from '../../src/relay/ports.ts'
import { channel, gateway, holdEnds, reopenGateway, upstream, useChannels, useScene } from '../support/gateway/scene.ts'
import {
  anthropic,
  bodyOf,
  clients,
  keyOf,
  type Members,
  messagesTurn,
  refusal,
  signaturesIn,
  thoughtsIn,
} from '../support/gateway/thinking-turns.ts'
import { json, type Received } from '../support/gateway/upstream.ts'

useScene()

/** Thoughts that Claude binds to one account go to that account only, and no call fails for them. */

const claude = (changes: Partial<RelayChannel>): RelayChannel => channel({ type: 14, ...changes })
const two = (): RelayChannel[] => [claude({ id: 1, keys: ['a'] }), claude({ id: 2, keys: ['b'] })]
const threeKeys = (): RelayChannel[] => [
  claude({ keys: ['a', 'b', 'c'], ring: { rotation: 'round_robin', affinity: false, seeds: [1, 2, 3], next: 0 } }),
]
const bound = 'claude-sonnet-5-5'
const counts = (): number[] => upstream.received.map((call) => thoughtsIn(call).length)

describe.each(Object.entries(clients))('a %s client', (_, turn) => {
  it.each([
    ['two channels', two],
    ['one channel with three keys', threeKeys],
  ])('stays with the account that made its thoughts, at %s', async (_name, channels) => {
    let draw = 0
    // The first turns alternate; without the memory the second ones would, too.
    const random = (): number => {
      draw += 1
      return (draw % 2) * 0.99
    }
    await reopenGateway({ random })
    useChannels(...channels())
    upstream.answer = anthropic
    for (const model of [bound, 'claude-haiku-5-5', bound, 'claude-sonnet-6']) {
      let next: unknown
      upstream.received.length = 0
      for (let round = 0; round < 3; round += 1) {
        const told = await turn(next, model)
        expect(told.status).toBe(200)
        next = told.next
      }
      expect(new Set(upstream.received.map(keyOf)).size).toBe(1)
      expect(counts()).toEqual([0, 2, 4])
    }
  })

  it('goes on at another account without whole thoughts, where its own is gone', async () => {
    useChannels(...two())
    upstream.answer = anthropic
    const first = await turn(undefined, bound)
    const made = keyOf(upstream.received[0] as Received)
    useChannels(...two().filter(({ keys }) => keys[0] !== made))
    upstream.received.length = 0
    const second = await turn(first.next, bound)
    expect(second.status).toBe(200)
    // The new account reads its own thoughts and still not those of the old one.
    expect((await turn(second.next, bound)).status).toBe(200)
    expect(counts()).toEqual([0, 2])
    for (const { messages } of upstream.received.map(bodyOf))
      for (const { content } of messages) expect(content).not.toHaveLength(0)
  })

  it.each([bound, 'claude-opus-5-5', 'claude-fable-5-1', 'us.anthropic.claude-haiku-5-5'])(
    'is asked once more without thoughts, where %s refuses them',
    async (model) => {
      useChannels(claude({ id: 1, keys: ['a'] }))
      upstream.answer = anthropic
      const { next } = await turn(undefined, model)
      gateway.parts.recorder.records.length = 0
      upstream.received.length = 0
      upstream.answer = (call) => (thoughtsIn(call).length > 0 ? json(refusal, 400)(call) : anthropic(call))
      expect((await turn(next, model)).status).toBe(200)
      expect(counts()).toEqual([2, 0])
      expect(gateway.parts.recorder.records.map(({ kind }) => kind)).toEqual(['charge'])
    },
  )

  it('reads the refusal, where it is refused without thoughts as well', async () => {
    useChannels(claude({ id: 1, keys: ['a'] }))
    upstream.answer = anthropic
    const { next } = await turn(undefined, bound)
    upstream.received.length = 0
    upstream.answer = json(refusal, 400)
    expect((await turn(next, bound)).status).toBe(400)
    expect(counts()).toEqual([2, 0])
    expect(holdEnds().at(-1)).toBe('released')
  })

  it.each(['claude-opus-5-5', 'claude-opus-5', 'claude-sonnet-4-6'])(
    'brings the thoughts of %s to every account',
    async (model) => {
      useChannels(...two())
      upstream.answer = anthropic
      const { next } = await turn(undefined, model)
      const made = keyOf(upstream.received[0] as Received)
      const sent = signaturesIn
      useChannels(...two().filter(({ keys }) => keys[0] !== made))
      upstream.received.length = 0
      upstream.answer = json({ type: 'error', error: { type: 'invalid_request_error', message: 'no' } }, 400)
      await turn(next, model)
      expect(upstream.received.map((call) => sent(call).length)).toEqual([2])
    },
  )

  it('reads the refusal of an older model at once', async () => {
    useChannels(claude({ id: 1, keys: ['a'] }))
    upstream.answer = anthropic
    const { next } = await turn(undefined, 'claude-opus-4-8')
    upstream.received.length = 0
    upstream.answer = json(refusal, 400)
    expect((await turn(next, 'claude-opus-4-8')).status).toBe(400)
    expect(counts()).toEqual([2])
  })
})

/** A turn of thoughts alone, as one that was cut off, is left out with them. */
it('sends no turn without content', async () => {
  useChannels(...two())
  upstream.answer = anthropic
  const { next } = await messagesTurn(false)(undefined, bound)
  const made = keyOf(upstream.received[0] as Received)
  const [question, { content }] = next as [unknown, { content: Members[] }]
  const cut = [question, { role: 'assistant', content: content.slice(0, 2) }, { role: 'user', content: 'go on' }]
  useChannels(...two().filter(({ keys }) => keys[0] !== made))
  expect((await messagesTurn(false)(cut, bound)).status).toBe(200)
  expect(bodyOf(upstream.received.at(-1) as Received).messages).toEqual([question, { role: 'user', content: 'go on' }])
})
