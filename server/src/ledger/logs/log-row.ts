import { logType } from '@tollgate/contract'
import type { CellRows, SqlValue } from '../../db/database.ts'
import { rowsOf } from '../../db/insert.ts'
import type { LogsTable } from '../../db/schema.ts'
import type { JournalRecord } from '../../journal/journal-record.ts'

const logColumns = [
  'user_id',
  'created_at',
  'type',
  'content',
  'username',
  'token_name',
  'token_id',
  'model_name',
  'quota',
  'prompt_tokens',
  'completion_tokens',
  'use_time',
  'is_stream',
  'channel_id',
  'group',
  'request_id',
  'ip',
  'other',
  'provider_request_id',
  'answer_id',
  'session',
  'tags',
  'end_user',
  'provisional',
] as const satisfies readonly (keyof LogsTable)[]

const requestId = '"request_id":"'
const answerId = '"answer_id":"'

/** Printed JSON names these ids in its attempts only, and quotes within texts are escaped, so none looks like one. */
const lastOf = (member: string, other: string): string | null => {
  // Searching backwards is several times slower, and nearly all have one or none.
  let at = other.indexOf(member)
  if (at === -1) return null
  for (let next = at; next !== -1; next = other.indexOf(member, at + 1)) at = next
  const from = at + member.length
  return other.slice(from, other.indexOf('"', from))
}

const logCells = (record: JournalRecord): SqlValue[] => [
  record.userId,
  Math.floor(record.at / 1000),
  record.kind === 'charge' ? logType.consume : logType.error,
  record.content,
  record.username,
  record.tokenName,
  record.tokenId,
  record.model,
  record.quota,
  record.promptTokens,
  record.completionTokens,
  record.useTime,
  record.isStream ? 1 : 0,
  record.channelId,
  record.group,
  record.id,
  record.ip,
  record.other,
  lastOf(requestId, record.other),
  lastOf(answerId, record.other),
  record.session ?? null,
  record.tags ?? null,
  record.endUser ?? null,
  record.receipt?.includes('"provisional":') === true ? 1 : null,
]

/** The log's rows of finished requests, for `insertMany`. */
export const logRows = (records: readonly JournalRecord[]): CellRows => ({
  columns: logColumns,
  ...rowsOf(records, logCells),
})
