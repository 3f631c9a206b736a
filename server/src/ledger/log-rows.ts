import { logType } from '@tollgate/contract'
import type { Database, Row } from '../db/database.ts'
import { printedJson } from '../lib/printed-json.ts'
import type { RequestRecord } from '../relay/ports.ts'

/** Writes what people read about finished requests; a request that has its row already keeps it. */
export const writeLogs = (database: Database, records: readonly RequestRecord[]): Promise<void> =>
  records.length === 0 ? Promise.resolve() : database.insertMany('logs', records.map(logRow), { skipExisting: true })

/** The receipt stands last in `other`; its text is the one that the ledger entry has. */
const otherText = ({ other, receipt }: RequestRecord): string => {
  const text = printedJson(other)
  if (receipt === undefined) return text
  return `${text.slice(0, -1)}${text === '{}' ? '' : ','}"receipt":${printedJson(receipt)}}`
}

const logRow = (record: RequestRecord): Row => ({
  user_id: record.userId,
  created_at: Math.floor(record.at / 1000),
  type: record.kind === 'charge' ? logType.consume : logType.error,
  content: record.content,
  username: record.username,
  token_name: record.tokenName,
  token_id: record.tokenId,
  model_name: record.model,
  quota: record.quota,
  prompt_tokens: record.promptTokens,
  completion_tokens: record.completionTokens,
  use_time: record.useTime,
  is_stream: record.isStream ? 1 : 0,
  channel_id: record.channelId,
  group: record.group,
  request_id: record.id,
  ip: record.ip,
  other: otherText(record),
})
