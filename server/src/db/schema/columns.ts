import type { ColumnType, Generated } from 'kysely'

/** A row's own number, given by the database. */
export type Id = Generated<number>

/**
 * A 64-bit count of quota units that only the ledger may change: the type forbids updates, and the ledger
 * re-opens it (`ledger/tables.ts`). Safe integers only.
 */
export type LedgerQuota = ColumnType<number, number | undefined, never>

/** Unix seconds. */
export type Time = number

/** 0 or 1. */
export type Flag = number
