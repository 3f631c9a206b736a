import { type Kysely, sql } from 'kysely'
import type { Tables } from '../db/schema.ts'
import type { AccountBalance } from './holds/accounts.ts'

interface AccountIds {
  readonly users: readonly number[]
  readonly tokens: readonly number[]
  /** Also read how far each account has moved; several nodes order balances by it. */
  readonly versions: boolean
}

/** Balances as the database has them, in the transaction when one is given. Unknown accounts are left out. */
export const readBalances = async (query: Kysely<Tables>, accounts: AccountIds): Promise<AccountBalance[]> => {
  const users = accounts.users.length === 0 ? [] : await readUsers(query, accounts)
  const tokens = accounts.tokens.length === 0 ? [] : await readTokens(query, accounts)
  return [
    ...users.map((row): AccountBalance => ({ ...row, account: 'user', unlimited: false })),
    ...tokens.map(
      ({ id, balance, unlimited, version, charged }): AccountBalance => ({
        ...{ account: 'token', id, balance, unlimited: unlimited === 1 },
        version: Math.max(version, charged),
      }),
    ),
  ]
}

const readUsers = (query: Kysely<Tables>, { users, versions }: AccountIds) =>
  query
    .selectFrom('users')
    .select(['id', 'quota as balance', versionOf('user', 'users.id', versions).as('version')])
    .where('id', 'in', [...users])
    .execute()

const readTokens = (query: Kysely<Tables>, { tokens, versions }: AccountIds) =>
  query
    .selectFrom('tokens')
    .select([
      'id',
      'remain_quota as balance',
      'unlimited_quota as unlimited',
      versionOf('token', 'tokens.id', versions).as('version'),
      lastChargeOf('tokens.id', versions).as('charged'),
    ])
    .where('id', 'in', [...tokens])
    .execute()

/**
 * The account's last entry. Its row is locked before entries are written, so entry numbers of one account grow in the
 * order of their commits.
 */
const versionOf = (account: 'user' | 'token', id: string, wanted: boolean) =>
  wanted
    ? sql<number>`coalesce((select max(e.id) from ledger_entries e where e.account = ${sql.lit(account)} and e.account_id = ${sql.ref(id)}), 0)`
    : sql<number>`0`

/** The same for charges of a token, which stand in its user's entries. */
const lastChargeOf = (tokenId: string, wanted: boolean) =>
  wanted
    ? sql<number>`coalesce((select max(e.id) from ledger_entries e where e.token_id = ${sql.ref(tokenId)}), 0)`
    : sql<number>`0`
