import { fitting } from '../db/column-lengths.ts'
import type { RequestRecord } from '../relay/ports.ts'

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

/** Who called what, through which channel. */
export interface UsageDimensions {
  readonly user_id: number
  readonly token_id: number
  readonly token_name: string
  readonly channel_id: number
  readonly group: string
  readonly model_name: string
}

export interface UsageSum {
  /** Start of the hour or day (UTC) in unix seconds. */
  readonly at: number
  readonly dimensions: UsageDimensions
  count: number
  quota: number
  prompt_tokens: number
  completion_tokens: number
}

/** What a batch of charges adds to each row, so that a row is changed once per batch. */
export interface Sums {
  readonly users: ReadonlyMap<number, { quota: number; requests: number }>
  readonly tokens: ReadonlyMap<number, { quota: number; lastAt: number }>
  readonly channels: ReadonlyMap<number, number>
  readonly hours: ReadonlyMap<string, HourSum>
  readonly usageHours: readonly UsageSum[]
  readonly usageDays: readonly UsageSum[]
}

const secondsPerHour = 3600
const secondsPerDay = 86_400

/** A request without any tokens or charge is logged but not counted (relay reference §8.4). */
const counts = (record: RequestRecord): boolean => record.quota > 0 || record.promptTokens + record.completionTokens > 0

export const sumsOf = (records: readonly RequestRecord[]): Sums => {
  const users = new Map<number, { quota: number; requests: number }>()
  const tokens = new Map<number, { quota: number; lastAt: number }>()
  const channels = new Map<number, number>()
  const hours = new Map<string, HourSum>()
  const usageHours = new Map<string, UsageSum>()
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
    addRecord(usageHours, record, hour)
  }
  return { users, tokens, channels, hours, usageHours: [...usageHours.values()], usageDays: daysOf(usageHours) }
}

const addRecord = (usage: Map<string, UsageSum>, record: RequestRecord, { hour, model }: HourSum): void => {
  const { userId, tokenId, tokenName, channelId, group } = record
  const sum = entryOf(usage, `${hour} ${userId} ${tokenId} ${channelId} ${tokenName}\n${group}\n${model}`, () => ({
    at: hour,
    dimensions: {
      user_id: userId,
      token_id: tokenId,
      token_name: fitting('usage_hours', 'token_name', tokenName),
      channel_id: channelId,
      group: fitting('usage_hours', 'group', group),
      model_name: model,
    },
    ...nothing,
  }))
  addSum(sum, { ...record, count: 1, prompt_tokens: record.promptTokens, completion_tokens: record.completionTokens })
}

const nothing = { count: 0, quota: 0, prompt_tokens: 0, completion_tokens: 0 }

const addSum = (to: UsageSum, more: typeof nothing): void => {
  to.count += more.count
  to.quota += more.quota
  to.prompt_tokens += more.prompt_tokens
  to.completion_tokens += more.completion_tokens
}

const daysOf = (hours: ReadonlyMap<string, UsageSum>): UsageSum[] => {
  const days = new Map<string, UsageSum>()
  for (const sum of hours.values()) {
    const at = sum.at - (sum.at % secondsPerDay)
    const { dimensions } = sum
    addSum(
      entryOf(days, JSON.stringify([at, ...Object.values(dimensions)]), () => ({ at, dimensions, ...nothing })),
      sum,
    )
  }
  return [...days.values()]
}

const hourOf = (hours: Map<string, HourSum>, record: RequestRecord, seconds: number): HourSum => {
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

const entryOf = <K, V>(map: Map<K, V>, key: K, make: () => V): V => {
  const known = map.get(key)
  if (known !== undefined) return known
  const fresh = make()
  map.set(key, fresh)
  return fresh
}
