import type { ExploreDimension } from '@tollgate/contract'
import { type Expression, type SqlBool, sql } from 'kysely'
import { containsText } from '../../db/dialect.ts'

/** Where a dimension is in the tables of figures, and where its names are. */
interface Place {
  readonly column: 'model_name' | 'group' | 'channel_id' | 'token_id' | 'user_id' | 'status' | 'session'
  /** Only tables by user and key have it. */
  readonly personal: boolean
  /** Table and column of the names of numbers. */
  readonly names?: { readonly table: string; readonly column: string }
}

/** A further dimension is an entry here and one in the contract. */
export const places = {
  model: { column: 'model_name', personal: false },
  channel: { column: 'channel_id', personal: false, names: { table: 'channels', column: 'name' } },
  key: { column: 'token_id', personal: true, names: { table: 'tokens', column: 'name' } },
  user: { column: 'user_id', personal: true, names: { table: 'users', column: 'username' } },
  group: { column: 'group', personal: false },
  status: { column: 'status', personal: false },
  session: { column: 'session', personal: true },
} as const satisfies Record<ExploreDimension, Place>

/** A condition on a dimension; all values are alternatives. */
export interface FigureFilter {
  readonly dimension: ExploreDimension
  readonly is: 'is' | 'not' | 'contains'
  readonly values: readonly string[]
}

const isIn = (place: Place, values: readonly string[]): Expression<SqlBool> => {
  const column = sql.ref(place.column)
  if (place.names === undefined) return sql<SqlBool>`${column} in (${sql.join([...values])})`
  const ids = values.map(Number).filter(Number.isSafeInteger)
  return ids.length === 0 ? sql<SqlBool>`1 = 0` : sql<SqlBool>`${column} in (${sql.join(ids.map((id) => sql.lit(id)))})`
}

const contains = (place: Place, text: string): Expression<SqlBool> => {
  if (place.names === undefined) return containsText(place.column, text)
  const { table, column } = place.names
  const named = sql`select id from ${sql.table(table)} where ${containsText(column, text)}`
  return sql<SqlBool>`${sql.ref(place.column)} in (${named})`
}

/** The condition of a filter on a table of figures. */
export const filterFits = ({ dimension, is, values }: FigureFilter): Expression<SqlBool> => {
  const place = places[dimension]
  if (is === 'contains') return contains(place, values[0] ?? '')
  const among = isIn(place, values)
  return is === 'is' ? among : sql<SqlBool>`not (${among})`
}
