import type { Generated } from 'kysely'
import type { Id, Time } from './columns.ts'

export interface QuotaDataTable {
  id: Id
  user_id: number
  username: string
  model_name: string
  /** Start of the hour. */
  created_at: Time
  token_used: number
  count: number
  quota: number
}

/** Sums of charges, and how many failed calls were logged. */
interface UsageSums {
  count: number
  quota: number
  prompt_tokens: number
  completion_tokens: number
  failures: number
  /** Cost in quota units of the calls with a known cost. */
  cost: Generated<number>
  /** Number of these calls, and their charges. Calls from before these columns count as unknown. */
  costed_count: Generated<number>
  costed_quota: Generated<number>
  /** Parts of the prompt that were read from and written to the provider's cache. */
  cached_tokens: Generated<number>
  cache_write_tokens: Generated<number>
  /** Part of the completion. */
  reasoning_tokens: Generated<number>
  /** Completion tokens of streams, and milliseconds from their first contents to their ends. */
  timed_tokens: Generated<number>
  timed_ms: Generated<number>
  /** Prompt tokens that a cache could have contained but did not. */
  missed_tokens: Generated<number>
  /** Quota units saved by caches, and extra cost of misses. */
  cache_saved: Generated<number>
  cache_lost: Generated<number>
}

/**
 * Charges of an hour, for each combination of caller, channel and model. Written with the charges themselves, so the sums agree;
 * clearing logs does not change them.
 */
export interface UsageHoursTable extends UsageSums {
  id: Id
  /** Start of the hour, or of the day (UTC) in `usage_days`. */
  created_at: Time
  /** Hash of what follows up to the model; with the time it is unique. */
  dimensions_hash: string
  user_id: number
  /** 0 for the playground, like in `logs`. */
  token_id: number
  token_name: string
  channel_id: number
  group: string
  model_name: string
}

/** The same by day (UTC) for the whole site. */
export interface UsageSiteDaysTable extends UsageSums {
  id: Id
  created_at: Time
  channel_id: number
  group: string
  model_name: string
}

/** The same in 28 days, whatever was called through whichever channel: a year of a large site by user or key. */
export interface UsageUserPeriodsTable extends UsageSums {
  id: Id
  /** Start of the 28 days (UTC), counted from 1970. */
  created_at: Time
  user_id: number
  token_id: number
  token_name: string
}

/** Sums of the calls of a session, or with a cost tag, in an hour, by model. Written with their charges and failures. */
interface NamedHours extends Omit<UsageSums, 'count' | 'quota' | 'prompt_tokens' | 'completion_tokens' | 'failures'> {
  id: Id
  /** Start of the hour. */
  created_at: Time
  /** Hash of what follows up to the model; with the time it is unique. */
  dimensions_hash: string
  user_id: number
  token_id: number
  channel_id: number
  model_name: string
  count: Generated<number>
  failures: Generated<number>
  quota: Generated<number>
  prompt_tokens: Generated<number>
  completion_tokens: Generated<number>
}

export interface CallSessionHoursTable extends NamedHours {
  /** See `logs.session`. */
  session: string
}

export interface CallTagHoursTable extends NamedHours {
  /** `name=value`. */
  tag: string
}

export interface CallEndUserHoursTable extends NamedHours {
  /** See `logs.end_user`. */
  end_user: string
}

/** Hedged streams, by the losing channel. */
export interface HedgeHoursTable {
  id: Id
  /** Start of the hour. */
  created_at: Time
  channel_id: number
  model_name: string
  count: number
  /** Number of them that the second channel answered. */
  won: number
  /** Approximate quota units. */
  cost: number
}

/** Charges of a user on a day (UTC) for calls that were aborted before the first byte. */
export interface AbortedCallsTable {
  id: Id
  user_id: number
  /** Start of the day (UTC). */
  created_at: Time
  count: number
  quota: number
}

/** Sums of usage by hour, day and period. */
export interface UsageTables {
  quota_data: QuotaDataTable
  usage_hours: UsageHoursTable
  usage_days: UsageHoursTable
  usage_site_days: UsageSiteDaysTable
  usage_user_periods: UsageUserPeriodsTable
  call_session_hours: CallSessionHoursTable
  call_tag_hours: CallTagHoursTable
  call_end_user_hours: CallEndUserHoursTable
  aborted_calls: AbortedCallsTable
  hedge_hours: HedgeHoursTable
}
