import { logType } from '@tollgate/contract'
import type { Selectable, Transaction } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { LogsTable, Tables } from '../../db/schema.ts'
import type { JournalRecord } from '../../journal/journal-record.ts'
import { type CallGroup, hourOf, noFigures } from '../apply/call-groups.ts'
import { addFailures } from '../speed/add-speed.ts'
import { failureClassOf } from '../speed/failure-class.ts'
import { addUsage } from '../usage/hours.ts'
import { usageOf } from '../usage/usage-of.ts'
import { logRows } from './log-row.ts'

const rowsPerQuery = 500

interface LogPlaces {
  readonly database: Database
  readonly logDatabase: Database
}

type KnownRow = Pick<
  Selectable<LogsTable>,
  | 'request_id'
  | 'type'
  | 'created_at'
  | 'user_id'
  | 'username'
  | 'token_id'
  | 'token_name'
  | 'channel_id'
  | 'model_name'
  | 'group'
  | 'other'
>

function* pagesOf<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += rowsPerQuery) yield items.slice(from, from + rowsPerQuery)
}

const knownRows = async ({ query }: Database, ids: readonly string[]): Promise<ReadonlyMap<string, KnownRow>> => {
  const existing = new Map<string, KnownRow>()
  for (const page of pagesOf(ids)) {
    const rows = await query
      .selectFrom('logs')
      .select([
        'request_id',
        'type',
        'created_at',
        'user_id',
        'username',
        'token_id',
        'token_name',
        'channel_id',
        'model_name',
        'group',
        'other',
      ])
      .where('request_id', 'in', page)
      .execute()
    for (const row of rows) existing.set(row.request_id, row)
  }
  return existing
}

/** Takes one failure out of the hourly sums that counted it. */
const withoutFailure = (row: KnownRow): CallGroup => ({
  like: {
    id: row.request_id,
    at: row.created_at * 1000,
    kind: 'error',
    userId: row.user_id,
    username: row.username,
    tokenId: row.token_id,
    tokenName: row.token_name,
    channelId: row.channel_id,
    model: row.model_name,
    group: row.group,
    quota: 0,
    promptTokens: 0,
    completionTokens: 0,
    useTime: 0,
    isStream: false,
    ip: '',
    content: '',
  },
  hour: hourOf(row.created_at),
  ...noFigures,
  failures: -1,
})

const uncount = async (trx: Transaction<Tables>, rows: readonly KnownRow[]): Promise<void> => {
  await addUsage(trx, usageOf(rows.map(withoutFailure)))
  await addFailures(
    trx,
    rows.map((row) => ({ group: withoutFailure(row), class: failureClassOf(row.other), count: -1 })),
  )
}

/**
 * Writes the rows of charges some of which have rows already: a row of the same charge stays, the row of a failure is replaced,
 * and the failure is no longer counted. Repeating it changes nothing. Where logs have a database of their own, the count is
 * corrected after the rows; a crash between the two leaves it one too high.
 */
export const replaceFailures = async (
  { database, logDatabase }: LogPlaces,
  charges: readonly JournalRecord[],
): Promise<void> => {
  const existing = await knownRows(
    logDatabase,
    charges.map(({ id }) => id),
  )
  const seen = new Set<string>()
  const missing = charges.filter(({ id }) => {
    const isWritten = seen.has(id) || (existing.get(id)?.type ?? logType.error) !== logType.error
    seen.add(id)
    return !isWritten
  })
  if (missing.length === 0) return
  const replaced = missing.flatMap(({ id }) => existing.get(id) ?? [])
  await logDatabase.transaction(async (trx) => {
    for (const page of pagesOf(replaced)) {
      const ids = page.map(({ request_id }) => request_id)
      await trx.deleteFrom('logs').where('request_id', 'in', ids).where('type', '=', logType.error).execute()
    }
    await logDatabase.insertMany('logs', logRows(missing), { trx, skipExisting: true })
    if (logDatabase === database) await uncount(trx, replaced)
  })
  if (logDatabase === database || replaced.length === 0) return
  await database.transaction((trx) => uncount(trx, replaced))
}
