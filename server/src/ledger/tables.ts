import type { ColumnType, Transaction } from 'kysely'
import type { ChannelsTable, LedgerQuota, Tables, TokensTable, UsersTable } from '../db/schema.ts'

type Open = ColumnType<number, number | undefined, number>

/** The same table with its quota columns open for updates. */
type Opened<T> = { [K in keyof T]: LedgerQuota extends T[K] ? (T[K] extends LedgerQuota ? Open : T[K]) : T[K] }

export interface LedgerTables extends Omit<Tables, 'users' | 'tokens' | 'channels'> {
  users: Opened<UsersTable>
  tokens: Opened<TokensTable>
  channels: Opened<ChannelsTable>
}

export type LedgerTransaction = Transaction<LedgerTables>

/** The one place where quota columns become writable; nothing outside `ledger/` may import it. */
export const writable = (trx: Transaction<Tables>): LedgerTransaction => trx as unknown as LedgerTransaction
