import { type LimitChange, limitChange } from '@tollgate/contract'
import type { z } from 'zod'
import type { RateLimiter } from '../../../src/http/limits/rate-limit.ts'
import type { LimitedCall } from '../../../src/limits/call-limits.ts'
import type { StoredUse } from '../../../src/limits/limit-store.ts'
import { openMemoryLimitStore } from '../../../src/limits/limit-store.ts'
import { type Limiter, openLimiter } from '../../../src/limits/limiter.ts'
import type { LimiterParts, StoredCount } from '../../../src/limits/limiter-parts.ts'
import { openThrottles, type ThrottleParts, type Throttles } from '../../../src/limits/throttles.ts'

export const limitedCall = (changes: Partial<LimitedCall> & { key?: number; user?: number } = {}): LimitedCall => ({
  caller: {
    userId: changes.user ?? 1,
    username: 'alice',
    tokenId: changes.key ?? 5,
    tokenName: 'my key',
    group: 'default',
  },
  model: 'gpt-5',
  ip: '192.0.2.1',
  ...changes,
})

/** Counts in memory, as the database keeps them. */
export const memoryCounts = (): LimiterParts['counts'] & { of(node: string): LimiterParts['counts'] } => {
  const rows = new Map<string, StoredCount & { node: string }>()
  const of = (node: string): LimiterParts['counts'] => ({
    read: async (limitId, digest, since) =>
      [...rows.values()]
        .filter((row) => row.limitId === limitId && row.digest === digest && row.at >= since)
        .map((row): StoredUse => [row.node, row.at, row.used]),
    write: async (counts) => {
      for (const row of counts) rows.set(`${row.limitId} ${row.digest} ${row.at} ${node}`, { ...row, node })
    },
  })
  return { ...of('a'), of }
}

type Rule = Partial<z.input<typeof limitChange>>

/** A limit of ten requests a minute for each key, with changes. */
export const aLimit = (rule: Rule = {}, id = 1) => ({
  ...limitChange.parse({
    name: 'test',
    measure: 'requests',
    amount: 10,
    window: 'minute',
    subjects: [{ kind: 'key' }],
    ...rule,
  } satisfies Record<keyof Pick<LimitChange, 'name'>, unknown>),
  id,
  owner_id: 0,
  changed_time: 0,
})

export const openTestLimiter = (rules: readonly Rule[], parts: Partial<LimiterParts> = {}): Limiter => {
  const limiter = openLimiter({
    store: openMemoryLimitStore(),
    isShared: false,
    node: 'a',
    clock: () => 0,
    counts: memoryCounts(),
    amountText: (quota: number) => `$${quota}`,
    warn: () => {},
    ...parts,
  })
  limiter.setLimits(rules.map((rule, index) => aLimit(rule, index + 1)))
  return limiter
}

/** Throttles of a process alone, or of one of several that share a store. */
export const openTestThrottles = (parts: Partial<ThrottleParts> = {}): Throttles =>
  openThrottles({
    store: openMemoryLimitStore(),
    isShared: false,
    node: 'a',
    clock: () => 0,
    warn: () => {},
    ...parts,
  })

/** Rate limiter of the console's HTTP side. */
export const testRateLimiter = (parts: Partial<ThrottleParts> = {}): RateLimiter => {
  const throttles = openTestThrottles(parts)
  return {
    take: (key, { enabled, ...throttle }) => !enabled || throttles.take(key, throttle),
    giveBack: throttles.giveBack,
  }
}
