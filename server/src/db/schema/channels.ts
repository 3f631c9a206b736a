import type { Generated } from 'kysely'
import type { Flag, Id, LedgerQuota, Time } from './columns.ts'

export interface ChannelsTable {
  id: Id
  type: number
  /** Encrypted; one key per line. */
  key_cipher: string
  key_hint: string
  /** Keyed hash of the whole key text, so that a search by exact key works. */
  key_hash: string
  openai_organization: string | null
  /** Longer prompts go to other channels; 0 for no limit. */
  max_input_tokens: number
  test_model: string | null
  status: number
  name: string
  weight: number
  created_time: Time
  test_time: Time
  response_time: number
  /** Status of the last test where it failed, 1 without one; 0 if it worked. */
  test_status: Generated<number>
  base_url: string
  other: string
  balance: number
  balance_updated_time: Time
  models: string
  group: string
  used_quota: LedgerQuota
  model_mapping: string | null
  status_code_mapping: string | null
  priority: number
  auto_ban: Flag
  other_info: string
  tag: string | null
  setting: string | null
  param_override: string | null
}

/** One of several keys of a channel; a channel with one key has no rows. */
export interface ChannelKeysTable {
  id: Id
  channel_id: number
  /** Keyed hash of this key alone. */
  key_hash: string
  /** 1 enabled, 2 disabled by people, 3 automatically. */
  status: number
  /** Why and when it was disabled. */
  reason: string
  status_time: Time
}

/** Results of the calls of one model of one channel in five minutes; all nodes add to the same row. */
export interface ChannelHealthTable {
  id: Id
  channel_id: number
  model_name: string
  /** Start of the five minutes. */
  bucket: Time
  ok: number
  slow: number
  auth: number
  quota: number
  rate_limited: number
  server_error: number
  timeout: number
  other: number
  /** Streams, and milliseconds until their first contents, summed. */
  first_contents: number
  first_content_ms: number
  /** Quota units. */
  spent: number
  /** How many answers took how long, by class (`channel-health/counts.ts`). */
  took_0: number
  took_1: number
  took_2: number
  took_3: number
  took_4: number
  took_5: number
  took_6: number
  took_7: number
  took_8: number
  took_9: number
  took_10: number
  took_11: number
  took_12: number
  took_13: number
  took_14: number
  took_15: number
  last_error: string
  last_error_time: Time
}

/** Channels, their keys and their health. */
export interface ChannelTables {
  channels: ChannelsTable
  channel_keys: ChannelKeysTable
  channel_health: ChannelHealthTable
}
