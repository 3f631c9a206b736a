import { type Kysely, sql } from 'kysely'
import type { Tables } from '../db/schema.ts'
import { readCaps } from './caps/spend.ts'
import type { AccountBalance, AccountKind, AccountName } from './holds/accounts.ts'

interface Options {
  /** Also read how far each account has moved; several nodes order balances by it. */
  readonly versions: boolean
}

/** Balances as the database has them, in the transaction when one is given. Unknown accounts are left out. */
export const readBalances = async (
  query: Kysely<Tables>,
  accounts: readonly AccountName[],
  { versions }: Options,
): Promise<AccountBalance[]> => {
  const idsOf = (kind: AccountKind): number[] => [
    ...new Set(accounts.flatMap(({ account, id }) => (account === kind ? id : []))),
  ]
  const users = await readUsers(query, idsOf('user'), versions)
  const tokens = await readTokens(query, idsOf('token'), versions)
  return [
    ...users.map((row): AccountBalance => ({ ...row, account: 'user', unlimited: false })),
    ...tokens.map(
      ({ id, balance, unlimited, version, charged }): AccountBalance => ({
        account: 'token',
        id,
        balance,
        unlimited: unlimited === 1,
        version: Math.max(version, charged),
      }),
    ),
    ...(await readCaps(query, idsOf('cap'), versions)),
  ]
}

const readUsers = async (query: Kysely<Tables>, ids: readonly number[], versions: boolean) =>
  ids.length === 0
    ? []
    : query
        .selectFrom('users')
        .select(['id', 'quota as balance', versionOf('user', 'users.id', versions).as('version')])
        .where('id', 'in', [...ids])
        .execute()

const readTokens = async (query: Kysely<Tables>, ids: readonly number[], versions: boolean) =>
  ids.length === 0
    ? []
    : query
        .selectFrom('tokens')
        .select([
          'id',
          'remain_quota as balance',
          'unlimited_quota as unlimited',
          versionOf('token', 'tokens.id', versions).as('version'),
          lastChargeOf('tokens.id', versions).as('charged'),
        ])
        .where('id', 'in', [...ids])
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
