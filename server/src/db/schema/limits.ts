import type { Generated } from 'kysely'
import type { Id, Time } from './columns.ts'

/** Limits on the number of calls and on their cost. */
export interface CallLimitsTable {
  id: Id
  /** The user with this limit on an own key; 0 for the site's. */
  owner_id: Generated<number>
  name: string
  /** JSON of everything else. */
  spec: string
  changed_time: Time
}

/** Use that one process admitted in one piece of a window. */
export interface LimitCountsTable {
  limit_id: number
  /** Digest of the values whose calls were counted. */
  subject: string
  /** Milliseconds since 1970 at which the piece begins. */
  at: number
  /** The process, named anew at each start. */
  node: string
  used: number
}

/** Notices of budgets, one for each window and percentage. */
export interface LimitNoticesTable {
  limit_id: number
  subject: string
  /** Milliseconds since 1970 at which the window begins. */
  at: number
  percent: number
  created_time: Time
}

/** Use by the end of each part of a window. */
export interface LimitPacesTable {
  limit_id: number
  subject: string
  /** Milliseconds since 1970 at which the window begins. */
  at: number
  /** JSON: numbers, null where nothing was measured. */
  used: string
}

/** Limits of calls. */
export interface LimitTables {
  call_limits: CallLimitsTable
  limit_counts: LimitCountsTable
  limit_notices: LimitNoticesTable
  limit_paces: LimitPacesTable
}
