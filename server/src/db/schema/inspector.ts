import type { Flag, Id, Time } from './columns.ts'

/** A time during which calls of a key, of a user or at a channel are captured. */
export interface InspectionsTable {
  id: Id
  /** `token`, `user` or `channel`. */
  kind: string
  target_id: number
  target_name: string
  reason: string
  started_by: number
  /** Of who started it: calls of higher ones are not captured. */
  started_role: number
  started_name: string
  started_time: Time
  /** When it ends, or was ended. */
  ends_time: Time
}

/** A call with its bodies as they came and went, without secrets. */
export interface CapturesTable {
  id: Id
  inspection_id: number
  request_id: string
  created_time: Time
  expires_time: Time
  user_id: number
  /** Of its caller: administrators of a lower one do not see it. */
  user_role: number
  username: string
  token_name: string
  channel_id: number
  model: string
  path: string
  status: number
  quota: number
  prompt_tokens: number
  completion_tokens: number
  took_ms: number
  bytes: number
  pinned: number
  replay_of: number
  /** Encrypted JSON, see `captureContent`. */
  content_cipher: string
}

/** A call that a second gateway was asked, too. */
export interface DualRunsTable {
  id: Id
  request_id: string
  created_time: Time
  model: string
  path: string
  /** HTTP status of the second gateway; 0 where it did not answer. */
  status: number
  same_text: Flag
  same_tools: Flag
  same_finish: Flag
  same_usage: Flag
  /** 1 where anything is not the same. */
  differs: Flag
  quota: number
  /** Its usage at the price of this call. */
  second_quota: number
  /** What it may have cost there. */
  spent: number
  prompt_tokens: number
  completion_tokens: number
  second_prompt_tokens: number
  second_completion_tokens: number
  took_ms: number
  second_ms: number
  /** Encrypted JSON, see `dualRunTexts`. */
  content_cipher: string
}

export interface InspectorTables {
  dual_runs: DualRunsTable
  inspections: InspectionsTable
  captures: CapturesTable
}
