import { fitting } from '../../db/column-lengths.ts'
import type { CallGroup } from '../apply/call-groups.ts'

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

/** Sums of a batch of charges for each row, so that a row is changed once per batch. */
export interface BatchSums {
  readonly users: ReadonlyMap<number, { quota: number; requests: number }>
  readonly tokens: ReadonlyMap<number, { quota: number; lastAt: number }>
  readonly channels: ReadonlyMap<number, number>
  readonly hours: ReadonlyMap<string, HourSum>
}

/** Sums the calls of a batch by user, key, channel and hour. */
export const sumsOf = (groups: readonly CallGroup[]): BatchSums => {
  const users = new Map<number, { quota: number; requests: number }>()
  const tokens = new Map<number, { quota: number; lastAt: number }>()
  const channels = new Map<number, number>()
  const hours = new Map<string, HourSum>()
  for (const group of groups) {
    const { userId, tokenId, channelId } = group.like
    const user = entryOf(users, userId, () => ({ quota: 0, requests: 0 }))
    user.quota += group.quota
    user.requests += group.requests
    if (tokenId !== 0) {
      const token = entryOf(tokens, tokenId, () => ({ quota: 0, lastAt: 0 }))
      token.quota += group.quota
      token.lastAt = Math.max(token.lastAt, group.lastAt)
    }
    if (channelId !== 0) channels.set(channelId, (channels.get(channelId) ?? 0) + group.quota)
    const sum = hourSum(hours, group)
    sum.tokens += group.promptTokens + group.completionTokens
    sum.count += group.charges
    sum.quota += group.quota
  }
  return { users, tokens, channels, hours }
}

const hourSum = (hours: Map<string, HourSum>, { like, hour }: CallGroup): HourSum => {
  const model = fitting('quota_data', 'model_name', like.model)
  return entryOf(hours, `${like.userId} ${hour} ${model}`, () => ({
    userId: like.userId,
    username: like.username,
    model,
    hour,
    tokens: 0,
    count: 0,
    quota: 0,
  }))
}

/** The entry of a map, made where it is missing. */
export const entryOf = <K, V>(map: Map<K, V>, key: K, make: () => V): V => {
  const cached = map.get(key)
  if (cached !== undefined) return cached
  const fresh = make()
  map.set(key, fresh)
  return fresh
}
