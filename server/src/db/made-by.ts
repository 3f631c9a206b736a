import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Tables } from './schema.ts'

/** A key, as `relay/reader.ts` has it. */
interface ReadingKey {
  readonly userId: number
  readonly tokenId: number
  readonly project?: { readonly id: number; readonly memberId: number; readonly isShared?: true }
}

/**
 * Ids of the keys whose things a key of a project reads: those of its member, for a machine those of its project. A key whose secret others
 * may know reads what keys of its member made in its project, or for a machine what it made itself.
 */
export const keysReadBy = (
  { userId, tokenId }: ReadingKey,
  { id, memberId, isShared }: NonNullable<ReadingKey['project']>,
): RawBuilder<unknown> => {
  if (memberId === 0 && isShared) return sql`select k.id from tokens as k where k.id = ${tokenId}`
  const inProject = sql`k.project_id = ${id}`
  const ofMember = sql`k.member_id = ${memberId}`
  const among = memberId === 0 ? inProject : isShared ? sql`${ofMember} and ${inProject}` : ofMember
  return sql`select k.id from tokens as k where k.user_id = ${userId} and ${among}`
}

/** Rows of one of these keys: none where there are no keys. */
export const ofKeys = (ids: readonly number[]): RawBuilder<SqlBool> =>
  ids.length === 0 ? sql`1 = 0` : sql`token_id in (${sql.join(ids.map((id) => sql.lit(id)))})`

/** The keys that began tasks, by the number of their row in a table with `token_id`; 0 for none that is known. */
export const keysOfTasks = async (
  query: Kysely<Tables>,
  table: keyof Tables,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> => {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: number; token_id: number }>`
    select id, token_id from ${sql.table(table)} where id in (${sql.join(ids)})`.execute(query)
  return new Map(rows.map((row) => [Number(row.id), Number(row.token_id)]))
}

/** Rows with `user_id` and `token_id` that a key reads. Of rows from before keys were written (`token_id` 0) its payer is enough. */
export const madeBy = (reader: ReadingKey): RawBuilder<SqlBool> => {
  const { userId, tokenId, project } = reader
  if (project === undefined) return sql`user_id = ${userId}`
  if (project.memberId === 0 && project.isShared) return sql`user_id = ${userId} and token_id = ${tokenId}`
  return sql`user_id = ${userId} and (token_id = 0 or token_id in (${keysReadBy(reader, project)}))`
}

/** Rows with `user_id`, `token_id`, `project_id` and `member_id` of their maker that a key reads. */
export const madeIn = ({ userId, tokenId, project }: ReadingKey): RawBuilder<SqlBool> => {
  const ofPayer = sql<SqlBool>`user_id = ${userId}`
  if (project === undefined) return ofPayer
  const { id, memberId, isShared } = project
  if (memberId === 0 && isShared) return sql<SqlBool>`${ofPayer} and token_id = ${tokenId}`
  const inProject = sql<SqlBool>`project_id = ${id}`
  const ofMember = sql<SqlBool>`member_id = ${memberId}`
  const among = memberId === 0 ? inProject : isShared ? sql<SqlBool>`${ofMember} and ${inProject}` : ofMember
  return sql<SqlBool>`${ofPayer} and (project_id = 0 or (${among}))`
}
