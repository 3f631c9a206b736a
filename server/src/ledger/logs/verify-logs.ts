import { setTimeout as sleep } from 'node:timers/promises'
import { channelTestLabel, logType } from '@tollgate/contract'
import type { Database } from '../../db/database.ts'
import type { LogsTable } from '../../db/schema.ts'
import type { LedgerDifference } from '../verify/difference.ts'
import { readLogGaps } from './log-gaps.ts'

export interface LogVerificationParts {
  readonly database: Database
  /** The same as `database` unless logs live apart. */
  readonly logDatabase: Database
  /** How long rows of charges that a working gateway has just made are waited for; milliseconds. */
  readonly patienceMs?: number
}

/** Before the request ids of logged calls that came from another gateway's database; no request here gets one like it. */
export const importedCallMark = 'import:'

const pageSize = 1000
const lookAgainMs = 250

interface Charge {
  readonly id: number
  readonly movement: string
  readonly account_id: number
  readonly token_id: number | null
  readonly amount: number
  readonly created_at: number
}

interface Row {
  readonly request_id: string
  readonly type: number
  readonly user_id: number
  readonly token_id: number
  readonly quota: number
}

/**
 * Compares charges with the rows that people read: each charge has one row of its quota, user and token, and each row its
 * charge. Charges from before the oldest row, of purged times and of times when charges were not logged may lack theirs.
 * Reads both in pages.
 */
export const verifyLogs = async (
  parts: LogVerificationParts,
): Promise<{ compared: number; unlogged: number; differences: LedgerDifference[] }> => {
  const first = await chargesAgainstRows(parts)
  const { missing, unlogged } = await stillMissing(parts, first.missing)
  const rows = await rowsAgainstCharges(parts)
  return {
    compared: rows.compared,
    unlogged,
    differences: [...first.differences, ...missing.map(missingRow), ...rows.differences],
  }
}

const chargesAgainstRows = async ({
  database,
  logDatabase,
}: LogVerificationParts): Promise<{ missing: Charge[]; differences: LedgerDifference[] }> => {
  const missing: Charge[] = []
  const differences: LedgerDifference[] = []
  for (let after = 0; ; ) {
    const page = await chargesAfter(database, after)
    const last = page.at(-1)
    if (last === undefined) return { missing, differences }
    after = last.id
    const rows = await rowsOf(logDatabase, page)
    const tokens = await tokensOfOlder(database, page)
    for (const charge of page) {
      const row = rows.get(charge.movement)
      if (row === undefined) missing.push(charge)
      else differences.push(...differencesOf(charge, row, charge.token_id ?? tokens.get(charge.movement) ?? 0))
    }
  }
}

const chargesAfter = (database: Database, after: number): Promise<Charge[]> =>
  database.query
    .selectFrom('ledger_entries')
    .select(['id', 'movement', 'account_id', 'token_id', 'amount', 'created_at'])
    .where('id', '>', after)
    .where('account', '=', 'user')
    .where('reason', '=', 'charge')
    .orderBy('id')
    .limit(pageSize)
    .execute()

