import type { Database } from '../../../src/db/database.ts'
import { insertReturningId } from '../../../src/db/dialect.ts'

let count = 0

/** An organisation with a team, and an owner. */
const found = async (
  { query }: Database,
  owner: number,
): Promise<{ organisation: number; team: number; wallet: number }> => {
  count += 1
  const none = { email: '', github_id: '', oidc_id: '', wechat_id: '', telegram_id: '', linux_do_id: '' }
  const wallet = await insertReturningId(query, 'users', {
    ...none,
    username: `org${count}`,
    display_name: '',
    password: '',
    role: 1,
    status: 1,
    group: 'default',
    access_token_hash: null,
    aff_code: `o${count}`,
    aff_count: 0,
    inviter_id: 0,
    deleted_at: null,
    setting: '',
    created_time: 0,
    last_login_time: 0,
  })
  const organisation = await insertReturningId(query, 'organisations', {
    name: `Organisation ${count}`,
    wallet_user_id: wallet,
    domain: '',
    created_time: 0,
    deleted_at: null,
  })
  const team = await insertReturningId(query, 'teams', {
    organisation_id: organisation,
    name: 'Engineering',
    models: '',
    created_time: 0,
    deleted_at: null,
  })
  await query
    .insertInto('memberships')
    .values({
      organisation_id: organisation,
      team_id: 0,
      user_id: owner,
      role: 'owner',
      created_time: 0,
    })
    .execute()
  return { organisation, team, wallet }
}

/** A key of a person, paid by the wallet. */
const key = ({ query }: Database, wallet: number, member: number): Promise<number> =>
  insertReturningId(query, 'tokens', {
    user_id: wallet,
    member_id: member,
    name: 'key',
    key_hash: `hash ${wallet} ${member}`,
    key_cipher: '',
    key_hint: '',
    status: 1,
    created_time: 0,
    accessed_time: 0,
    expired_time: -1,
    unlimited_quota: 1,
    group: '',
    model_limits_enabled: 0,
    model_limits: '',
    allow_ips: '',
    deleted_at: null,
    tags: null,
    project_id: 0,
  })

export const foundOrganisation = Object.assign(found, { key })
