import { describe, expect, it } from 'vitest'
import { createChannelPrices } from '../../src/billing/upstream/channel-prices.ts'
import { createLossWatch, type Loss } from '../../src/features/channels/loss-watch.ts'
import type { RelayChannel } from '../../src/relay/ports.ts'
import { createBelowCost } from '../../src/relay/routing/below-cost.ts'
import { testList } from '../support/billing/list.ts'
import { priceOf } from '../support/billing/price.ts'
import {
  ask,
  channel,
  hi,
  lastRecord,
  reopenGateway,
  upstream,
  useChannels,
  useScene,
} from '../support/gateway/scene.ts'
import { completion, json } from '../support/gateway/upstream.ts'
import { testOptions, testPrices } from '../support/relay/ports.ts'

useScene()

/** Calls that cost more at the provider than is charged for them. The test's gpt-4o is sold at its list price. */
const costs = createChannelPrices({ list: testList({ 'gpt-4o': [2.5, 10], dear: [30, 60] }), quotaPerUnit: 500_000 })

const call = async (): Promise<number | undefined> => {
  upstream.answer = json(completion('hello'))
  await (await ask(hi)).text()
  return lastRecord()?.channelId
}

describe('a warning', () => {
  const open = async (on: boolean) => {
    const losses: Loss[] = []
    const time = { now: 1_790_000_000_000 }
    const watch = createLossWatch({ enabled: () => on, warn: (loss) => void losses.push(loss), clock: () => time.now })
    await reopenGateway({ costs, onCharged: watch.charged })
    return { losses, time }
  }
  const dear = () => channel({ id: 2, cost: { factor: 1.5 } })

  it('comes once per channel and hour when a call is sold below its cost', async () => {
    const { losses, time } = await open(true)
    useChannels(dear())
    await call()
    await call()
    expect(losses).toEqual([{ requestId: expect.any(String), channelId: 2, model: 'gpt-4o', quota: 38, cost: 56 }])
    useChannels(channel({ id: 3, cost: { factor: 2 } }))
    await call()
    expect(losses.map(({ channelId }) => channelId)).toEqual([2, 3])
    useChannels(dear())
    time.now += 3_600_000
    await call()
    expect(losses.map(({ channelId }) => channelId)).toEqual([2, 3, 2])
  })

  it('does not come at cost, for unknown costs, and where the operator wants none', async () => {
    const { losses } = await open(true)
    useChannels(channel())
    await call()
    useChannels(channel({ modelMapping: new Map([['gpt-4o', 'unheard-of']]) }))
    await call()
    expect(losses).toEqual([])
    const off = await open(false)
    useChannels(dear())
    await call()
    expect(off.losses).toEqual([])
  })
})

describe('routing', () => {
  const price = priceOf('gpt-4o')
  const prices = testPrices(price)
  const open = (on: boolean) =>
    reopenGateway({
      costs,
      prices,
      belowCost: createBelowCost({ prices, costs }),
      settings: { ...testOptions, avoidsLosses: on },
    })
  const losing = (changes: Partial<RelayChannel> = {}) =>
    channel({ id: 1, priority: 9, cost: { factor: 1.01 }, ...changes })

  it('goes around channels that take more than the group pays', async () => {
    await open(true)
    useChannels(losing(), channel({ id: 2 }))
    expect(await call()).toBe(2)
    useChannels(losing({ cost: {}, modelMapping: new Map([['gpt-4o', 'dear']]) }), channel({ id: 2 }))
    expect(await call()).toBe(2)
  })

  it('uses them where there is no other, and where the cost is as much as the price or not known', async () => {
    await open(true)
    useChannels(losing())
    expect(await call()).toBe(1)
    useChannels(losing(), channel({ id: 2, cost: { factor: 2 } }))
    expect(await call()).toBe(1)
    useChannels(losing({ cost: {} }), channel({ id: 2 }))
    expect(await call()).toBe(1)
    useChannels(losing({ modelMapping: new Map([['gpt-4o', 'unheard-of']]) }), channel({ id: 2 }))
    expect(await call()).toBe(1)
  })

  it('is as ever where the operator leaves it off', async () => {
    await open(false)
    useChannels(losing(), channel({ id: 2 }))
    expect(await call()).toBe(1)
  })

  it('compares a pair of prices once', () => {
    let compared = 0
    const sold = {
      ...price,
      get unit() {
        compared += 1
        return price.unit
      },
    }
    const below = createBelowCost({ prices: testPrices(sold), costs })
    const one = losing()
    for (let times = 0; times < 5; times += 1) expect(below.of('gpt-4o', 'default', Date.now())?.(one)).toBe(true)
    // Copying a price reads it once, scaling it once more.
    expect(compared).toBe(2)
  })
})
