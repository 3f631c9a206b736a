import type { Generated } from 'kysely'
import type { Id, Time } from './columns.ts'

type SpeedStep = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7

/**
 * How many answered calls had their first content and their end in each class of an octave of milliseconds
 * (`ledger/speed/histogram.ts`).
 */
export type SpeedCounts = { [S in SpeedStep as `first_${S}` | `total_${S}`]: Generated<number> }

/** For the whole site, by hour. */
export interface SpeedSiteHoursTable extends SpeedCounts {
  id: Id
  created_at: Time
  channel_id: number
  group: string
  model_name: string
  octave: number
}

/** The same by user and key; old ones are deleted (option SpeedRetentionDays). */
export interface SpeedHoursTable extends SpeedSiteHoursTable {
  /** Hash of users, keys, channel, group and model; with hour and octave it is unique. */
  dimensions_hash: string
  user_id: number
  token_id: number
}

/** Failed calls that were logged, by hour and class. */
export interface FailureHoursTable {
  id: Id
  created_at: Time
  /** Hash of what follows up to the class; with the hour it is unique. */
  dimensions_hash: string
  user_id: number
  token_id: number
  channel_id: number
  group: string
  model_name: string
  /** One of `errorClasses` of the contract. */
  class: string
  count: number
}

/** Speed and failures by hour. */
export interface SpeedTables {
  speed_hours: SpeedHoursTable
  speed_site_hours: SpeedSiteHoursTable
  failure_hours: FailureHoursTable
}
