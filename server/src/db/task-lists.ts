import { type Expression, type Kysely, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { cappedTotal, mostCounted } from './capped-total.ts'
import { ofKeys } from './made-by.ts'
import type { Tables } from './schema.ts'
import { negating } from './search.ts'

/** Scope of a list of tasks: what one user began, or of it what some keys of a wallet did. */
export interface TaskOwner {
  readonly userId: number
  readonly tokenIds?: readonly number[]
}

/** A reader of tasks; `Everybody` reads those of all users. */
export type TaskReader<Everybody = { readonly all: true }> = TaskOwner | Everybody

const isOwner = (reader: TaskOwner | object): reader is TaskOwner => 'userId' in reader

/** Conditions on `user_id` and `token_id` of rows that a reader sees; none for a reader of all. */
export const readableRows = (reader: TaskReader<object>): Expression<SqlBool>[] => {
  if (!isOwner(reader)) return []
  const ofUser = sql<SqlBool>`user_id = ${reader.userId}`
  return reader.tokenIds === undefined ? [ofUser] : [ofUser, ofKeys(reader.tokenIds)]
}

/** Filters of a list, turned round for those that `not` names. Its reader's scope is no filter: it is never turned round. */
export const negatingFor = (reader: TaskReader<object>, not: readonly string[]): ReturnType<typeof negating> =>
  negating(not.filter((name) => name !== 'user_id' || !isOwner(reader)))

/** Conditions on `created_time`, in unix seconds with both ends; 0 and undefined for an open end. */
export const createdWithin = (range: {
  readonly start_timestamp?: number | undefined
  readonly end_timestamp?: number | undefined
}): Expression<SqlBool>[] => [
  ...(range.start_timestamp ? [sql<SqlBool>`created_time >= ${range.start_timestamp}`] : []),
  ...(range.end_timestamp ? [sql<SqlBool>`created_time <= ${range.end_timestamp}`] : []),
]

interface TaskPage<Row> {
  readonly found: Row[]
  /** How many there are, as a page of the console says it. */
  readonly counts: {
    readonly total: number
    readonly total_capped?: true
    readonly page: number
    readonly page_size: number
  }
}

/** Rows of one page, the newest first, with their number up to the most that is counted. */
export const readTaskPage = async <T extends keyof Tables, Row>(
  query: Kysely<Tables>,
  rows: {
    readonly all: SelectQueryBuilder<Tables, T, Row>
    readonly ids: SelectQueryBuilder<Tables, T, { id: number }>
  },
  { p, page_size }: { readonly p: number; readonly page_size: number },
): Promise<TaskPage<Row>> => {
  const [found, { counted }] = await Promise.all([
    rows.all
      .orderBy(sql.ref('id'), 'desc')
      .limit(page_size)
      .offset((p - 1) * page_size)
      .execute(),
    query
      .selectFrom(rows.ids.limit(mostCounted + 1).as('counted'))
      .select(({ fn }) => fn.countAll().as('counted'))
      .executeTakeFirstOrThrow(),
  ])
  return { found: found as Row[], counts: { ...cappedTotal(Number(counted)), page: p, page_size } }
}
