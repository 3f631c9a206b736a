import { logType } from '@tollgate/contract'
import type { Database } from '../../db/database.ts'
import { dayTableOf, splitRange, sumUsage, usageBegins } from '../../ledger/usage/usage.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import { isOfSums } from './days.ts'
import type { LogFilter } from './filter.ts'
import type { LogStore } from './store.ts'

export interface LogStat {
  /** Charges in the range. */
  readonly quota: number
  /** Requests and tokens of the last 60 seconds. */
  readonly rpm: number
  readonly tpm: number
}

const minute = 60

/**
 * Figures above the log. Whole hours and days come from the sums that are written with the charges, so a year costs no
 * more than a day, and clearing logs changes nothing; rows are only added up at the edges, and for what is older than the
 * sums.
 */
export const createLogStat = (parts: {
  store: Pick<LogStore, 'quota' | 'load' | 'reach'>
  /** The main database, which has the usage sums. */
  database: Database
  clock: Clock
}): ((filter: LogFilter) => Promise<LogStat>) => {
  const { store, database, clock } = parts

  /** Sums the charges of the rows that a list looks through. */
  const chargedInRows = async (filter: LogFilter): Promise<number> => {
    const listed = await store.reach(filter)
    const seen = await store.reach({ ...listed.filter, type: logType.consume })
    return store.quota(seen.filter)
  }

  const charged = async (filter: LogFilter): Promise<number> => {
    const begins = await usageBegins(database)
    // Charges are asked for in any case, whatever type of rows is listed.
    if (begins === undefined || !isOfSums({ ...filter, type: undefined })) return chargedInRows(filter)
    const to = Math.min(filter.to || Number.POSITIVE_INFINITY, unixSeconds(clock))
    const from = filter.from || 0
    const { spans, edges } = splitRange({ from: Math.max(from, begins), to }, dayTableOf(filter))
    const older = from < begins ? [{ from, to: Math.min(begins - 1, to) }] : []
    const [summed, ...rows] = await Promise.all([
      sumUsage(database, filter, spans),
      ...[...older, ...edges].map((edge) => store.quota({ ...filter, ...edge })),
    ])
    return rows.reduce((sum, quota) => sum + quota, summed.quota)
  }

  return async (filter) => {
    const lastMinute = { ...filter, from: unixSeconds(clock) - minute, to: undefined }
    const [quota, load] = await Promise.all([charged(filter), store.load(lastMinute)])
    return { quota, rpm: load.requests, tpm: load.tokens }
  }
}
