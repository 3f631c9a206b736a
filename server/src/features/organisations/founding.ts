import { role, userStatus } from '@tollgate/contract'
import type { Transaction } from 'kysely'
import { insertReturningId } from '../../db/dialect.ts'
import type { Tables } from '../../db/schema.ts'
import { randomAlphanumerics } from '../../lib/ids.ts'

interface NewOrganisation {
  readonly name: string
  /** The group of the wallet, which decides prices and models. */
  readonly group: string
  /** Empty for all. */
  readonly models: readonly string[]
  /** Unix seconds. */
  readonly createdTime: number
}

/** Makes an organisation that has no members yet, and the user without a password that is its wallet. */
export const insertOrganisation = async (
  trx: Transaction<Tables>,
  { name, group, models, createdTime }: NewOrganisation,
): Promise<{ readonly id: number; readonly walletId: number }> => {
  const walletId = await insertReturningId(trx, 'users', {
    username: `org:${name}:${randomAlphanumerics(6)}`,
    display_name: name,
    password: '',
    role: role.user,
    status: userStatus.enabled,
    group,
    organisation_id: 0,
    email: '',
    github_id: '',
    oidc_id: '',
    wechat_id: '',
    telegram_id: '',
    linux_do_id: '',
    access_token_hash: null,
    aff_code: `org${randomAlphanumerics(12)}`,
    aff_count: 0,
    inviter_id: 0,
    deleted_at: null,
    setting: '',
    created_time: createdTime,
    last_login_time: 0,
  })
  const id = await insertReturningId(trx, 'organisations', {
    name,
    wallet_user_id: walletId,
    domain: '',
    models: models.length === 0 ? null : models.join(','),
    created_time: createdTime,
    deleted_at: null,
  })
  await trx.updateTable('users').set({ organisation_id: id }).where('id', '=', walletId).execute()
  return { id, walletId }
}
