import type { Generated } from 'kysely'
import type { Id, Time } from './columns.ts'

/** A part of answers that no table declares; see `billing/declared`. */
export interface DeclaredUsageTable {
  id: Id
  /** `declaredKey` of the three that follow. */
  kind_key: string
  kind: string
  place: string
  name: string
  first_time: Time
  last_time: Time
  calls: Generated<number>
  /** Quota units that calls were charged for it. */
  quota: Generated<number>
  /** How many calls there were when they were charged anew for the last time, and when that was. */
  settled_calls: Generated<number>
  settled_time: Generated<Time>
  /** Time of the operator's notice; 0 before it. */
  noticed_time: Generated<Time>
  /** Of the first call. */
  model_name: string
  channel_id: number
  request_id: string
  /** JSON of `DeclaredAs`; empty until it is declared. */
  declaration: string
  declared_time: Generated<Time>
  declared_by: string
}

export interface DeclaredUsageTables {
  declared_usage: DeclaredUsageTable
}
