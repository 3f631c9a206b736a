import type { Transaction } from 'kysely'
import { insertReturningId } from '../../../src/db/dialect.ts'
import type { Tables } from '../../../src/db/schema.ts'
import { newSessionId } from '../../../src/lib/ids.ts'
import type { Secrets } from '../../../src/lib/security/secrets.ts'
import { canary } from '../canaries.ts'
import { now } from './now.ts'

export const insertUser = async (
  query: Transaction<Tables>,
  userRole: number,
  status: number,
  username: string,
): Promise<number> => {
  const id = await insertReturningId(query, 'users', {
    username,
    password: '',
    display_name: username,
    role: userRole,
    status,
    email: '',
    github_id: '',
    oidc_id: '',
    wechat_id: '',
    telegram_id: '',
    linux_do_id: '',
    access_token_hash: null,
    group: 'default',
    aff_code: username,
    aff_count: 0,
    inviter_id: 0,
    deleted_at: null,
    setting: '',
    created_time: now(),
    last_login_time: 0,
    quota: 1_000_000,
  })
  const setting = {
    notify_type: 'email',
    webhook_url: `https://hooks.example/${canary('webhookpath', id)}`,
    webhook_secret: canary('webhooksecret', id),
  }
  const personal = {
    password: canary('password', id),
    email: `${canary('mail', id)}@x.example`,
    github_id: canary('identity', id),
    setting: JSON.stringify(setting),
  }
  await query.updateTable('users').set(personal).where('id', '=', id).execute()
  return id
}

export const giveSession = async (query: Transaction<Tables>, secrets: Secrets, userId: number): Promise<string> => {
  const session = newSessionId()
  const row = {
    user_id: userId,
    created_time: now(),
    last_seen_time: now(),
    expires_time: now() + 3600,
    ip: '192.0.2.9',
    user_agent: canary('agent', userId),
    confirmed_time: now(),
  }
  await query
    .insertInto('sessions')
    .values({ ...row, id_hash: secrets.digest('session', session) })
    .execute()
  const stale = { ...row, id_hash: canary('sessionid', userId) }
  await query.insertInto('sessions').values(stale).execute()
  return session
}

export const giveNamedToken = async (
  query: Transaction<Tables>,
  secrets: Secrets,
  userId: number,
): Promise<{ namedToken: string; namedTokenId: number }> => {
  const namedToken = `tgat_${canary('accesstoken', userId, 43)}`
  const namedTokenId = await insertReturningId(query, 'access_tokens', {
    user_id: userId,
    name: canary('tokenname', userId),
    token_hash: secrets.digest('access_token', namedToken),
    hint: 'qqqq',
    scopes: '["all"]',
    created_time: now(),
    expires_time: now() + 3600,
    last_used_time: 0,
    last_used_ip: '',
  })
  return { namedToken, namedTokenId }
}

export const giveApiKey = async (
  query: Transaction<Tables>,
  secrets: Secrets,
  userId: number,
): Promise<{ apiKey: string; tokenId: number }> => {
  const apiKey = canary('apikey', userId, 48)
  const tokenId = await insertReturningId(query, 'tokens', {
    user_id: userId,
    key_hash: secrets.digest('token_key', apiKey),
    key_cipher: secrets.encrypt('token_key', apiKey),
    key_hint: 'can***qqq',
    status: 1,
    name: canary('tokenname', userId),
    created_time: now(),
    accessed_time: now(),
    expired_time: -1,
    remain_quota: 500,
    unlimited_quota: 0,
    model_limits_enabled: 0,
    model_limits: '',
    allow_ips: '',
    used_quota: 0,
    group: '',
    deleted_at: null,
  })
  return { apiKey, tokenId }
}
