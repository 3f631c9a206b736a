import type { Generated } from 'kysely'
import type { Flag, Id, LedgerQuota, Time } from './columns.ts'

export interface TokensTable {
  id: Id
  user_id: number
  /** Keyed hash of the 48 characters, for look-up. */
  key_hash: string
  /** The 48 characters, encrypted. */
  key_cipher: string
  /** `abc***xyz`. */
  key_hint: string
  status: number
  name: string
  created_time: Time
  accessed_time: Time
  expired_time: Time
  remain_quota: LedgerQuota
  unlimited_quota: Flag
  model_limits_enabled: Flag
  model_limits: string
  allow_ips: string
  used_quota: LedgerQuota
  group: string
  deleted_at: Time | null
  /** 0 for keys of people's own. */
  project_id: Generated<number>
  /** The person who uses a project's key; 0 for a machine. */
  member_id: Generated<number>
  /** The only person who is shown the secret of a person's key of a project; 0 where others may know it, and for all other keys. */
  secret_for: Generated<number>
  /** JSON object of cost tags; null for none. */
  tags: string | null
  /** 1 where answers state their cost. */
  include_cost: Generated<number>
  /** 1 where calls without a deadline are refused. */
  deadline_only: Generated<number>
}

/** API keys. */
export interface TokenTables {
  tokens: TokensTable
}
