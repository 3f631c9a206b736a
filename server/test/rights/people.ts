import { userStatus } from '@tollgate/contract'
import type { Transaction } from 'kysely'
import { insertReturningId } from '../../src/db/dialect.ts'
import type { Tables } from '../../src/db/schema.ts'
import { newSessionId } from '../../src/lib/ids.ts'
import type { Secrets } from '../../src/lib/security/secrets.ts'
import { canary } from './canaries.ts'
import { giveDualRun } from './dual-run.ts'
import { giveIdentityProviders } from './identity-providers.ts'
import { giveInspection } from './inspector.ts'
import { giveReports } from './reports.ts'
import type { RightsSite } from './site.ts'

/** Somebody with a session, a system access token, an API key and everything else that people can own. */
export interface Person {
  readonly id: number
  readonly role: number
  readonly username: string
  /** Value of the session cookie; it has just proved who it is. */
  readonly session: string
  /** The system access token. */
  readonly accessToken: string
  /** A named access token for everything. */
  readonly namedToken: string
  readonly namedTokenId: number
  readonly apiKey: string
  readonly tokenId: number
  readonly passkeyId: number
  readonly channelId: number
  /** One of two keys of the channel, as calls name it. */
  readonly channelKeyId: string
  readonly redemptionId: number
  /** A proposed version of list prices, and one that was applied. */
  readonly proposalId: number
  readonly appliedId: number
  readonly orderId: number
  /** A correction of a price that waits to be applied. */
  readonly correctionId: number
  readonly logId: number
  readonly alertId: number
  /** What an operator noted about this person. */
  readonly noteId: number
  readonly virtualModelId: number
  readonly limitId: number
  readonly dualRunId: number
  readonly inspectionId: number
  readonly captureId: number
  readonly reportSourceId: number
  readonly reportImportId: number
  /** An organisation that the person owns, and its identity provider. */
  readonly organisationId: number
  readonly ownProviderId: number
  /** An identity provider of the site. */
  readonly siteProviderId: number
}

const now = (): number => Math.floor(Date.now() / 1000)

const emptyFilter = '{"models":[],"channels":[],"users":[]}'

