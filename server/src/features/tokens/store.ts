import type { Insertable, Kysely, Selectable, SqlBool, Transaction, Updateable } from 'kysely'
import { type Expression, type ExpressionBuilder, sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Tables, TokensTable } from '../../db/schema.ts'
import type { StandingRow } from './standing.ts'

export type TokenRow = Selectable<TokensTable>
export type NewToken = Omit<Insertable<TokensTable>, 'id' | 'used_quota' | 'remain_quota' | 'deleted_at'>
export type TokenChange = Updateable<TokensTable>

/** Which tokens of a user are meant. Absent and empty parts do not filter. */
export interface TokenFilter {
  readonly userId: number
  readonly name: string
  readonly key: KeyTerm | undefined
  readonly status: readonly number[]
  readonly group: string
}

/** Keys are stored encrypted, so a whole key is found by its hash and a part only at the ends that the hint shows. */
export interface KeyTerm {
  readonly hash: string
  readonly part: string
}
