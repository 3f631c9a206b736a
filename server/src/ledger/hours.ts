import { hash } from 'node:crypto'
import type { Transaction } from 'kysely'
import { upsert } from '../db/dialect.ts'
import type { Tables } from '../db/schema.ts'
import type { HourSum, UsageSum } from './sums.ts'

const mostRows = 250
const hashLength = 32

/** Adds to the hourly figures of each user and model, which clients of the reference read (server reference §3.11). */
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
 * Adds to the figures that the dashboard and the sums of the log are made of. Whatever the operator switches off, these
 * are part of the books: their sums are the sums of the charges.
 */
export const addUsage = async (
  trx: Transaction<Tables>,
  { usageHours, usageDays }: { usageHours: readonly UsageSum[]; usageDays: readonly UsageSum[] },
): Promise<void> => {
  await addTo(trx, 'usage_hours', usageHours)
  await addTo(trx, 'usage_days', usageDays)
}

const addTo = async (
  trx: Transaction<Tables>,
  table: 'usage_hours' | 'usage_days',
  sums: readonly UsageSum[],
): Promise<void> => {
  const rows = sums
    .map(usageRow)
    .sort(
      (left, right) => left.created_at - right.created_at || (left.dimensions_hash < right.dimensions_hash ? -1 : 1),
    )
  for (let start = 0; start < rows.length; start += mostRows) {
    await upsert(trx, table, rows.slice(start, start + mostRows), {
      key: ['created_at', 'dimensions_hash'],
      add: ['count', 'quota', 'prompt_tokens', 'completion_tokens'],
    })
  }
}

const usageRow = ({ at, dimensions, ...sums }: UsageSum) => ({
  created_at: at,
  dimensions_hash: hash('sha256', JSON.stringify(Object.values(dimensions)), 'hex').slice(0, hashLength),
  ...dimensions,
  ...sums,
})
