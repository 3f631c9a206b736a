import type { Generated } from 'kysely'
import type { Flag, Id, Time } from './columns.ts'

/** May live in a database of its own (`LOG_SQL_DSN`). */
export interface LogsTable {
  id: Id
  user_id: number
  created_at: Time
  type: number
  content: string
  username: string
  token_name: string
  token_id: number
  model_name: string
  quota: number
  prompt_tokens: number
  completion_tokens: number
  use_time: number
  is_stream: Flag
  channel_id: number
  group: string
  /** Unique, so that replaying the journal cannot log twice; rows without a request carry a random one. */
  request_id: string
  ip: string
  other: string
  /** The provider's own id of the call, by its last attempt that has one. */
  provider_request_id: Generated<string | null>
  /** The id by which the provider's answer calls itself; null for none, and where it is the same. */
  answer_id: Generated<string | null>
  /** Id of the session that the call belongs to (`relay/sessions`); null for calls that belong to none. */
  session: Generated<string | null>
  /** Cost tags as `;name=value;name=value;` (`billing/call-tags.ts`); null for none. */
  tags: Generated<string | null>
  /** End user on whose behalf the call was made (`gateway/request/end-user.ts`); null for none. */
  end_user: Generated<string | null>
  /** 1 for a call that was charged provisionally (`billing/declared`); null for all others. */
  provisional: Generated<number | null>
}

/** Rows of `logs` that are to be deleted, and how far that is. */
export interface LogPurgesTable {
  id: Id
  /** Unique: several nodes ask for the same daily purge. */
  name: string
  /** Only rows of this type; 0 for all. */
  type: number
  /** Rows older than this moment. */
  before: Time
  /** Number of rows at the request; 0 where they were not counted. */
  total: number
  deleted: Generated<number>
  created_time: Time
  /** Until when a node works on it; others keep off. */
  lease_time: Generated<Time>
  /** 0 while it is running. */
  finished_time: Generated<Time>
}

/** A time without log rows of charges, because the operator switched them off. */
export interface LogGapsTable {
  from_time: Time
  /** The first second after it. */
  until_time: Time
}

/** The log of calls. */
export interface LogTables {
  logs: LogsTable
  log_purges: LogPurgesTable
  log_gaps: LogGapsTable
}
