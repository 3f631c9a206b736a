import { logType } from '@tollgate/contract'
import type { Cell, Database } from '../db/database.ts'
import { rowsOf } from '../db/insert.ts'
import type { LogsTable } from '../db/schema.ts'
import type { Booked } from '../journal/booked.ts'
import { groupCalls } from './call-groups.ts'
import { addUsage } from './hours.ts'
import { usageOf } from './usage-of.ts'

/**
 * Writes what people read about finished requests; a request that has its row already keeps it. Failures are counted
 * where they are new: in one transaction with their rows, unless logs have a database of their own.
 */
export const writeLogs = async (
  { database, logDatabase }: { database: Database; logDatabase: Database },
  records: readonly Booked[],
): Promise<void> => {
  if (records.length === 0) return
  const failures = await notYetLogged(logDatabase, records)
  const rows = { columns: logColumns, ...rowsOf(records, logCells) }
  if (failures.length === 0) return logDatabase.insertMany('logs', rows, { skipExisting: true })
  await database.transaction(async (trx) => {
    await addUsage(trx, usageOf(groupCalls(failures)))
    if (logDatabase === database) await database.insertMany('logs', rows, { trx, skipExisting: true })
  })
  if (logDatabase !== database) await logDatabase.insertMany('logs', rows, { skipExisting: true })
}

const notYetLogged = async ({ query }: Database, records: readonly Booked[]): Promise<readonly Booked[]> => {
  const failed = records.filter(({ kind }) => kind === 'error')
  if (failed.length === 0) return failed
  const ids = failed.map(({ id }) => id)
  const known = await query.selectFrom('logs').select('request_id').where('request_id', 'in', ids).execute()
  const seen = new Set(known.map(({ request_id }) => request_id))
  return failed.filter(({ id }) => !seen.has(id) && seen.add(id))
}

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
] as const satisfies readonly (keyof LogsTable)[]

const logCells = (record: Booked): Cell[] => [
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
]