const rowsOf = async ({ query }: Database, charges: readonly Charge[]): Promise<ReadonlyMap<string, Row>> => {
  const ids = charges.map(({ movement }) => movement)
  const rows = await query
    .selectFrom('logs')
    .select(['request_id', 'type', 'user_id', 'token_id', 'quota'])
    .where('request_id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.request_id, row]))
}

/** Earlier versions named the token in an entry of its own. */
const tokensOfOlder = async ({ query }: Database, charges: readonly Charge[]): Promise<ReadonlyMap<string, number>> => {
  const ids = charges.flatMap(({ token_id, movement }) => (token_id === null ? movement : []))
  if (ids.length === 0) return new Map()
  const entries = await query
    .selectFrom('ledger_entries')
    .select(['movement', 'account_id'])
    .where('account', '=', 'token')
    .where('movement', 'in', ids)
    .execute()
  return new Map(entries.map(({ movement, account_id }) => [movement, account_id]))
}

const differencesOf = ({ movement, account_id: id, amount }: Charge, row: Row, tokenId: number): LedgerDifference[] => {
  const found = (what: string, stored: number | string, computed: number): LedgerDifference => ({
    account: 'log',
    id,
    what,
    stored,
    computed,
    movement,
  })
  const quota = 0 - amount
  if (row.type !== logType.consume) return [found('row', `of type ${row.type}`, quota)]
  return [
    ...(row.quota === quota ? [] : [found('quota', row.quota, quota)]),
    ...(row.user_id === id ? [] : [found('user', row.user_id, id)]),
    ...(row.token_id === tokenId ? [] : [found('token', row.token_id, tokenId)]),
  ]
}

const missingRow = ({ movement, account_id: id, amount }: Charge): LedgerDifference => ({
  account: 'log',
  id,
  what: 'row',
  stored: 'missing',
  computed: 0 - amount,
  movement,
})

/** A working gateway writes rows after the money, and a purge takes old ones away meanwhile. */
const stillMissing = async (
  parts: LogVerificationParts,
  charges: readonly Charge[],
): Promise<{ readonly missing: readonly Charge[]; readonly unlogged: number }> => {
  const { logDatabase, patienceMs = 5000 } = parts
  let left = await expected(parts, charges)
  const unlogged = charges.length - left.length
  for (let waited = 0; left.length > 0 && waited < patienceMs; waited += lookAgainMs) {
    await sleep(lookAgainMs)
    const before = left
    left = []
    for (let from = 0; from < before.length; from += pageSize) {
      const page = before.slice(from, from + pageSize)
      const rows = await rowsOf(logDatabase, page)
      left.push(...page.filter(({ movement }) => !rows.has(movement)))
    }
  }
  return { missing: await expected(parts, left), unlogged }
}

/** Those that must have a row. */
const expected = async (
  { database, logDatabase }: LogVerificationParts,
  charges: readonly Charge[],
): Promise<Charge[]> => {
  if (charges.length === 0) return []
  const since = Math.max(await oldestRow(logDatabase), await purgedUntil(database))
  const isGap = await readLogGaps(database)
  return charges.filter(({ created_at: at }) => at >= since && !isGap(at))
}

/** Unix seconds; infinite where there are no rows of calls. */
const oldestRow = async ({ query }: Database): Promise<number> => {
  const oldest = await Promise.all(
    [logType.consume, logType.error].map((type) =>
      query
        .selectFrom('logs')
        .select('created_at')
        .where('type', '=', type)
        .where('request_id', 'not like', `${importedCallMark}%`)
        .orderBy('created_at')
        .orderBy('id')
        .limit(1)
        .executeTakeFirst(),
    ),
  )
  return Math.min(...oldest.map((row) => row?.created_at ?? Number.POSITIVE_INFINITY))
}

const purgedUntil = async ({ query }: Database): Promise<number> => {
  const { last } = await query
    .selectFrom('log_purges')
    .select(({ fn }) => fn.max('before').as('last'))
    .where('type', 'in', [logType.unknown, logType.consume])
    .executeTakeFirstOrThrow()
  return Number(last ?? 0)
}

const rowsAgainstCharges = async ({
  database,
  logDatabase,
}: LogVerificationParts): Promise<{ compared: number; differences: LedgerDifference[] }> => {
  const differences: LedgerDifference[] = []
  let compared = 0
  for (let after = 0; ; ) {
    const page = await logDatabase.query
      .selectFrom('logs')
      .select(['id', 'request_id', 'type', 'user_id', 'token_id', 'token_name', 'quota'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(pageSize)
      .execute()
    const last = page.at(-1)
    if (last === undefined) return { compared, differences }
    after = last.id
    const rows = page.filter(isOfCharge)
    compared += rows.length
    const charged = await chargedAmong(
      database,
      rows.map(({ request_id }) => request_id),
    )
    for (const { request_id: movement, user_id: id, quota } of rows) {
      if (charged.has(movement)) continue
      differences.push({ account: 'log', id, what: 'charge', stored: quota, computed: 'missing', movement })
    }
  }
}

/** Channel tests have rows with a quota but no charge, and so have calls that another gateway charged. */
const isOfCharge = ({
  type,
  token_id,
  token_name,
  request_id,
}: Pick<LogsTable, 'type' | 'token_id' | 'token_name' | 'request_id'>): boolean =>
  type === logType.consume &&
  (token_id !== 0 || token_name !== channelTestLabel) &&
  !request_id.startsWith(importedCallMark)

const chargedAmong = async ({ query }: Database, ids: readonly string[]): Promise<ReadonlySet<string>> => {
  if (ids.length === 0) return new Set()
  const entries = await query
    .selectFrom('ledger_entries')
    .select('movement')
    .where('account', '=', 'user')
    .where('reason', '=', 'charge')
    .where('movement', 'in', ids)
    .execute()
  return new Set(entries.map(({ movement }) => movement))
}
