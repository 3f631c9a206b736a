import { tokenStatus } from '@tollgate/contract'
import type { Database } from '../../db/database.ts'
import { batchedLookup } from '../../lib/batched-lookup.ts'
import { importedKeyHash } from '../../lib/security/imported-key.ts'
import type { Secrets } from '../../lib/security/secrets.ts'
import { keyColumns } from './change.ts'
import type { CallerRows } from './directory.ts'

/** Keys that one query looks up; a flood of unknown ones takes a few queries a second. */
const mostAtOnce = 200

/** Tokens joined with their owners, as the caller directory reads them. */
export const openCallerRows = (database: Database, secrets: Pick<Secrets, 'encrypt' | 'digest'>): CallerRows => {
  const tokens = () =>
    database.query
      .selectFrom('tokens')
      .leftJoin('users', (join) => join.onRef('users.id', '=', 'tokens.user_id').on('users.deleted_at', 'is', null))
      .select([
        'tokens.id',
        'tokens.user_id',
        'tokens.name',
        'tokens.key_hash',
        'tokens.key_hint',
        'tokens.status',
        'tokens.expired_time',
        'tokens.remain_quota',
        'tokens.unlimited_quota',
        'tokens.model_limits_enabled',
        'tokens.model_limits',
        'tokens.allow_ips',
        'tokens.group',
        'users.username',
        'users.role',
        'users.status as user_status',
        'users.group as user_group',
        'users.setting',
      ])
      .where('tokens.deleted_at', 'is', null)

  /** Sets a status on an enabled token, if the row really is what the status says. */
  const marked = async (id: number, status: number, when: 'expired' | 'exhausted', now: number): Promise<boolean> => {
    const enabled = database.query
      .updateTable('tokens')
      .set({ status })
      .where('id', '=', id)
      .where('status', '=', tokenStatus.enabled)
    const narrowed =
      when === 'expired'
        ? enabled.where('expired_time', '<>', -1).where('expired_time', '<', now)
        : enabled.where('unlimited_quota', '=', 0).where('remain_quota', '<=', 0)
    return (await narrowed.executeTakeFirst()).numUpdatedRows > 0n
  }

  return {
    byHash: batchedLookup(async (keyHashes) => {
      const rows = await tokens().where('tokens.key_hash', 'in', keyHashes).execute()
      return new Map(rows.map((row) => [row.key_hash, row]))
    }, mostAtOnce),
    mostRecentlyUsed: (limit) =>
      tokens().orderBy('tokens.accessed_time', 'desc').orderBy('tokens.id', 'desc').limit(limit).execute(),
    adopt: async (id, key) => {
      await database.query
        .updateTable('tokens')
        .set(keyColumns(key, secrets))
        .where('id', '=', id)
        .where('key_hash', '=', importedKeyHash(key))
        .execute()
    },
    markSpent: async (id, now) =>
      (await marked(id, tokenStatus.expired, 'expired', now)) ||
      (await marked(id, tokenStatus.exhausted, 'exhausted', now)),
  }
}
