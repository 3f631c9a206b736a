import { defaultTierRatios } from '@tollgate/contract/prices'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ChosenLane, TimedWork } from '#server/gateway/deadlines/deadline-calls.ts'
import type { Prices } from '#server/relay/ports.ts'
import { bookWith } from '#server-test/support/billing/price.ts'
import { openTestGateway, type TestGateway, testToken } from '#server-test/support/gateway/listener.ts'
import { completion, json, openTestUpstream, type TestUpstream } from '#server-test/support/gateway/upstream.ts'
import { openTestChannels, testChannel } from '#server-test/support/relay/ports.ts'
import { createDeadlineCalls } from './deadline-calls.ts'

const hour = 3_600_000
/** A moment in an hour of peak; from an hour later on a call costs half. */
const arrivedAt = Date.UTC(2026, 10, 30, 8)
const bookAt = (ratio: number) => bookWith({ modelRatio: { 'gpt-5': ratio }, tierRatios: defaultTierRatios })
const [peak, usual] = [bookAt(20), bookAt(10)]
const hourly: Prices = {
  of: (model, group, more) => ((more.at ?? now) < arrivedAt + hour ? peak : usual).of(model, group, more),
  until: () => arrivedAt + hour,
}
const steady = bookAt(10)

let now = arrivedAt
let upstream: TestUpstream
let gateway: TestGateway

const open = async (prices: Prices) => {
  const deadlines = createDeadlineCalls({ prices, clock: () => now })
  gateway = await openTestGateway({
    relay: { channels: openTestChannels(testChannel({ baseUrl: upstream.url })), prices },
    gateway: { deadlines },
  })
  return deadlines
}

beforeEach(async () => {
  now = arrivedAt
  upstream = await openTestUpstream()
})
afterEach(async () => {
  await gateway.close()
  await upstream.close()
})

const work = (hours: number, mayFlex: boolean): TimedWork => {
  const priced = { model: 'gpt-5', group: 'default', acceptsUnpriced: true }
  return { ...priced, arrivedAt, deadline: arrivedAt + hours * hour, mayFlex }
}

const make = async (lane: ChosenLane) => {
  const body = Buffer.from(JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content: 'hi' }] }))
  const call = { id: 'own', tokenId: testToken.tokenId, path: '/v1/chat/completions', body, ip: '10.0.0.1', lane }
  const { status } = await gateway.listener.ownCalls.collect(call, 10_000)
  return { status, tiers: upstream.received.map(({ body: sent }) => JSON.parse(sent.toString()).service_tier) }
}

const record = () => {
  const [first] = gateway.parts.recorder.records
  return { quota: first?.kind === 'charge' ? first.quota : -1, lane: first?.other?.lane }
}

describe('a call whose client does not wait', () => {
  it('waits for a cheaper hour, and its log has the price of the hour when it came', async () => {
    const deadlines = await open(hourly)
    const step = deadlines.next(work(6, false), now)
    expect(step).toMatchObject({ lane: 'standard', startAt: arrivedAt + hour })
    // Too late for the cheaper hour.
    expect(deadlines.next(work(1, false), now)).toMatchObject({ lane: 'standard', startAt: now })
    now = step.startAt
    expect(deadlines.next(work(6, false), now)).toMatchObject({ lane: 'standard', startAt: now })
    expect(await make({ lane: 'standard', deadline: arrivedAt + 6 * hour, arrivedAt })).toMatchObject({ status: 200 })
    const { quota, lane } = record()
    expect(quota).toBeGreaterThan(0)
    expect(lane).toEqual({
      lane: 'off_peak',
      deadline: (arrivedAt + 6 * hour) / 1000,
      standard: 2 * quota,
      saved: quota,
    })
  })

  it('is refused as the flex tier refuses it while there is time, and then made at once', async () => {
    const deadlines = await open(steady)
    const job = work(6, true)
    expect(deadlines.next(job, now)).toMatchObject({ lane: 'flex', startAt: now })
    upstream.answer = (call) =>
      JSON.parse(call.body.toString()).service_tier === 'flex'
        ? json({ error: { message: 'Resource unavailable' } }, 429)(call)
        : json(completion('at once'))(call)
    expect(await make({ ...job, lane: 'flex' })).toEqual({ status: 429, tiers: ['flex'] })
    now = deadlines.askedAgainAt(now, 1)
    expect(now).toBe(arrivedAt + 30_000)
    const { latestAt } = deadlines.next(job, now)
    // Four minutes for two slow calls, and a quarter of an hour for providers that fail.
    expect(latestAt).toBe(job.deadline - 19 * 60_000)
    now = latestAt
    const last = deadlines.next(job, now)
    expect(last).toMatchObject({ lane: 'standard', startAt: now })
    expect(await make({ ...job, lane: 'standard' })).toEqual({ status: 200, tiers: ['flex', undefined] })
  })

  it('is left to a batch of its provider where that may be, until such batches are too late', async () => {
    const deadlines = await open(steady)
    const day = { ...work(30, false), mayBatch: true }
    expect(deadlines.next(day, now)).toMatchObject({ lane: 'batch', startAt: now })
    expect(deadlines.next({ ...day, mayBatch: false }, now)).toMatchObject({ lane: 'standard' })
    expect(deadlines.next({ ...day, deadline: arrivedAt + hour / 12 }, now)).toMatchObject({ lane: 'standard' })
    for (let count = 0; count < 128; count += 1) deadlines.batchEnded('gpt-5', Number.POSITIVE_INFINITY)
    expect(deadlines.next({ ...day, deadline: arrivedAt + 2 * hour }, now)).toMatchObject({ lane: 'standard' })
  })

  it('leaves its provider so early that all calls of its batch are in time', async () => {
    const deadlines = await open(steady)
    const alone = { ...work(30, false), mayBatch: true }
    const one = deadlines.next(alone, now)
    expect(one.giveUpAt).toBe(one.latestAt - 10 * 60_000)
    // Each call is assumed to take a quarter of a minute, and eight are made at once.
    const many = deadlines.next({ ...alone, queue: { lines: 4001, atOnce: 8 } }, now)
    expect(many).toMatchObject({ lane: 'batch', latestAt: one.latestAt - 500 * 15_000 })
    const tooMany = { ...alone, queue: { lines: 80_000, atOnce: 8 } }
    expect(deadlines.next(tooMany, now)).toMatchObject({ lane: 'standard', startAt: now })
  })
})
