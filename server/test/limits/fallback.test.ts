import { virtualModelChange } from '@tollgate/contract'
import { beforeEach, expect, it } from 'vitest'
import { relayVirtualModel } from '../../src/relay/routing/virtual/virtual-model.ts'
import { priceOf } from '../support/billing/price.ts'
import {
  ask,
  channel,
  gateway,
  hi,
  lastRecord,
  reopenGateway,
  sentBody,
  upstream,
  useScene,
} from '../support/gateway/scene.ts'
import { completion, json } from '../support/gateway/upstream.ts'
import { openTestLimiter } from '../support/limits/limiter.ts'
import { openTestChannels } from '../support/relay/ports.ts'

/** Budgets that go on with another model. */

useScene()

const noon = Date.parse('2026-11-24T12:00:00Z')
const cheap = { action: 'fallback' as const, fallback_model: 'cheap' }

const prices = { of: (model: string) => priceOf(model, { modelRatio: { 'gpt-4o': 1.25, small: 0.1 } }) }

const limitBy = async (...rules: Parameters<typeof openTestLimiter>[0]) => {
  const channels = openTestChannels(channel({ models: new Set(['gpt-4o', 'small', 'cheap']) }))
  const virtual = virtualModelChange.parse({ name: 'cheap', steps: [{ targets: [{ model: 'small' }] }] })
  channels.virtualModels.push(relayVirtualModel({ ...virtual, id: 3, changed_time: 0 } as never))
  const limiter = openTestLimiter(rules, { clock: () => noon })
  await reopenGateway({ callLimits: limiter, channels, prices })
  return limiter
}

beforeEach(() => {
  upstream.answer = json(completion('hello'))
})

it('answers calls above the amount with the model of the limit, and says so in the answer and the record', async () => {
  const limiter = await limitBy({ name: 'daily', amount: 1, window: 'day', ...cheap })
  const first = await ask(hi)
  expect([first.status, first.headers.get('x-tollgate-fallback-model')]).toEqual([200, null])
  const second = await ask(hi)
  expect([second.status, second.headers.get('x-tollgate-fallback-model')]).toEqual([200, 'cheap'])
  expect(JSON.parse(sentBody())).toMatchObject({ model: 'small' })
  expect(gateway.parts.recorder.records).toHaveLength(2)
  expect(lastRecord()).toMatchObject({
    kind: 'charge',
    model: 'cheap',
    other: {
      asked_name: 'gpt-4o',
      limit_fallback: { limit: 'daily', from: 'gpt-4o' },
      admin_info: { route: { virtual: 3, target: 'small' } },
    },
  })
  const [counter] = await limiter.countersOfLimit(1)
  expect(counter?.usedByAll).toBe(2)
})

it('has the price of the model that answered, of a virtual one that of its target', async () => {
  await limitBy({ amount: 1, ...cheap })
  await ask(hi)
  await ask(hi)
  const [dear, small] = gateway.parts.recorder.records.map(({ other }) => other.model_ratio)
  expect([dear, small]).toEqual([1.25, 0.1])
})

it('is refused by other limits, also for the other model, and asks once', async () => {
  const onModel = { subjects: [{ kind: 'virtual_model' as const, value: 'cheap' }] }
  await limitBy({ amount: 1, ...cheap }, { name: 'hard', amount: 1, ...onModel }, { amount: 1, ...cheap, ...onModel })
  await ask(hi)
  expect((await ask(hi)).status).toBe(200)
  const third = await ask(hi)
  expect(third.status).toBe(429)
  expect(await third.json()).toMatchObject({ error: { message: expect.stringContaining('hard') } })
  expect(upstream.received).toHaveLength(2)
})

it('is refused where a limit without another model is reached, too, or the caller may not call that one', async () => {
  await limitBy({ amount: 1, ...cheap }, { name: 'hard', amount: 1 })
  await ask(hi)
  expect((await ask(hi)).status).toBe(429)
  await limitBy({ amount: 1, ...cheap, fallback_model: 'unknown' })
  await ask(hi)
  const refused = await ask(hi)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
})

it('goes on in dialects whose path names the model, and with streams', async () => {
  await limitBy({ amount: 1, ...cheap })
  const gemini = { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] }
  await ask(gemini, '/v1beta/models/gpt-4o:generateContent')
  const second = await ask(gemini, '/v1beta/models/gpt-4o:generateContent')
  expect([second.status, second.headers.get('x-tollgate-fallback-model')]).toEqual([200, 'cheap'])
  expect(JSON.parse(sentBody())).toMatchObject({ model: 'small' })
})
