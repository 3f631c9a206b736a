import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { testToken } from '../../../test/support/gateway/listener.ts'
import {
  openTestChannels,
  testCaller,
  testChannel,
  testOptions,
  testPrices,
} from '../../../test/support/relay/ports.ts'
import type { PlanKind } from '../../relay/plan/call-plan.ts'
import { openSourceVersion, readPerVersion } from '../../relay/plan/source-version.ts'
import { createCallPlans } from './call-plans.ts'
import { createPlanCheck } from './plan-check.ts'

/** The proof that plans are the present ones shows every bump that was left out. */

const kinds: readonly PlanKind[] = ['relay', 'written', 'session', 'kept', 'task', 'raw']

const openBench = () => {
  const sources = openSourceVersion()
  const present = { options: testOptions, prices: testPrices(), snapshot: openTestChannels(testChannel()).snapshot() }
  const prices = { of: (...asked: Parameters<typeof present.prices.of>) => present.prices.of(...asked) }
  const channels = { ...openTestChannels(), snapshot: () => present.snapshot }
  const readings = { options: () => present.options, prices }
  const check = createPlanCheck({
    callers: { byKey: () => testToken },
    groups: { usable: () => ({}), hasRatio: () => true },
    channels,
    authentication: { callerOf: () => testCaller, ofUser: () => testCaller },
    plans: createCallPlans({
      channels,
      sources,
      prices,
      options: readPerVersion(sources, readings.options),
    }),
    present: readings,
    clock: Date.now,
  })
  const ofKind = (kind: PlanKind) => check.of({ key: 'good' }, { kind, name: 'gpt-4o' })
  return { sources, present, ofKind }
}

type Bench = ReturnType<typeof openBench>
type Member = 'options' | 'price' | 'snapshot'

const changes: Readonly<Record<Member, (bench: Bench) => void>> = {
  options: ({ present }) => {
    present.options = { ...testOptions }
  },
  price: ({ present }) => {
    const price = testPrices().of('gpt-4o', 'default', { acceptsUnpriced: true })
    if (price !== undefined) present.prices = testPrices({ ...price, perCall: { digits: 7n, scale: 0 } })
  },
  snapshot: ({ present }) => {
    present.snapshot = openTestChannels(testChannel()).snapshot()
  },
}

describe.each(Object.keys(changes) as Member[])('a change of the %s', (member) => {
  it.each(kinds)('without a bump shows in a plan of the kind %s, and with one is in it', async (kind) => {
    const bench = openBench()
    const differs = async (): Promise<boolean> => {
      const { used, fresh } = await bench.ofKind(kind)
      if (typeof used === 'string' || typeof fresh === 'string') throw new Error('the call is refused')
      // A task's price is made from that of its model.
      return member === 'price' ? !isDeepStrictEqual(used.price, fresh.price) : used[member] !== fresh[member]
    }
    expect(await differs()).toBe(false)
    changes[member](bench)
    expect(await differs()).toBe(true)
    bench.sources.bump()
    expect(await differs()).toBe(false)
  })
})
