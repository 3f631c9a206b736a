import { insertReturningId } from '#server/db/dialect.ts'
import { unixSeconds } from '#server/lib/clock.ts'
import type { ImportRun } from '../run.ts'
import type { MovedCode, MovedSecondFactor } from '../site.ts'

/** Moves redemption codes, used ones too, so that nobody uses them again. */
export const createCodeWriter = ({ target, notes, map, ...run }: ImportRun) => {
  const { database, secrets } = target

  const taken = async (hashes: readonly string[]): Promise<ReadonlySet<string>> => {
    if (hashes.length === 0) return new Set()
    const rows = await database.query
      .selectFrom('redemptions')
      .select('key_hash')
      .where('key_hash', 'in', hashes)
      .execute()
    return new Set(rows.map(({ key_hash }) => key_hash))
  }

  const insertAll = async (codes: readonly MovedCode[]): Promise<void> => {
    const users = await map.known(
      'user',
      codes.flatMap(({ userId, usedUserId }) => [userId, usedUserId]),
    )
    await database.transaction(async (trx) => {
      const made = new Map<string, number>()
      for (const code of codes) {
        const id = await insertReturningId(trx, 'redemptions', {
          user_id: users.get(code.userId) ?? 0,
          key_hash: secrets.digest('redemption', code.code),
          key_cipher: secrets.encrypt('redemption', code.code),
          status: code.status,
          name: code.name,
          quota: code.quota,
          created_time: code.createdTime,
          redeemed_time: code.redeemedTime,
          used_user_id: users.get(code.usedUserId) ?? 0,
          deleted_at: null,
          expired_time: code.expiredTime,
          batch_id: null,
        })
        made.set(code.sourceId, id)
      }
      await map.add(trx, 'code', made)
    })
  }

  return {
    async write(codes: readonly MovedCode[]): Promise<void> {
      const known = await map.known(
        'code',
        codes.map(({ sourceId }) => sourceId),
      )
      const fresh = codes.filter(({ sourceId }) => !known.has(sourceId))
      const there = await taken(fresh.map(({ code }) => secrets.digest('redemption', code)))
      const chosen = fresh.filter(({ code, name }) => {
        if (!there.has(secrets.digest('redemption', code))) return true
        notes.note('code_taken', name)
        return false
      })
      run.count('code', { known: known.size, carried: chosen.length })
      const moved = [...codes.filter(({ sourceId }) => known.has(sourceId)), ...chosen]
      for (const { quota } of moved) run.add('code_quota', quota)
      if (!run.dryRun && chosen.length > 0) await insertAll(chosen)
    },
  }
}

/** Moves secrets of one-time passwords, so that people keep their authenticator. */
export const createSecondFactorWriter = ({ target, map, ...run }: ImportRun) => {
  const { database, secrets } = target
  return {
    async write(factors: readonly MovedSecondFactor[]): Promise<void> {
      const known = await map.known(
        'second_factor',
        factors.map(({ sourceId }) => sourceId),
      )
      const owners = await map.known(
        'user',
        factors.map(({ userId }) => userId),
      )
      const chosen = factors.filter(({ sourceId, userId }) => !known.has(sourceId) && owners.has(userId))
      run.count('second_factor', { known: known.size, carried: chosen.length })
      if (run.dryRun || chosen.length === 0) return
      const now = unixSeconds(target.clock)
      await database.transaction(async (trx) => {
        const rows = chosen.map(({ userId, secret, createdTime }) => ({
          user_id: owners.get(userId) ?? 0,
          secret_cipher: secrets.encrypt('second_factor', secret),
          confirmed_time: createdTime || now,
          last_step: 0,
          failures: 0,
          last_failure_time: 0,
          created_time: createdTime || now,
        }))
        await database.insertMany('second_factors', rows, { trx, skipExisting: true })
        await map.add(
          trx,
          'second_factor',
          new Map(chosen.map(({ sourceId, userId }) => [sourceId, owners.get(userId) ?? 0])),
        )
      })
    },
  }
}
