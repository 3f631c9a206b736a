import type { FigureDimension } from '@tollgate/contract'
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { containsText } from '../../db/dialect.ts'

/** Column of a dimension in the tables of figures, and the source of its names. */
interface Place {
  readonly column:
    | 'model_name'
    | 'group'
    | 'channel_id'
    | 'token_id'
    | 'user_id'
    | 'status'
    | 'session'
    | 'tag'
    | 'end_user'
  /** Only tables by user and key have it. */
  readonly personal: boolean
  /** Its value, where that is found by the column: 0 where there is none. */
  readonly found?: RawBuilder<unknown>
  /** Table and column of the names of numbers. */
  readonly names?: { readonly table: string; readonly column: string }
}

/** Keys belong to a project of a team, and may belong to a member; the wallet of an organisation is a user. Both as they are today. */
const projectOfKey = sql`coalesce((select k.project_id from tokens as k where k.id = token_id), 0)`
const memberOfKey = sql`coalesce((select k.member_id from tokens as k where k.id = token_id), 0)`
const teamOfKey = sql`coalesce((select p.team_id from tokens as k join projects as p on p.id = k.project_id where k.id = token_id), 0)`
const organisationOfUser = sql`coalesce((select o.id from organisations as o where o.wallet_user_id = user_id), 0)`

/** A further dimension is an entry here and one in the contract. */
const places = {
  model: { column: 'model_name', personal: false },
  channel: { column: 'channel_id', personal: false, names: { table: 'channels', column: 'name' } },
  key: { column: 'token_id', personal: true, names: { table: 'tokens', column: 'name' } },
  user: { column: 'user_id', personal: true, names: { table: 'users', column: 'username' } },
  organisation: {
    column: 'user_id',
    personal: true,
    found: organisationOfUser,
    names: { table: 'organisations', column: 'name' },
  },
  team: { column: 'token_id', personal: true, found: teamOfKey, names: { table: 'teams', column: 'name' } },
  project: { column: 'token_id', personal: true, found: projectOfKey, names: { table: 'projects', column: 'name' } },
  member: { column: 'token_id', personal: true, found: memberOfKey, names: { table: 'users', column: 'username' } },
  group: { column: 'group', personal: false },
  status: { column: 'status', personal: false },
  session: { column: 'session', personal: true },
  end_user: { column: 'end_user', personal: true },
  tag: { column: 'tag', personal: true },
} as const satisfies Record<FigureDimension, Place>

const placeOf = (dimension: FigureDimension): Place => places[dimension]

/** True if only tables by user and key know a dimension. */
export const isOfPeople = (dimension: FigureDimension): boolean => placeOf(dimension).personal

/** The value of a dimension in a row of a table of figures. */
export const valueIn = (dimension: FigureDimension): RawBuilder<unknown> => {
  const { column, found } = placeOf(dimension)
  return found ?? sql.ref(column)
}

/** A condition on a dimension; all values are alternatives. */
export interface FigureFilter {
  readonly dimension: FigureDimension
  readonly is: 'is' | 'not' | 'contains'
  readonly values: readonly string[]
}

const isIn = (dimension: FigureDimension, values: readonly string[]): Expression<SqlBool> => {
  const column = valueIn(dimension)
  if (placeOf(dimension).names === undefined) return sql<SqlBool>`${column} in (${sql.join([...values])})`
  const ids = values.map(Number).filter(Number.isSafeInteger)
  return ids.length === 0 ? sql<SqlBool>`1 = 0` : sql<SqlBool>`${column} in (${sql.join(ids.map((id) => sql.lit(id)))})`
}

const contains = (dimension: FigureDimension, text: string): Expression<SqlBool> => {
  const place = placeOf(dimension)
  if (place.names === undefined) return containsText(place.column, text)
  const { table, column } = place.names
  const named = sql`select id from ${sql.table(table)} where ${containsText(column, text)}`
  return sql<SqlBool>`${valueIn(dimension)} in (${named})`
}

/** The condition of a filter on a table of figures. */
export const filterFits = ({ dimension, is, values }: FigureFilter): Expression<SqlBool> => {
  if (is === 'contains') return contains(dimension, values[0] ?? '')
  const among = isIn(dimension, values)
  return is === 'is' ? among : sql<SqlBool>`not (${among})`
}
