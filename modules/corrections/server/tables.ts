import type { Generated } from 'kysely'
import type { Id, Time } from '#server/db/schema/columns.ts'

/** Calls that are charged anew at another price; see `ledger/corrections`. */
export interface CorrectionsTable {
  id: Id
  created_at: Time
  actor_id: number
  actor_name: string
  note: string
  state: 'preparing' | 'ready' | 'applying' | 'done' | 'cancelled'
  /** Both included. */
  from_time: Time
  to_time: Time
  /** JSON: models, channels and users; empty lists do not filter. */
  filter: string
  /** JSON: the price options that were changed. */
  changes: string
  /** JSON: the price options of the new price, as they were when it was created. */
  price: string
  /** The last row of the log that was looked at. */
  scan_at: Time
  scan_id: number
  seen: Generated<number>
  /** JSON: how many calls were left out, by reason. */
  left_out: string
  calls: Generated<number>
  old_quota: Generated<number>
  new_quota: Generated<number>
  applied: Generated<number>
  /** Calls with another charge by the time it was applied. */
  skipped: Generated<number>
  lease_time: Generated<Time>
  finished_time: Generated<Time>
}

export interface CorrectionCallsTable {
  id: Id
  correction_id: number
  request_id: string
  /** The movement that is reversed: the request's charge, or an earlier correction of it. */
  replaces: string
  user_id: number
  token_id: number
  token_name: string
  channel_id: number
  model_name: string
  group: string
  called_at: Time
  old_quota: number
  new_quota: number
  /** 1 where the upstream cost of the call is known. */
  costed: number
  /** JSON: the new receipt; empty once the ledger has it. */
  receipt: string
  state: 'waiting' | 'applied' | 'skipped'
}

export interface CorrectionUsersTable {
  id: Id
  correction_id: number
  user_id: number
  calls: number
  old_quota: number
  new_quota: number
  applied_calls: number
  applied_old: number
  applied_new: number
}

/** Calls that are charged anew. */
export interface CorrectionTables {
  corrections: CorrectionsTable
  correction_calls: CorrectionCallsTable
  correction_users: CorrectionUsersTable
}

declare module '#server/db/schema.ts' {
  interface Tables extends CorrectionTables {}
}
