import { logType } from '@tollgate/contract'
import { ownMember } from '@tollgate/contract/own-member'
import type { Selectable } from 'kysely'
import type { LogsTable } from '#server/db/schema.ts'
import { isObject, parsedJson } from '#server/dialects/conversation/json.ts'

/** The columns of the log that a record is made of. */
export const usageColumns = [
  ...(['id', 'request_id', 'created_at', 'type', 'user_id', 'username', 'token_id', 'token_name'] as const),
  ...(['channel_id', 'model_name', 'group', 'quota', 'prompt_tokens', 'completion_tokens', 'use_time'] as const),
  ...(['is_stream', 'session', 'end_user', 'other'] as const),
] as const

export type UsageRow = Pick<Selectable<LogsTable>, (typeof usageColumns)[number]>

/** One call, as sinks get it. */
export interface UsageRecord {
  /** The request's id: the same however often the record is sent. */
  readonly id: string
  /** Its place in the order of records: larger than that of all before. */
  readonly sequence: number
  /** Unix seconds. */
  readonly time: number
  readonly kind: 'charge' | 'error'
  readonly user_id: number
  readonly username: string
  readonly token_id: number
  readonly token_name: string
  readonly channel_id: number
  readonly model: string
  readonly group: string
  /** Quota units. */
  readonly quota: number
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly cached_tokens: number
  readonly duration_ms: number
  readonly stream: boolean
  /** Empty for none. */
  readonly session: string
  /** The customer of the caller for whom it was made; empty for none. */
  readonly end_user: string
  /** HTTP status of a failure; 200 for a charge. */
  readonly status: number
  /** Code of a failure; empty for a charge. */
  readonly error: string
}

const numberOf = (value: unknown, otherwise: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? value : otherwise

export const usageRecord = (row: UsageRow): UsageRecord => {
  const parsed = parsedJson(row.other)
  const other = isObject(parsed) ? parsed : {}
  const failed = row.type === logType.error
  const code = ownMember(other, 'error_code')
  return {
    id: row.request_id,
    sequence: row.id,
    time: row.created_at,
    kind: failed ? 'error' : 'charge',
    user_id: row.user_id,
    username: row.username,
    token_id: row.token_id,
    token_name: row.token_name,
    channel_id: row.channel_id,
    model: row.model_name,
    group: row.group,
    quota: row.quota,
    prompt_tokens: row.prompt_tokens,
    completion_tokens: row.completion_tokens,
    cached_tokens: numberOf(ownMember(other, 'cache_tokens'), 0),
    duration_ms: numberOf(ownMember(other, 'duration_ms'), row.use_time * 1000),
    stream: row.is_stream === 1,
    session: row.session ?? '',
    end_user: row.end_user ?? '',
    status: failed ? numberOf(ownMember(other, 'status'), 0) : 200,
    error: failed && typeof code === 'string' ? code : '',
  }
}
