import type { Transaction } from 'kysely'
import { upsert } from '../db/dialect.ts'
import type { Tables } from '../db/schema.ts'
import type { HourSum } from './sums.ts'

const mostRows = 250

/** Adds to the hourly figures of each user and model, which the dashboard draws. */
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
