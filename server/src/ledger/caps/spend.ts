import { type Kysely, sql, type Transaction } from 'kysely'
import { upsert } from '../../db/dialect.ts'
import type { Tables } from '../../db/schema.ts'
import type { AccountBalance } from '../holds/accounts.ts'
import { capOfAccount } from './cap-accounts.ts'

const mostRows = 250

/** Adds quota units to the spending in windows of caps, inside `trx`; negative amounts are refunds. */
export const addSpent = async (trx: Transaction<Tables>, spent: ReadonlyMap<number, number>): Promise<void> => {
  const rows = [...spent]
    .toSorted(([left], [right]) => left - right)
    .map(([id, quota]) => ({ id, cap_id: capOfAccount(id), spent: quota }))
  for (let start = 0; start < rows.length; start += mostRows) {
    await upsert(trx, 'spend_windows', rows.slice(start, start + mostRows), { key: ['id'], add: ['spent'] })
  }
}

interface ChargedCaps {
  readonly caps?: readonly number[]
  readonly quota: number
}

/** Amounts that charges add to the windows of their caps. */
export const spentBy = (charges: readonly ChargedCaps[]): ReadonlyMap<number, number> => {
  const spent = new Map<number, number>()
  for (const { caps, quota } of charges) for (const cap of caps ?? []) spent.set(cap, (spent.get(cap) ?? 0) + quota)
  return spent
}

/** The accounts of caps that these requests were charged to. */
export const capsCharged = async (
  on: Kysely<Tables>,
  requestIds: readonly string[],
): Promise<ReadonlyMap<string, readonly number[]>> => {
  if (requestIds.length === 0) return new Map()
  const rows = await on
    .selectFrom('ledger_entries')
    .select(['movement', 'account_id'])
    .where('movement', 'in', [...requestIds])
    .where('account', '=', 'cap')
    .where('reason', '=', 'charge')
    .execute()
  const caps = new Map<string, number[]>()
  for (const { movement, account_id } of rows) caps.set(movement, [...(caps.get(movement) ?? []), account_id])
  return caps
}

/** Remainder of caps in windows; a deleted cap is unlimited. */
export const readCaps = async (
  on: Kysely<Tables>,
  accounts: readonly number[],
  versions: boolean,
): Promise<AccountBalance[]> => {
  if (accounts.length === 0) return []
  const caps = await on
    .selectFrom('spend_caps')
    .select(['id', 'amount'])
    .where('id', 'in', [...new Set(accounts.map(capOfAccount))])
    .execute()
  const windows = await on
    .selectFrom('spend_windows')
    .select(['id', 'spent', versionOf(versions).as('version')])
    .where('id', 'in', [...accounts])
    .execute()
  const amounts = new Map(caps.map(({ id, amount }) => [id, amount]))
  const spent = new Map(windows.map((row) => [row.id, row]))
  return accounts.map((id) => {
    const amount = amounts.get(capOfAccount(id))
    const window = spent.get(id)
    return {
      account: 'cap',
      id,
      version: window?.version ?? 0,
      unlimited: amount === undefined,
      balance: (amount ?? 0) - (window?.spent ?? 0),
    }
  })
}

const versionOf = (wanted: boolean) =>
  wanted
    ? sql<number>`coalesce((select max(e.id) from ledger_entries e where e.account = 'cap' and e.account_id = spend_windows.id), 0)`
    : sql<number>`0`
