import { beforeEach, expect, it } from 'vitest'
import type { Limiter } from '../../src/limits/limiter.ts'
import type { RelayChannel } from '../../src/relay/ports.ts'
import {
  ask,
  channel,
  gateway,
  hi,
  hiStream,
  lastRecord,
  reopenGateway,
  upstream,
  useScene,
} from '../support/gateway/scene.ts'
import { completion, json, stream } from '../support/gateway/upstream.ts'
import { openTestLimiter } from '../support/limits/limiter.ts'
import { openTestChannels, testOptions } from '../support/relay/ports.ts'

/** Limits of channels and of their keys: a full one is passed over, and only where none is left is a call refused. */

useScene()

const noon = Date.parse('2026-11-24T12:00:00Z')
const first = () => channel({ id: 1, name: 'first', priority: 1, keys: ['k1'] })
const second = () => channel({ id: 2, name: 'second', keys: ['k2'] })
const ring = { rotation: 'round_robin' as const, affinity: false, seeds: [11, 12], next: 0 }

type Rules = Parameters<typeof openTestLimiter>[0]
const settings = { ...testOptions, retryTimes: 1 }
let limiter: Limiter
let now = noon

const limitBy = async (channels: readonly RelayChannel[], ...rules: Rules) => {
  now = noon + 15_000
  limiter = openTestLimiter(rules, { clock: () => now })
  await reopenGateway({ callLimits: limiter, channels: openTestChannels(...channels), settings })
}
const asked = () => gateway.parts.recorder.records.map(({ channelId }) => channelId)
const usedOf = async (id: number) => (await limiter.countersOfLimit(id)).map((counter) => counter.usedByAll)
const whys = () => {
  const info = lastRecord()?.other.admin_info as { route?: { candidates?: { id: number; why: string }[] } }
  return info.route?.candidates?.map(({ id, why }) => [id, why])
}

beforeEach(() => {
  upstream.answer = json(completion('hello'))
})

it('passes a channel over that is full, and says so in the record', async () => {
  await limitBy([first(), second()], { amount: 1, subjects: [{ kind: 'channel', value: '1' }] })
  await ask(hi)
  expect((await ask(hi)).status).toBe(200)
  expect((await ask(hi)).status).toBe(200)
  expect(asked()).toEqual([1, 2, 2])
  expect(whys()).toEqual([
    [1, 'at_limit'],
    [2, 'chosen'],
  ])
})

it('refuses where no channel has room, and says when one is free again but not whose limit it is', async () => {
  await limitBy([first(), second()], { name: 'secret', amount: 1, subjects: [{ kind: 'channel' }] })
  await ask(hi)
  await ask(hi)
  const third = await ask(hi)
  expect([third.status, third.headers.get('retry-after')]).toEqual([429, '45'])
  const text = await third.text()
  expect(JSON.parse(text)).toMatchObject({
    error: { code: 'channels_at_limit', message: expect.stringContaining('45 秒后可用') },
  })
  expect(text).not.toMatch(/secret|first|second/)
  expect(third.headers.get('x-ratelimit-limit-requests')).toBeNull()
  expect(upstream.received).toHaveLength(2)
  const record = lastRecord()
  expect(record).toMatchObject({ kind: 'error', other: { error_code: 'channels_at_limit' } })
  expect(JSON.stringify(record?.other.admin_info)).toContain('secret')
  expect(whys()).not.toContainEqual([1, 'chosen'])
  now = noon + 60_000
  expect((await ask(hi)).status).toBe(200)
})

it('counts the tokens of the channel that answered, and of a refused attempt the request alone', async () => {
  await limitBy(
    [first(), second()],
    { amount: 10, subjects: [{ kind: 'channel' }] },
    { measure: 'tokens', amount: 1000, subjects: [{ kind: 'channel' }] },
    { measure: 'running', window: 'now', amount: 3, subjects: [{ kind: 'channel' }] },
  )
  upstream.answer = (received) => {
    const isFirst = received.headers.authorization === 'Bearer k1'
    const answer = isFirst ? json({ error: { message: 'down' } }, 500) : json(completion('hello'))
    answer(received)
  }
  expect((await ask({ ...hi, max_tokens: 10 })).status).toBe(200)
  expect(await usedOf(1)).toEqual([1, 1])
  const tokens = await usedOf(2)
  expect(tokens[0]).toBe(0)
  expect(tokens[1]).toBeGreaterThan(0)
  for (const counter of await limiter.countersOfLimit(3)) expect(counter.leftAt(now)).toBe(3)
})

it('takes another key where one is full, and no channel whose keys are', async () => {
  const several = channel({ id: 1, priority: 1, keys: ['a', 'b'], ring })
  await limitBy([several, second()], { amount: 1, subjects: [{ kind: 'upstream_key' }] })
  for (let call = 0; call < 3; call += 1) expect((await ask(hi)).status).toBe(200)
  expect((await ask(hi)).status).toBe(429)
  expect(upstream.received.map(({ headers }) => headers.authorization)).toEqual(['Bearer a', 'Bearer b', 'Bearer k2'])
})

it('counts pairs with the model, and streams under way until they end', async () => {
  await limitBy([first()], {
    measure: 'running',
    window: 'now',
    amount: 1,
    subjects: [{ kind: 'channel' }, { kind: 'model', value: 'gpt-4o' }],
  })
  const chunk = { choices: [{ index: 0, delta: { content: 'hello' }, finish_reason: 'stop' }] }
  upstream.answer = stream(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`)
  for (let call = 0; call < 3; call += 1) expect(await (await ask(hiStream)).text()).toContain('hello')
  const [counter] = await limiter.countersOfLimit(1)
  expect([counter?.values, counter?.leftAt(now)]).toEqual([['1', 'gpt-4o'], 1])
})
