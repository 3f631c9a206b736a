import type { Flag, Id, Time } from '#server/db/schema/columns.ts'

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
  /** Most that it may have cost there. */
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

export interface DualRunTables {
  dual_runs: DualRunsTable
}

declare module '#server/db/schema.ts' {
  interface Tables extends DualRunTables {}
}