/** Writes one person and what they own, in the transaction that is passed. */
const insertPerson = async (
  query: Transaction<Tables>,
  secrets: Secrets,
  person: { username: string; role: number; status: number; protectedBy2fa: boolean },
): Promise<Person> => {
  const insertUser = async (userRole: number, status: number, username: string): Promise<number> => {
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

  const giveSession = async (userId: number): Promise<string> => {
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

  const giveNamedToken = async (userId: number): Promise<{ namedToken: string; namedTokenId: number }> => {
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

  const giveApiKey = async (userId: number): Promise<{ apiKey: string; tokenId: number }> => {
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

  const givePasskey = (userId: number): Promise<number> =>
    insertReturningId(query, 'passkeys', {
      user_id: userId,
      credential_hash: secrets.digest('proof', String(userId)),
      credential_id: canary('passkey', userId),
      public_key: canary('passkey', userId),
      counter: 0,
      transports: '[]',
      name: 'a key',
      created_time: now(),
      last_used_time: 0,
    })

  const giveAlert = (userId: number): Promise<number> =>
    insertReturningId(query, 'explore_alerts', {
      ...{ user_id: userId, name: 'an alert', metric: 'spend', filters: '[]', own_calls: 1, comparison: 'above' },
      ...{ threshold: 1, window_hours: 24, enabled: 1, version: 0, over_since: 0, last_value: null },
      ...{ checked_time: 0, noticed_time: 0, changed_time: now() },
    })

  const giveNote = (userId: number): Promise<number> =>
    insertReturningId(query, 'user_notes', {
      ...{ user_id: userId, author_id: 1, author_name: 'root', text: canary('usernote', userId), created_time: now() },
    })

  const giveVirtualModel = (name: string): Promise<number> =>
    insertReturningId(query, 'virtual_models', {
      name: `virtual-${name}`,
      spec: JSON.stringify({ steps: [{ targets: [{ model: 'gpt-4o' }] }] }),
      changed_time: now(),
    })

  const giveLimit = (owner_id: number, key: number): Promise<number> =>
    insertReturningId(query, 'call_limits', {
      ...{ owner_id, name: 'limit', changed_time: now() },
      spec: JSON.stringify({
        ...{ measure: 'requests', amount: 1_000_000, window: 'day' },
        subjects: [{ kind: 'key', value: String(key) }],
      }),
    })

  /** Answers the number of its row in the log. */
  const giveHistory = async (userId: number, username: string): Promise<number> => {
    const other = JSON.stringify({
      admin_info: {
        cause: canary('attempts', userId),
        cost: { quota: 1, version: canary('cost', userId), factor: '1' },
      },
    })
    const log = { user_id: userId, username, created_at: now(), type: 2, content: canary('log', userId), other }
    const blank = { token_id: 0, quota: 1, prompt_tokens: 1, completion_tokens: 1, use_time: 0, is_stream: 0 }
    const named = { token_name: '', model_name: 'gpt-4o', group: 'default', ip: '', request_id: `log-${userId}` }
    const logId = await insertReturningId(query, 'logs', { ...log, ...blank, ...named, channel_id: 0 })
    const entry = { movement: `adjust:${userId}`, account: 'user' as const, account_id: userId, amount: 1_000_000 }
    const detail = JSON.stringify({ by: 1, username: 'root', reason: canary('ledgernote', userId) })
    await query
      .insertInto('ledger_entries')
      .values({ ...entry, reason: 'adjust', created_at: now(), detail })
      .execute()
    const code = { purpose: 'bind_email', subject_hash: `subject ${userId}`, attempts: 0, created_time: now() }
    await query
      .insertInto('one_time_codes')
      .values({ ...code, code_hash: canary('onetimecode', userId), expires_time: now() + 600 })
      .execute()
    const trace = { actor_id: userId, actor_name: username, action: 'user.update', object: 'user', ip: '192.0.2.9' }
    await query
      .insertInto('audit')
      .values({
        ...trace,
        created_at: now(),
        object_id: String(userId),
        before: '{}',
        after: JSON.stringify({ note: canary('trail', userId) }),
      })
      .execute()
    return logId
  }

  const giveChannel = (userId: number): Promise<number> =>
    insertReturningId(query, 'channels', {
      type: 1,
      key_cipher: secrets.encrypt('channel_key', `${canary('channelkey', userId)}\nsk-second`),
      key_hint: '…qqqq',
      key_hash: canary('channelkey', userId),
      openai_organization: null,
      max_input_tokens: 0,
      test_model: null,
      status: 1,
      name: canary('channelname', userId),
      weight: 0,
      created_time: now(),
      test_time: 0,
      response_time: 0,
      base_url: 'http://127.0.0.1:9',
      other: '',
      balance: 0,
      balance_updated_time: 0,
      models: 'gpt-4o',
      group: 'default',
      model_mapping: null,
      status_code_mapping: null,
      priority: 0,
      auto_ban: 1,
      other_info: '',
      tag: 'eu',
      setting: null,
      param_override: null,
    })

  /** A version of list prices without changes. */
  const givePriceVersion = (status: 'proposed' | 'applied'): Promise<number> =>
    insertReturningId(query, 'price_versions', {
      created_at: 1,
      decided_at: status === 'applied' ? 1 : 0,
      effective_from: status === 'applied' ? 1 : 0,
      kind: 'sync',
      source: 'rights',
      status,
      actor_name: '',
    })

  const giveRedemption = (userId: number): Promise<number> => {
    const key = canary('redemption', userId)
    return insertReturningId(query, 'redemptions', {
      user_id: userId,
      key_hash: secrets.digest('redemption', key),
      key_cipher: secrets.encrypt('redemption', key),
      status: 1,
      name: 'a gift',
      quota: 500,
      created_time: now(),
      redeemed_time: 0,
      used_user_id: 0,
      deleted_at: null,
      expired_time: 0,
      batch_id: 'batch',
    })
  }

  const giveCorrection = (userId: number): Promise<number> =>
    insertReturningId(query, 'corrections', {
      ...{ created_at: now(), actor_id: userId, actor_name: 'root', note: '', state: 'ready', filter: emptyFilter },
      ...{ from_time: 1, to_time: 2, changes: '[]', price: '{}', scan_at: 2, scan_id: 0, left_out: '{}' },
    })

  const giveOrder = async (userId: number): Promise<number> => {
    const trade_no = canary('order', userId)
    const callback = {
      ip: '192.0.2.9',
      verified: 1,
      outcome: 'already',
      parameters: JSON.stringify({ buyer: canary('callback', userId) }),
    }
    const row = { received_time: now(), source: 'notify' as const, trade_no, ...callback }
    await query.insertInto('payment_callbacks').values(row).execute()
    return insertReturningId(query, 'top_ups', {
      user_id: userId,
      amount: 1,
      money: '7.30',
      trade_no,
      create_time: now(),
      status: 'success',
      quota: 500_000,
      payment_method: 'zfb',
      merchant_id: '1001',
      gateway_trade_no: null,
    })
  }

  /** Answers the number of an organisation of this owner, with a team, a project and a key in it. */
  const giveOrganisation = async (userId: number): Promise<number> => {
    const walletId = await insertUser(1, 1, `org:${userId}`)
    const name = canary('organisation', userId)
    const common = { created_time: now(), deleted_at: null }
    const id = await insertReturningId(query, 'organisations', {
      ...{ name, wallet_user_id: walletId, domain: '', ...common },
    })
    await query.updateTable('users').set({ organisation_id: id }).where('id', '=', walletId).execute()
    const teamId = await insertReturningId(query, 'teams', { organisation_id: id, name, models: '', ...common })
    const place = { organisation_id: id, team_id: teamId }
    const projectId = await insertReturningId(query, 'projects', { ...place, name, models: '', ...common })
    const { tokenId } = await giveApiKey(walletId)
    await query
      .updateTable('tokens')
      .set({ project_id: projectId, member_id: userId, name })
      .where('id', '=', tokenId)
      .execute()
    const membership = { organisation_id: id, team_id: 0, user_id: userId, role: 'owner', created_time: now() }
    await query.insertInto('memberships').values(membership).execute()
    return id
  }

  const { username, role: userRole, status, protectedBy2fa } = person
  const id = await insertUser(userRole, status, username)
  const accessToken = canary('accesstoken', id, 32)
  const access_token_hash = secrets.digest('access_token', accessToken)
  await query.updateTable('users').set({ access_token_hash }).where('id', '=', id).execute()
  if (protectedBy2fa) {
    const secret_cipher = secrets.encrypt('second_factor', canary('totp', id))
    const factor = { user_id: id, secret_cipher, confirmed_time: now(), last_step: 0, created_time: now() }
    await query.insertInto('second_factors').values(factor).execute()
    const code_hash = canary('recovery', id)
    await query.insertInto('recovery_codes').values({ user_id: id, code_hash, created_time: now() }).execute()
  }
  const session = await giveSession(id)
  const key = await giveApiKey(id)
  const logId = await giveHistory(id, username)
  const passkeyId = await givePasskey(id)
  const channelId = await giveChannel(id)
  const channelKeyId = secrets.digest('channel_key', canary('channelkey', id)).slice(0, 16)
  const [redemptionId, orderId] = [await giveRedemption(id), await giveOrder(id)]
  const [proposalId, appliedId] = [await givePriceVersion('proposed'), await givePriceVersion('applied')]
  const channel = { channelId, channelKeyId, ...(await giveReports(query, secrets, id)) }
  const organisationId = await giveOrganisation(id)
  return {
    id,
    role: userRole,
    username,
    session,
    accessToken,
    ...(await giveNamedToken(id)),
    passkeyId,
    ...channel,
    redemptionId,
    proposalId,
    appliedId,
    orderId,
    correctionId: await giveCorrection(id),
    logId,
    organisationId,
    ...(await giveIdentityProviders(query, secrets, id, organisationId)),
    alertId: await giveAlert(id),
    noteId: await giveNote(id),
    virtualModelId: await giveVirtualModel(username),
    limitId: await giveLimit(id, key.tokenId),
    dualRunId: await giveDualRun(query, secrets),
    ...(await giveInspection(query, secrets, id)),
    ...key,
  }
}

/** Puts people and their belongings straight into the database; each value that must stay secret is a canary. */
export const createPeople = ({ database, secrets }: RightsSite) => {
  const { query } = database
  let count = 0

  return {
    make(userRole: number, { status = userStatus.enabled as number, protectedBy2fa = false } = {}): Promise<Person> {
      count += 1
      const person = { username: `p${count}`, role: userRole, status, protectedBy2fa }
      return database.transaction((trx) => insertPerson(trx, secrets, person))
    },

    /** Everything of a person that others may not touch, as one text. */
    async picture({ id }: Person): Promise<string> {
      const rows = await Promise.all([
        query.selectFrom('users').selectAll().where('id', '=', id).execute(),
        query.selectFrom('tokens').selectAll().where('user_id', '=', id).orderBy('id').execute(),
        query.selectFrom('tokens').selectAll().where('member_id', '=', id).orderBy('id').execute(),
        query.selectFrom('memberships').selectAll().where('user_id', '=', id).orderBy('id').execute(),
        query.selectFrom('spend_caps').selectAll().where('subject_id', '=', id).orderBy('id').execute(),
        query.selectFrom('passkeys').selectAll().where('user_id', '=', id).orderBy('id').execute(),
        query.selectFrom('second_factors').selectAll().where('user_id', '=', id).execute(),
        query.selectFrom('recovery_codes').selectAll().where('user_id', '=', id).orderBy('id').execute(),
        query.selectFrom('explore_alerts').selectAll().where('user_id', '=', id).orderBy('id').execute(),
        query.selectFrom('identities').selectAll().where('user_id', '=', id).orderBy('id').execute(),
        query
          .selectFrom('sessions')
          .select(['id_hash', 'confirmed_time'])
          .where('user_id', '=', id)
          .orderBy('id_hash')
          .execute(),
        query
          .selectFrom('access_tokens')
          .select(['id', 'name', 'token_hash', 'scopes', 'expires_time'])
          .where('user_id', '=', id)
          .orderBy('id')
          .execute(),
        query.selectFrom('ledger_entries').selectAll().where('account_id', '=', id).orderBy('id').execute(),
      ])
      return JSON.stringify(rows)
    },

    /** How many changes the trail holds. */
    async traces(): Promise<number> {
      const counted = query.selectFrom('audit').select(({ fn }) => fn.countAll<number>().as('count'))
      return Number((await counted.executeTakeFirst())?.count ?? 0)
    },
  }
}

export type People = ReturnType<typeof createPeople>
