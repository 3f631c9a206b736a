import type { Database } from '../database.ts'

type PlaceTable = 'organisations' | 'teams' | 'projects'

/** Readers of names by id, for any number of ids. */
export const namesOf = ({ query }: Database) => ({
  placeNames: async (table: PlaceTable, ids: readonly number[]): Promise<ReadonlyMap<number, string>> => {
    if (ids.length === 0) return new Map()
    const rows = await query
      .selectFrom(table)
      .select(['id', 'name'])
      .where('id', 'in', [...ids])
      .execute()
    return new Map(rows.map(({ id, name }) => [id, name]))
  },
  channelNames: async (ids: readonly number[]): Promise<ReadonlyMap<number, string>> => {
    if (ids.length === 0) return new Map()
    const rows = await query
      .selectFrom('channels')
      .select(['id', 'name'])
      .where('id', 'in', [...ids])
      .execute()
    return new Map(rows.map(({ id, name }) => [id, name]))
  },
  userNames: async (ids: readonly number[]): Promise<ReadonlyMap<number, string>> => {
    if (ids.length === 0) return new Map()
    const rows = await query
      .selectFrom('users')
      .select(['id', 'username'])
      .where('id', 'in', [...ids])
      .execute()
    return new Map(rows.map(({ id, username }) => [id, username]))
  },
  tokenNames: async (ids: readonly number[]): Promise<ReadonlyMap<number, { name: string; owner: string }>> => {
    if (ids.length === 0) return new Map()
    const rows = await query
      .selectFrom('tokens')
      .leftJoin('users', 'users.id', 'tokens.user_id')
      .select(['tokens.id', 'tokens.name', 'users.username'])
      .where('tokens.id', 'in', [...ids])
      .execute()
    return new Map(rows.map(({ id, name, username }) => [id, { name, owner: username ?? '' }]))
  },
  userIdOf: async (username: string): Promise<number | undefined> => {
    const named = query.selectFrom('users').select('id').where('username', '=', username)
    return (await named.executeTakeFirst())?.id
  },
})
