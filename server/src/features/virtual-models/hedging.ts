import type { DataOf, readHedging } from '@tollgate/contract'
import type { Database } from '../../db/database.ts'
import { hedgeCostSince, hedgeSums } from '../../ledger/hedges/hedge-hours.ts'
import type { HedgeBudget, HedgeLimits } from '../../relay/routing/hedging/hedge-budget.ts'

export interface HedgingParts {
  readonly database: Pick<Database, 'query'>
  readonly budget: HedgeBudget
  limits(): HedgeLimits
  /** True if any group or virtual model asks second channels. */
  isOn(): boolean
  channelName(id: number): string
  readonly clock: () => number
}

const hour = 3600
const day = 86_400
const mostSums = 100

/** Brings what all nodes have spent into the budget of this one. Nothing is read where no second channel is asked. */
export const refreshHedgeBudget = async ({ database, budget, isOn, clock }: HedgingParts): Promise<void> => {
  if (!isOn()) return
  const now = clock()
  const seconds = Math.floor(now / 1000)
  const perHour = await hedgeCostSince(database, seconds - (seconds % hour))
  const perDay = await hedgeCostSince(database, seconds - (seconds % day))
  budget.seen({ perHour, perDay }, now)
}

/** Recent cost of second channels. */
export const readHedgingOf = async (days: number, parts: HedgingParts): Promise<DataOf<typeof readHedging>> => {
  await refreshHedgeBudget(parts)
  const now = parts.clock()
  const { perHour, perDay } = parts.budget.spent(now)
  const { perHour: hour_limit, perDay: day_limit } = parts.limits()
  const from = Math.floor(now / 1000) - days * day
  const sums = await hedgeSums(parts.database, { from, most: mostSums })
  return {
    spent: { hour: perHour, day: perDay, hour_limit, day_limit },
    on: parts.isOn(),
    sums: sums.map((sum) => ({ ...sum, channel_name: parts.channelName(sum.channel_id) })),
  }
}
