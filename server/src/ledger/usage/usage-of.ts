import { fitting } from '../../db/column-lengths.ts'
import type { FinishedCall } from '../../relay/ports.ts'
import { type CallGroup, hourOf } from '../apply/call-groups.ts'
import { entryOf } from './sums.ts'

/** User, key, model and channel of a call. */
export interface UsageDimensions {
  readonly user_id: number
  readonly token_id: number
  readonly token_name: string
  readonly channel_id: number
  readonly group: string
  readonly model_name: string
}

export type SiteDimensions = Pick<UsageDimensions, 'channel_id' | 'group' | 'model_name'>

interface Figures {
  count: number
  quota: number
  prompt_tokens: number
  completion_tokens: number
  failures: number
  cost: number
  costed_count: number
  costed_quota: number
  cached_tokens: number
  cache_write_tokens: number
  reasoning_tokens: number
  timed_tokens: number
  timed_ms: number
  missed_tokens: number
  cache_saved: number
  cache_lost: number
}

export type UserDimensions = Pick<UsageDimensions, 'user_id' | 'token_id' | 'token_name'>

export interface UsageSum<D = UsageDimensions> extends Figures {
  /** Start of the hour, day or 28 days (UTC) in unix seconds. */
  readonly at: number
  readonly dimensions: D
}

/** Sums of a batch of finished requests for the dashboard and the log. */
export interface UsageBatch {
  readonly hours: readonly UsageSum[]
  readonly days: readonly UsageSum[]
  readonly siteDays: readonly UsageSum<SiteDimensions>[]
  readonly userPeriods: readonly UsageSum<UserDimensions>[]
}

const day = 86_400
/** Seconds of `usage_user_periods`. */
export const usagePeriod = 28 * day

const nothing: Readonly<Figures> = {
  count: 0,
  quota: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  failures: 0,
  cost: 0,
  costed_count: 0,
  costed_quota: 0,
  cached_tokens: 0,
  cache_write_tokens: 0,
  reasoning_tokens: 0,
  timed_tokens: 0,
  timed_ms: 0,
  missed_tokens: 0,
  cache_saved: 0,
  cache_lost: 0,
}

const dimensionsOf = (record: FinishedCall): UsageDimensions => ({
  user_id: record.userId,
  token_id: record.tokenId,
  token_name: fitting('usage_hours', 'token_name', record.tokenName),
  channel_id: record.channelId,
  group: fitting('usage_hours', 'group', record.group),
  model_name: fitting('usage_hours', 'model_name', record.model),
})

/** One text for each place; texts of dimensions hold no zero character (`fitting`). */
const placeOf = (at: number, dimensions: object): string => {
  let place = String(at)
  for (const value of Object.values(dimensions)) place += `\0${value}`
  return place
}

type Sums<D> = Map<string, UsageSum<D>>

const add = <D extends object>(sums: Sums<D>, at: number, dimensions: D, more: Readonly<Figures>): void => {
  const sum = entryOf(sums, placeOf(at, dimensions), () => ({ at, dimensions, ...nothing }))
  sum.count += more.count
  sum.quota += more.quota
  sum.prompt_tokens += more.prompt_tokens
  sum.completion_tokens += more.completion_tokens
  sum.failures += more.failures
  sum.cost += more.cost
  sum.costed_count += more.costed_count
  sum.costed_quota += more.costed_quota
  sum.cached_tokens += more.cached_tokens
  sum.cache_write_tokens += more.cache_write_tokens
  sum.reasoning_tokens += more.reasoning_tokens
  sum.timed_tokens += more.timed_tokens
  sum.timed_ms += more.timed_ms
  sum.missed_tokens += more.missed_tokens
  sum.cache_saved += more.cache_saved
  sum.cache_lost += more.cache_lost
}

const figuresOf = ({ charges, quota, promptTokens, completionTokens, failures, ...more }: CallGroup): Figures => ({
  count: charges,
  quota,
  prompt_tokens: promptTokens,
  completion_tokens: completionTokens,
  failures,
  cost: more.cost,
  costed_count: more.costedCharges,
  costed_quota: more.costedQuota,
  cached_tokens: more.cachedTokens,
  cache_write_tokens: more.cacheWriteTokens,
  reasoning_tokens: more.reasoningTokens,
  timed_tokens: more.timedTokens,
  timed_ms: more.timedMs,
  missed_tokens: more.missedTokens,
  cache_saved: more.cacheSaved,
  cache_lost: more.cacheLost,
})

/** Names are cut to what a column holds, and may then be the same. */
export const usageOf = (groups: readonly CallGroup[]): UsageBatch => {
  const hours: Sums<UsageDimensions> = new Map()
  for (const group of groups) add(hours, group.hour, dimensionsOf(group.like), figuresOf(group))
  return rolledUp(hours)
}

/** Rows for these dimensions that add nothing; `at` in unix seconds. */
export const blankUsage = (at: number, dimensions: UsageDimensions): UsageBatch => {
  const hours: Sums<UsageDimensions> = new Map()
  add(hours, hourOf(at), dimensions, nothing)
  return rolledUp(hours)
}

interface AddedQuota {
  readonly dimensions: UsageDimensions
  readonly quota: number
  /** The part of the charges that belongs to calls with a known cost. */
  readonly costedQuota: number
}

/** Quota that is added without a call; `at` in unix seconds. */
export const quotaUsage = (at: number, added: readonly AddedQuota[]): UsageBatch => {
  const hours: Sums<UsageDimensions> = new Map()
  for (const { dimensions, quota, costedQuota } of added) {
    add(hours, hourOf(at), dimensions, { ...nothing, quota, costed_quota: costedQuota })
  }
  return rolledUp(hours)
}

const rolledUp = (hours: Sums<UsageDimensions>): UsageBatch => {
  const days: Sums<UsageDimensions> = new Map()
  for (const { at, dimensions, ...figures } of hours.values()) add(days, at - (at % day), dimensions, figures)
  const siteDays: Sums<SiteDimensions> = new Map()
  const userPeriods: Sums<UserDimensions> = new Map()
  for (const { at, dimensions, ...figures } of days.values()) {
    const { user_id, token_id, token_name, channel_id, group, model_name } = dimensions
    add(siteDays, at, { channel_id, group, model_name }, figures)
    add(userPeriods, at - (at % usagePeriod), { user_id, token_id, token_name }, figures)
  }
  return {
    hours: [...hours.values()],
    days: [...days.values()],
    siteDays: [...siteDays.values()],
    userPeriods: [...userPeriods.values()],
  }
}
