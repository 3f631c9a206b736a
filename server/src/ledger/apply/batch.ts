import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import type { CellRows, Database, Row, SqlValue } from '../../db/database.ts'
import { isUniqueViolation } from '../../db/dialect.ts'
import { rowsOf } from '../../db/insert.ts'
import type { Tables } from '../../db/schema.ts'
import type { JournalRecord } from '../../journal/journal-record.ts'
import { readBalances } from '../balances.ts'
import { addSpent, spentBy } from '../caps/spend.ts'
import { addHedges } from '../hedges/hedge-hours.ts'
import { type AccountBalance, chargedAccounts } from '../holds/accounts.ts'
import { addNamedHours } from '../sessions/add-named-hours.ts'
import { addSpeed } from '../speed/add-speed.ts'
import { type LedgerTransaction, writable } from '../tables.ts'
import { addHours, addUsage } from '../usage/hours.ts'
import { type BatchSums, sumsOf } from '../usage/sums.ts'
import { usageOf } from '../usage/usage-of.ts'
import { addAborted } from './aborted-calls.ts'
import { byId, idChunks } from './by-id.ts'
import { groupCalls } from './call-groups.ts'
import { addProvisional } from './provisional-kinds.ts'
import { writeTasks } from './task-rows.ts'

interface BatchParts {
  readonly database: Database
  /** True if the hourly figures that clients of the reference read are collected. */
  readonly hourly: boolean
  readonly versions: boolean
}

/**
 * Applies charges in one transaction, each exactly once even if some were applied before, and returns the balances of every account that
 * they name. Almost always all of them are new, so there is no query first: a conflict on the unique movement shows that one is not, and
 * then the known ones are removed from the batch. Rows are changed before entries are written (see `balances.ts`).
 */
export const applyCharges = async (
  parts: BatchParts,
  records: readonly JournalRecord[],
): Promise<readonly AccountBalance[]> => {
  try {
    return await apply(parts, records, async () => records)
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    return apply(parts, records, (trx) => notYetApplied(trx, records))
  }
}

const apply = (
  parts: BatchParts,
  records: readonly JournalRecord[],
  freshOf: (trx: Transaction<Tables>) => Promise<readonly JournalRecord[]>,
): Promise<readonly AccountBalance[]> =>
  parts.database.transaction(async (trx) => {
    const fresh = await freshOf(trx)
    if (fresh.length > 0) await applyFresh(parts, trx, fresh)
    return readBalances(trx, records.flatMap(chargedAccounts), { versions: parts.versions })
  })

/** Which of these requests are charged. */
export const knownMovements = async (on: Kysely<Tables>, ids: readonly string[]): Promise<Set<string>> => {
  const rows = await on
    .selectFrom('ledger_entries')
    .select('movement')
    .where('account', '=', 'user')
    .where('movement', 'in', [...ids])
    .execute()
  return new Set(rows.map(({ movement }) => movement))
}

const notYetApplied = async (
  trx: Transaction<Tables>,
  records: readonly JournalRecord[],
): Promise<readonly JournalRecord[]> => {
  const ids = records.map(({ id }) => id)
  const seen = await knownMovements(trx, ids)
  return records.filter(({ id }) => !seen.has(id) && seen.add(id))
}

const applyFresh = async (
  { database, hourly }: BatchParts,
  trx: Transaction<Tables>,
  records: readonly JournalRecord[],
): Promise<void> => {
  const groups = groupCalls(records)
  const sums = sumsOf(groups)
  await changeUsers(writable(trx), sums)
  await changeTokens(writable(trx), sums)
  await changeChannels(writable(trx), sums)
  await addSpent(trx, spentBy(records))
  if (hourly) await addHours(trx, [...sums.hours.values()])
  await addUsage(trx, usageOf(groups))
  await addSpeed(trx, groups)
  await addAborted(trx, records)
  await addNamedHours(trx, records)
  await addHedges(trx, records)
  await addProvisional(database, trx, records)
  await database.insertMany('ledger_entries', entries(records), { trx })
  const ofCaps = capEntries(records)
  if (ofCaps.length > 0) await database.insertMany('ledger_entries', ofCaps, { trx })
  await writeTasks(database, records, trx)
}

const changeUsers = async (trx: LedgerTransaction, { users }: BatchSums): Promise<void> => {
  for (const ids of idChunks(users.keys())) {
    const quota = byId(ids, (id) => users.get(id)?.quota ?? 0)
    await trx
      .updateTable('users')
      .set({
        quota: sql`quota - ${quota}`,
        used_quota: sql`used_quota + ${quota}`,
        request_count: sql`request_count + ${byId(ids, (id) => users.get(id)?.requests ?? 0)}`,
      })
      .where('id', 'in', ids)
      .execute()
  }
}

const changeTokens = async (trx: LedgerTransaction, { tokens }: BatchSums): Promise<void> => {
  for (const ids of idChunks(tokens.keys())) {
    const quota = byId(ids, (id) => tokens.get(id)?.quota ?? 0)
    await trx
      .updateTable('tokens')
      .set({
        remain_quota: sql`remain_quota - ${quota}`,
        used_quota: sql`used_quota + ${quota}`,
        accessed_time: latest(byId(ids, (id) => tokens.get(id)?.lastAt ?? 0)),
      })
      .where('id', 'in', ids)
      .execute()
  }
}

// A record that comes late must not turn the time back.
const latest = (time: RawBuilder<number>): RawBuilder<number> =>
  sql<number>`case when accessed_time > ${time} then accessed_time else ${time} end`

const changeChannels = async (trx: LedgerTransaction, { channels }: BatchSums): Promise<void> => {
  for (const ids of idChunks(channels.keys())) {
    await trx
      .updateTable('channels')
      .set({ used_quota: sql`used_quota + ${byId(ids, (id) => channels.get(id) ?? 0)}` })
      .where('id', 'in', ids)
      .execute()
  }
}

const entryColumns = ['movement', 'amount', 'created_at', 'account_id', 'token_id', 'detail'] as const

const entryCells = ({ id, quota, at, userId, tokenId, receipt }: JournalRecord): SqlValue[] => [
  id,
  0 - quota,
  Math.floor(at / 1000),
  userId,
  tokenId === 0 ? null : tokenId,
  receipt ?? '{}',
]

/** One for user and token: what both pay is the same. */
const entries = (records: readonly JournalRecord[]): CellRows => ({
  columns: entryColumns,
  constants: { account: 'user', reason: 'charge' },
  ...rowsOf(records, entryCells),
})

/** One for each spending cap that counts a charge. */
const capEntries = (records: readonly JournalRecord[]): Row[] =>
  records.flatMap(({ id, quota, at, caps = [] }) =>
    caps.map((cap) => ({
      movement: id,
      account: 'cap',
      account_id: cap,
      amount: 0 - quota,
      reason: 'charge',
      created_at: Math.floor(at / 1000),
      detail: '{}',
    })),
  )
