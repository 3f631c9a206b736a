import type { Kysely, Selectable } from 'kysely'
import type { Database } from '../../db/database.ts'
import { insertReturningId } from '../../db/dialect.ts'
import type { AccessTokensTable, Tables } from '../../db/schema.ts'

export type AccessTokenRow = Selectable<AccessTokensTable>
type NewRow = Omit<AccessTokenRow, 'id'>

/** Named access tokens in the database. */
export interface AccessTokenStore {
  byHash(hash: string): Promise<AccessTokenRow | undefined>
  /** The latest first, expired ones too. */
  ofUser(userId: number): Promise<AccessTokenRow[]>
  one(userId: number, id: number): Promise<AccessTokenRow | undefined>
  /** Tokens of a user that are alive at `now` (unix seconds). */
  countLiving(on: Kysely<Tables>, userId: number, now: number): Promise<number>
  insert(on: Kysely<Tables>, row: NewRow): Promise<number>
  /** False when it was gone already. */
  remove(on: Kysely<Tables>, id: number): Promise<boolean>
  /** Unless another call has just written it: `before` is the last use that may be written over. */
  used(id: number, use: { at: number; ip: string; before: number }): Promise<void>
  /** Removes what expired before a moment. */
  purge(before: number): Promise<void>
}

/** Ends every named access token of a user. */
export const removeAccessTokens = async (on: Kysely<Tables>, userId: number): Promise<void> => {
  await on.deleteFrom('access_tokens').where('user_id', '=', userId).execute()
}

export const openAccessTokenStore = ({ query }: Database): AccessTokenStore => ({
  byHash: (hash) => query.selectFrom('access_tokens').selectAll().where('token_hash', '=', hash).executeTakeFirst(),
  ofUser: (userId) =>
    query.selectFrom('access_tokens').selectAll().where('user_id', '=', userId).orderBy('id', 'desc').execute(),
  one: (userId, id) =>
    query.selectFrom('access_tokens').selectAll().where('id', '=', id).where('user_id', '=', userId).executeTakeFirst(),
  async countLiving(on, userId, now) {
    const counted = on
      .selectFrom('access_tokens')
      .where('user_id', '=', userId)
      .where((eb) => eb.or([eb('expires_time', '=', 0), eb('expires_time', '>', now)]))
      .select(({ fn }) => fn.countAll().as('rows'))
    return Number((await counted.executeTakeFirstOrThrow()).rows)
  },
  insert: (on, row) => insertReturningId(on, 'access_tokens', row),
  async remove(on, id) {
    const done = await on.deleteFrom('access_tokens').where('id', '=', id).executeTakeFirst()
    return done.numDeletedRows > 0n
  },
  async used(id, { at, ip, before }) {
    await query
      .updateTable('access_tokens')
      .set({ last_used_time: at, last_used_ip: ip })
      .where('id', '=', id)
      .where('last_used_time', '<=', before)
      .execute()
  },
  async purge(before) {
    await query.deleteFrom('access_tokens').where('expires_time', '>', 0).where('expires_time', '<', before).execute()
  },
})
