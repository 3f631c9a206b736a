import type { Selectable, Transaction } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { SecondFactorsTable, Tables } from '../../db/schema.ts'

export type SecondFactorRow = Selectable<SecondFactorsTable>

export interface SecondFactorStore {
  of(userId: number): Promise<SecondFactorRow | undefined>
  /** Keeps a secret that is still to be proved, in place of an earlier unproved one; unique per user. */
  begin(row: { userId: number; secretCipher: string; now: number }): Promise<void>
  /** True for the one call that switches it on. */
  enable(trx: Transaction<Tables>, row: SecondFactorRow, step: number, now: number): Promise<boolean>
  remove(trx: Transaction<Tables>, userId: number): Promise<void>
  /** True once per step and for none before it; forgets failures. */
  useStep(userId: number, step: number): Promise<boolean>
  replaceCodes(trx: Transaction<Tables>, userId: number, hashes: readonly string[], now: number): Promise<void>
  /** True once per code; forgets failures. */
  useCode(userId: number, hash: string): Promise<boolean>
  codesLeft(userId: number): Promise<number>
}

/** Secrets of authenticators and hashes of recovery codes; one statement decides who wins a race. */
export const createSecondFactorStore = ({ query }: Database): SecondFactorStore => ({
  of: (userId) => query.selectFrom('second_factors').selectAll().where('user_id', '=', userId).executeTakeFirst(),

  async begin({ userId, secretCipher, now }) {
    const row = { user_id: userId, secret_cipher: secretCipher, confirmed_time: 0, last_step: 0, created_time: now }
    await query.deleteFrom('second_factors').where('user_id', '=', userId).where('confirmed_time', '=', 0).execute()
    await query.insertInto('second_factors').values(row).execute()
  },

  async enable(trx, row, step, now) {
    const change = { confirmed_time: now, last_step: step, failures: 0 }
    const done = await trx
      .updateTable('second_factors')
      .set(change)
      .where('user_id', '=', row.user_id)
      .where('confirmed_time', '=', 0)
      .where('secret_cipher', '=', row.secret_cipher)
      .executeTakeFirst()
    return Number(done.numUpdatedRows) === 1
  },

  async remove(trx, userId) {
    await trx.deleteFrom('second_factors').where('user_id', '=', userId).execute()
    await trx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  },

  async useStep(userId, step) {
    const done = await query
      .updateTable('second_factors')
      .set({ last_step: step, failures: 0 })
      .where('user_id', '=', userId)
      .where('last_step', '<', step)
      .executeTakeFirst()
    return Number(done.numUpdatedRows) === 1
  },

  async replaceCodes(trx, userId, hashes, now) {
    await trx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
    const rows = hashes.map((hash) => ({ user_id: userId, code_hash: hash, created_time: now }))
    await trx.insertInto('recovery_codes').values(rows).execute()
  },

  async useCode(userId, hash) {
    const done = await query
      .deleteFrom('recovery_codes')
      .where('user_id', '=', userId)
      .where('code_hash', '=', hash)
      .executeTakeFirst()
    if (Number(done.numDeletedRows) === 0) return false
    await query.updateTable('second_factors').set({ failures: 0 }).where('user_id', '=', userId).execute()
    return true
  },

  async codesLeft(userId) {
    const { count } = await query
      .selectFrom('recovery_codes')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    return Number(count)
  },
})
