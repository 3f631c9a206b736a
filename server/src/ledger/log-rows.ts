import { logType } from '@tollgate/contract'
import type { Database, Row } from '../db/database.ts'
import { printedJson } from '../lib/printed-json.ts'
import type { RequestRecord } from '../relay/ports.ts'
import { addUsage } from './hours.ts'
import { usageOf } from './usage-of.ts'

/**
 * Writes what people read about finished requests; a request that has its row already keeps it. Failures are counted
 * where they are new: in one transaction with their rows, unless logs have a database of their own.
 */
export const writeLogs = async (
  { database, logDatabase }: { database: Database; logDatabase: Database },
  records: readonly RequestRecord[],
): Promise<void> => {
  if (records.length === 0) return
  const failures = await notYetLogged(logDatabase, records)
  const rows = records.map(logRow)
  if (failures.length === 0) return logDatabase.insertMany('logs', rows, { skipExisting: true })
  await database.transaction(async (trx) => {
    await addUsage(trx, usageOf(failures))
    if (logDatabase === database) await database.insertMany('logs', rows, { trx, skipExisting: true })
  })
  if (logDatabase !== database) await logDatabase.insertMany('logs', rows, { skipExisting: true })
}

const notYetLogged = async (
  { query }: Database,
  records: readonly RequestRecord[],
): Promise<readonly RequestRecord[]> => {
  const failed = records.filter(({ kind }) => kind === 'error')
  if (failed.length === 0) return failed
  const ids = failed.map(({ id }) => id)
  const known = await query.selectFrom('logs').select('request_id').where('request_id', 'in', ids).execute()
  const seen = new Set(known.map(({ request_id }) => request_id))
  return failed.filter(({ id }) => !seen.has(id) && seen.add(id))
}

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
