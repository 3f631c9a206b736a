import type { Selectable, Transaction } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { insertReturningId } from '#server/db/dialect.ts'
import type { Tables } from '#server/db/schema.ts'
import type { SignInWay } from '#server/verification/sign-in-ways.ts'
import type { PasskeysTable } from './tables.ts'

export type PasskeyRow = Selectable<PasskeysTable>

export interface PasskeyStore {
  of(userId: number): Promise<PasskeyRow[]>
  byCredential(hash: string): Promise<PasskeyRow | undefined>
  insert(trx: Transaction<Tables>, row: Omit<PasskeyRow, 'id'>): Promise<number>
  rename(userId: number, id: number, name: string): Promise<boolean>
  remove(trx: Transaction<Tables>, userId: number, id: number): Promise<boolean>
  /** True unless another use came in between: the counter must still be the one that was checked. */
  used(row: PasskeyRow, counter: number, now: number): Promise<boolean>
}

export const createPasskeyStore = ({ query }: Database): PasskeyStore => ({
  of: (userId) => query.selectFrom('passkeys').selectAll().where('user_id', '=', userId).orderBy('id').execute(),
  byCredential: (hash) =>
    query.selectFrom('passkeys').selectAll().where('credential_hash', '=', hash).executeTakeFirst(),
  insert: (trx, row) => insertReturningId(trx, 'passkeys', row),
  async rename(userId, id, name) {
    const own = await query
      .selectFrom('passkeys')
      .select('id')
      .where('user_id', '=', userId)
      .where('id', '=', id)
      .executeTakeFirst()
    if (own === undefined) return false
    await query.updateTable('passkeys').set({ name }).where('id', '=', id).execute()
    return true
  },
  async remove(trx, userId, id) {
    const done = await trx.deleteFrom('passkeys').where('user_id', '=', userId).where('id', '=', id).executeTakeFirst()
    return Number(done.numDeletedRows) === 1
  },
  async used(row, counter, now) {
    // Counting on from the stored number also where it stays 0, as synced passkeys keep it: then every use passes.
    const done = await query
      .updateTable('passkeys')
      .set({ counter, last_used_time: now })
      .where('id', '=', row.id)
      .where('counter', '=', row.counter)
      .executeTakeFirst()
    return Number(done.numUpdatedRows) === 1
  },
})

/** The name among the methods of a confirmation, and in the trail. */
export const passkeyMethod = 'passkey'

/** Passkeys as accounts know them. */
export const passkeyWay: SignInWay = {
  method: passkeyMethod,
  async has(query, userId) {
    const row = await query
      .selectFrom('passkeys')
      .select('id')
      .where('user_id', '=', userId)
      .limit(1)
      .executeTakeFirst()
    return row !== undefined
  },
  async removeAll(trx, userId) {
    await trx.deleteFrom('passkeys').where('user_id', '=', userId).execute()
  },
}
