import { fitting } from '../db/column-lengths.ts'
import type { FinishedCall } from '../relay/ports.ts'

export interface HourSum {
  readonly userId: number
  readonly username: string
  readonly model: string
  /** Unix seconds. */
  readonly hour: number
  tokens: number
  count: number
  quota: number
}

/** What a batch of charges adds to each row, so that a row is changed once per batch. */
export interface Sums {
  readonly users: ReadonlyMap<number, { quota: number; requests: number }>
  readonly tokens: ReadonlyMap<number, { quota: number; lastAt: number }>
  readonly channels: ReadonlyMap<number, number>
  readonly hours: ReadonlyMap<string, HourSum>
}

const secondsPerHour = 3600

/** A request without any tokens or charge is logged but not counted (relay reference §8.4). */
const counts = (record: FinishedCall): boolean => record.quota > 0 || record.promptTokens + record.completionTokens > 0

export const sumsOf = (records: readonly FinishedCall[]): Sums => {
  const users = new Map<number, { quota: number; requests: number }>()
  const tokens = new Map<number, { quota: number; lastAt: number }>()
  const channels = new Map<number, number>()
  const hours = new Map<string, HourSum>()
  for (const record of records) {
    const seconds = Math.floor(record.at / 1000)
    const user = entryOf(users, record.userId, () => ({ quota: 0, requests: 0 }))
    user.quota += record.quota
    if (counts(record)) user.requests += 1
    if (record.tokenId !== 0) {
      const token = entryOf(tokens, record.tokenId, () => ({ quota: 0, lastAt: 0 }))
      token.quota += record.quota
      token.lastAt = Math.max(token.lastAt, seconds)
    }
    if (record.channelId !== 0) channels.set(record.channelId, (channels.get(record.channelId) ?? 0) + record.quota)
    const hour = hourOf(hours, record, seconds)
    hour.tokens += record.promptTokens + record.completionTokens
    hour.count += 1
    hour.quota += record.quota
  }
  return { users, tokens, channels, hours }
}

const hourOf = (hours: Map<string, HourSum>, record: FinishedCall, seconds: number): HourSum => {
  const hour = seconds - (seconds % secondsPerHour)
  const model = fitting('quota_data', 'model_name', record.model)
  return entryOf(hours, `${record.userId} ${hour} ${model}`, () => ({
    userId: record.userId,
    username: record.username,
    model,
    hour,
    tokens: 0,
    count: 0,
    quota: 0,
  }))
}

/** The entry of a map, made where it is missing. */
export const entryOf = <K, V>(map: Map<K, V>, key: K, make: () => V): V => {
  const known = map.get(key)
  if (known !== undefined) return known
  const fresh = make()
  map.set(key, fresh)
  return fresh
}
