import { describe, expect, it } from 'vitest'
import { limitedCall, openTestLimiter } from '../../test/support/limits/limiter.ts'
import { type LimitEntry, LimitRefusal } from './call-limits.ts'
import { type LimitStore, openMemoryLimitStore } from './limit-store.ts'
import type { Limiter } from './limiter.ts'

const need = { input: 1, output: 1, money: 1 }

/** Two processes that count calls under way, at most 16, in a store that can be lost. */
const twoProcesses = () => {
  const memory = openMemoryLimitStore()
  const state = { now: Date.parse('2026-11-26T12:00:00Z'), isLost: false }
  const store: LimitStore = {
    exchange: async (node, now, exchanges) => {
      if (state.isLost) throw new Error('out of reach')
      return memory.exchange(node, now, exchanges)
    },
    look: async () => {
      if (state.isLost) throw new Error('out of reach')
      return { wasEmptied: false, nodes: 2 }
    },
  }
  const open = (node: string): Limiter =>
    openTestLimiter([{ measure: 'running', window: 'now', amount: 16 }], {
      store,
      node,
      isShared: true,
      clock: () => state.now,
    })
  return { state, processes: [open('a'), open('b')] as const }
}

/** Lets calls in one after the other until one is refused. */
const fill = async (limiter: Limiter, most = 100): Promise<LimitEntry[]> => {
  const entries: LimitEntry[] = []
  for (let call = 0; call < most; call += 1) {
    try {
      const entry = await limiter.enter(limitedCall(), need)
      if (entry) entries.push(entry)
    } catch (error) {
      expect(error).toBeInstanceOf(LimitRefusal)
      return entries
    }
  }
  return entries
}

const end = (entries: readonly LimitEntry[]): void => {
  for (const entry of entries) entry.settle(undefined)
}

const pass = async ({ state, processes }: ReturnType<typeof twoProcesses>, ms: number): Promise<void> => {
  for (let passed = 0; passed < ms; passed += 500) {
    state.now += 500
    for (const limiter of processes) await limiter.renew()
  }
}

describe('calls under way, while the store is out of reach', () => {
  it('come to no more than the limit, though all of them ended at a time', async () => {
    const site = twoProcesses()
    const [a, b] = site.processes
    const before = [await fill(a, 5), await fill(b)]
    expect(before.flat()).toHaveLength(16)
    await pass(site, 500)
    site.state.isLost = true
    await pass(site, 1000)
    end(before.flat())
    await pass(site, 1000)
    const running = [await fill(a), await fill(b)]
    expect(running.flat().length).toBeLessThanOrEqual(16)
    await pass(site, 2000)
    expect([...running, await fill(a), await fill(b)].flat()).toHaveLength(16)
  })

  it('are shared equally by the processes that were there, for who calls for the first time as well', async () => {
    const site = twoProcesses()
    const [a, b] = site.processes
    end([...(await fill(a, 1)), ...(await fill(b, 1))])
    await pass(site, 1000)
    site.state.isLost = true
    await pass(site, 500)
    const other = (limiter: Limiter) => limiter.enter(limitedCall({ key: 6 }), need)
    const entries = await Promise.allSettled(
      [a, b].flatMap((limiter) => Array.from({ length: 16 }, async () => other(limiter))),
    )
    expect(entries.filter(({ status }) => status === 'fulfilled')).toHaveLength(16)
  })
})
