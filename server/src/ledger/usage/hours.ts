import { hash } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { Database } from '../../db/database.ts'
import { upsert } from '../../db/dialect.ts'
import type { Tables } from '../../db/schema.ts'
import type { HourSum } from './sums.ts'
import {
  blankUsage,
  type SiteDimensions,
  type UsageBatch,
  type UsageDimensions,
  type UsageSum,
  type UserDimensions,
} from './usage-of.ts'

const mostRows = 250
const hashLength = 32

/** Adds to the hourly figures of each user and model, which clients of the reference read. */
export const addHours = async (trx: Transaction<Tables>, hours: readonly HourSum[]): Promise<void> => {
  // The same order in every transaction, so that nodes do not lock each other out.
  const sorted = hours.toSorted((left, right) => left.userId - right.userId || left.hour - right.hour)
  for (let start = 0; start < sorted.length; start += mostRows) {
    await upsert(trx, 'quota_data', sorted.slice(start, start + mostRows).map(rowOf), {
      key: ['user_id', 'model_name', 'created_at'],
      add: ['token_used', 'count', 'quota'],
    })
  }
}

const rowOf = (hour: HourSum) => ({
  user_id: hour.userId,
  username: hour.username,
  model_name: hour.model,
  created_at: hour.hour,
  token_used: hour.tokens,
  count: hour.count,
  quota: hour.quota,
})

/**
 * Adds to the sums that the dashboard and the log read. Whatever the operator switches off, these are part of the books:
 * their sums are the sums of the charges.
 */
export const addUsage = async (
  trx: Transaction<Tables>,
  { hours, days, siteDays, userPeriods }: UsageBatch,
): Promise<void> => {
  const personal = { key: ['created_at', 'dimensions_hash'], add: figures } as const
  const ofSite = { key: ['created_at', 'channel_id', 'model_name', 'group'], add: figures } as const
  const ofUsers = { key: ['created_at', 'user_id', 'token_id', 'token_name'], add: figures } as const
  await inChunks(hours.map(usageRow).sort(byPlace), (rows) => upsert(trx, 'usage_hours', rows, personal))
  await inChunks(days.map(usageRow).sort(byPlace), (rows) => upsert(trx, 'usage_days', rows, personal))
  await inChunks(siteDays.map(rowOfSum).sort(bySitePlace), (rows) => upsert(trx, 'usage_site_days', rows, ofSite))
  await inChunks(userPeriods.map(rowOfSum).sort(byUserPlace), (rows) =>
    upsert(trx, 'usage_user_periods', rows, ofUsers),
  )
}

/** Notes that there are log rows of these dimensions which are not charged, so that they are found by their day. */
export const noteUsage = (database: Database, at: number, dimensions: UsageDimensions): Promise<void> =>
  database.transaction((trx) => addUsage(trx, blankUsage(at, dimensions)))

const figures = [
  'count',
  'quota',
  'prompt_tokens',
  'completion_tokens',
  'failures',
  'cost',
  'costed_count',
  'costed_quota',
  'cached_tokens',
  'cache_write_tokens',
  'reasoning_tokens',
  'timed_tokens',
  'timed_ms',
  'missed_tokens',
  'cache_saved',
  'cache_lost',
] as const

/** Hash of the dimensions, as a short text: some servers cannot index all of their columns. */
export const hashOf = (dimensions: object): string =>
  hash('sha256', JSON.stringify(Object.values(dimensions)), 'hex').slice(0, hashLength)

/** Adds rows in chunks; each `upsert` knows its own table. */
export const inChunks = async <Row>(
  rows: readonly Row[],
  addSome: (some: readonly Row[]) => Promise<void>,
): Promise<void> => {
  for (let start = 0; start < rows.length; start += mostRows) await addSome(rows.slice(start, start + mostRows))
}

const usageRow = ({ at, dimensions, ...sums }: UsageSum) => ({
  created_at: at,
  dimensions_hash: hashOf(dimensions),
  ...dimensions,
  ...sums,
})

const rowOfSum = <D extends object>({ at, dimensions, ...sums }: UsageSum<D>) => ({
  created_at: at,
  ...dimensions,
  ...sums,
})

type Placed<Row> = (left: Row, right: Row) => number

const byText = (left: string, right: string): number => (left < right ? -1 : Number(left > right))

const byPlace: Placed<ReturnType<typeof usageRow>> = (left, right) =>
  left.created_at - right.created_at || byText(left.dimensions_hash, right.dimensions_hash)

const bySitePlace: Placed<{ created_at: number } & SiteDimensions> = (left, right) =>
  left.created_at - right.created_at ||
  left.channel_id - right.channel_id ||
  byText(left.model_name, right.model_name) ||
  byText(left.group, right.group)

const byUserPlace: Placed<{ created_at: number } & UserDimensions> = (left, right) =>
  left.created_at - right.created_at ||
  left.user_id - right.user_id ||
  left.token_id - right.token_id ||
  byText(left.token_name, right.token_name)
