import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { LedgerDifference } from './difference.ts'
import { verifyCaps } from './verify-caps.ts'

type Account = Exclude<LedgerDifference['account'], 'log' | 'cap'>

const pageSize = 500

/** Which column of which table is the sum of an account's entries, and which counts its charges. */
const columns = {
  user: { table: 'users', balance: 'quota', used: 'used_quota' },
  token: { table: 'tokens', balance: 'remain_quota', used: 'used_quota' },
  aff: { table: 'users', balance: 'aff_quota', used: undefined },
} as const

interface Sums {
  readonly id: number
  readonly balance: number | string
  readonly used: number | string
  readonly entries: number | string
  readonly charged: number | string
}

/** Compares balances and `used_quota` with the sums of entries, a page of accounts at a time. */
export const verifyBalances = async (
  database: Database,
): Promise<{ users: number; tokens: number; differences: LedgerDifference[] }> => {
  const user = await verifyAccounts(database, 'user')
  const token = await verifyAccounts(database, 'token')
  const aff = await verifyAccounts(database, 'aff')
  const orphans = [
    ...(await entriesWithoutAccount(database, 'user')),
    ...(await entriesWithoutAccount(database, 'token')),
    ...(await chargesWithoutToken(database)),
    ...(await verifyCaps(database)),
  ]
  const differences = [...user.differences, ...token.differences, ...aff.differences, ...orphans]
  return { users: user.count, tokens: token.count, differences }
}

const verifyAccounts = async (
  database: Database,
  account: Account,
): Promise<{ count: number; differences: LedgerDifference[] }> => {
  const differences: LedgerDifference[] = []
  let count = 0
  for (let after = 0; ; ) {
    const page = await sumsAfter(database, account, after)
    for (const sums of page) differences.push(...differencesOf(account, sums))
    count += page.length
    const last = page.at(-1)
    if (last === undefined) return { count, differences }
    after = last.id
  }
}

/** One statement, so that balance and entries are of the same moment even while charges are written. */
const sumsAfter = async (database: Database, account: Account, after: number): Promise<readonly Sums[]> => {
  const { table, balance, used } = columns[account]
  // Use at another gateway, before the account was imported, has no charges here.
  const before = sql`coalesce((select o.used from opening_uses o where o.account = ${sql.lit(account)} and o.account_id = a.id), 0)`
  const usedOf = used === undefined ? sql<number>`0` : sql<number>`${sql.ref(`a.${used}`)} - ${before}`
  const { rows } = await sql<Sums>`
    select a.id as id, ${sql.ref(`a.${balance}`)} as balance, ${usedOf} as used,
      ${sumOf(account, sql`e.amount`)} as entries,
      ${sumOf(account, sql`case when e.reason in ('charge', 'refund', 'correction') then -e.amount else 0 end`)} as charged
    from ${sql.table(table)} a where a.id > ${after} order by a.id limit ${sql.lit(pageSize)}`.execute(database.query)
  return rows
}

const sumOf = (account: Account, value: RawBuilder<unknown>): RawBuilder<unknown> => {
  const own = sql`
  (select coalesce(sum(${value}), 0) from ledger_entries e where e.account = ${sql.lit(account)} and e.account_id = a.id)`
  if (account !== 'token') return own
  // Two sums, so that each goes along its index.
  return sql`${own} + (select coalesce(sum(${value}), 0) from ledger_entries e where e.token_id = a.id)`
}

const differencesOf = (account: Account, sums: Sums): LedgerDifference[] => {
  const { balance, used } = columns[account]
  const id = Number(sums.id)
  const found: LedgerDifference[] = []
  if (!same(sums.balance, sums.entries)) {
    found.push({ account, id, what: balance, stored: sums.balance, computed: sums.entries })
  }
  if (used !== undefined && !same(sums.used, sums.charged)) {
    found.push({ account, id, what: used, stored: sums.used, computed: sums.charged })
  }
  return found
}

// As texts: they may be too large for a number, and fractions after a change by hand.
const same = (left: number | string, right: number | string): boolean => String(left) === String(right)

const entriesWithoutAccount = async (database: Database, account: 'user' | 'token'): Promise<LedgerDifference[]> => {
  const { rows } = await sql<{ id: number; amount: number | string }>`
    select e.account_id as id, sum(e.amount) as amount from ledger_entries e
    left join ${sql.table(columns[account].table)} a on a.id = e.account_id
    where e.account = ${sql.lit(account)} and a.id is null group by e.account_id`.execute(database.query)
  return rows.map(missing(account))
}

const chargesWithoutToken = async (database: Database): Promise<LedgerDifference[]> => {
  const { rows } = await sql<{ id: number; amount: number | string }>`
    select e.token_id as id, sum(e.amount) as amount from ledger_entries e
    left join tokens a on a.id = e.token_id
    where e.token_id is not null and a.id is null group by e.token_id`.execute(database.query)
  return rows.map(missing('token'))
}

const missing =
  (account: 'user' | 'token') =>
  ({ id, amount }: { id: number; amount: number | string }): LedgerDifference => ({
    account,
    id,
    what: 'account',
    stored: 'missing',
    computed: amount,
  })
