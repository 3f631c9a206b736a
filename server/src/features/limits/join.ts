import { randomUUID } from 'node:crypto'
import type { ChannelDirectory } from '../../app/noun-types.ts'
import type { FeatureKit, SharedParts } from '../../app/parts.ts'
import { amountText } from '../../billing/amounts/amount-text.ts'
import { every } from '../../jobs/every.ts'
import { type LimitStore, openMemoryLimitStore } from '../../limits/limit-store.ts'
import { openRedisLimitStore } from '../../limits/limit-store-redis.ts'
import { type Limiter, openLimiter } from '../../limits/limiter.ts'
import { type BudgetWatchParts, openBudgetWatch } from './budget-watch.ts'
import { openChannelNames } from './channel-names.ts'
import { openStoredCounts, purgeCounts } from './counts.ts'
import { type LimitReads, openLimitReads } from './limit-reads.ts'
import { type Limits, openLimits } from './limits.ts'
import { limitRoutes } from './routes.ts'

export interface LimitSide {
  readonly limiter: Limiter
  readonly reads: LimitReads
  readonly createIn: Limits['createIn']
  /** Reads the limits anew on every node. */
  refresh(): Promise<void>
  /** Writes what was counted; call it when nothing is charged any more. */
  close(): Promise<void>
}

/** How often leases are renewed and counts are written. */
export const renewEveryMs = 500
const lookEveryMs = 3000
const purgeEveryMs = 6 * 3_600_000

/** Nodes share Redis, the workers of one node their primary process. */
export const limitStoreOf = ({ redis, primary }: Pick<SharedParts, 'redis' | 'primary'>): LimitStore => {
  if (redis !== undefined) return openRedisLimitStore({ redis })
  return primary?.limits ?? openMemoryLimitStore()
}

interface LimitNeeds {
  readonly budgetNotice: BudgetWatchParts['noticeOf']
  readonly budgetNoticeTo: BudgetWatchParts['noticeTo']
  /** Refuses an address that notices cannot go to. Throws AppError. */
  assertTarget(target: string): Promise<void>
  /** Hint of a channel's key that may be shown. */
  keyHint(type: number, key: string): string
  readonly directory: Pick<ChannelDirectory, 'snapshot'>
}

/** Joins the limits of calls: their screen's API, and what counts. */
export const joinLimits = async (
  kit: FeatureKit,
  { budgetNotice, budgetNoticeTo, assertTarget, keyHint, directory }: LimitNeeds,
): Promise<LimitSide> => {
  const { database, audit, bus, clock, countingClock, log, options, config, redis, primary, sources, on } = kit
  const node = `${config.nodeName.slice(0, 100)}:${randomUUID()}`
  const quotaText = (quota: number): string =>
    amountText(quota, {
      inCurrency: options.get('DisplayInCurrencyEnabled'),
      quotaPerUnit: options.get('QuotaPerUnit'),
    })
  const limiter = openLimiter({
    store: limitStoreOf(kit),
    isShared: redis !== undefined || primary !== undefined,
    node,
    clock: countingClock,
    warn: log.warn,
    counts: openStoredCounts(database, node),
    amountText: quotaText,
  })
  const channels = openChannelNames(() => directory.snapshot().all(), keyHint)
  const budgets = openBudgetWatch({
    database,
    channels,
    clock: countingClock,
    telling: limiter.telling,
    watched: limiter.watched,
    amountText: quotaText,
    noticeOf: budgetNotice,
    noticeTo: budgetNoticeTo,
  })
  const limits = await openLimits({
    database,
    audit,
    bus,
    clock,
    assertTarget,
    changed(all) {
      limiter.setLimits(all)
      sources.bump()
    },
    warn: log.warn,
  })
  const late = (error: unknown): void => log.warn('limits_not_renewed', { error })
  const stops = [
    every(renewEveryMs, limiter.renew, late),
    every(lookEveryMs, budgets.look, (error) => log.warn('budgets_not_told', { error })),
    every(config.syncFrequencyMs, limits.look, (error) => log.warn('limits_not_read', { error })),
    every(purgeEveryMs, () => purgeCounts(database, countingClock()), late),
  ]
  limitRoutes(on, { limits, limiter, database, channels, clock: countingClock })
  return {
    limiter,
    reads: openLimitReads({ limits, limiter, database, channels, clock: countingClock }),
    createIn: limits.createIn,
    refresh: limits.refresh,
    async close() {
      for (const stop of stops) stop()
      limits.close()
      await limiter.renew()
    },
  }
}
