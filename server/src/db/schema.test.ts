import { type Insertable, type Selectable, sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeEachEngine } from '../../test/support/db/databases.ts'
import { testLog, testUser } from '../../test/support/db/rows.ts'
import { insertReturningId } from './dialect.ts'
import type { Tables } from './schema.ts'

const time = 4_000_000_000
const most = Number.MAX_SAFE_INTEGER
const longKey = '文'.repeat(255)
const longText = '文🚪\\\'"%_\n'.repeat(20_000)

const siteUsage = {
  created_at: time,
  channel_id: 1,
  group: 'default',
  model_name: 'm',
  count: most,
  quota: most,
  prompt_tokens: most,
  completion_tokens: most,
  failures: most,
  cost: most,
  costed_count: most,
  costed_quota: most,
  cached_tokens: most,
  cache_write_tokens: most,
  reasoning_tokens: most,
  timed_tokens: most,
  timed_ms: most,
  missed_tokens: most,
  cache_saved: most,
  cache_lost: -most,
}
const speedCounts = {
  ...{ first_0: most, first_1: 0, first_2: 0, first_3: 0, first_4: 0, first_5: 0, first_6: 0, first_7: most },
  ...{ total_0: most, total_1: 0, total_2: 0, total_3: 0, total_4: 0, total_5: 0, total_6: 0, total_7: most },
}
const { channel_id: _channel, group: _group, model_name: _model, ...sums } = siteUsage
const userUsage = { ...sums, user_id: 1, token_id: 1, token_name: 't' }
const usage = { ...siteUsage, dimensions_hash: 'h'.repeat(32), user_id: 1, token_id: 1, token_name: 't' }

/** One full row per table; the types name every column. */
const rows: { readonly [T in keyof Tables]: Omit<Selectable<Tables[T]>, 'id'> & Insertable<Tables[T]> } = {
  users: {
    ...(testUser('alice') as Omit<Selectable<Tables['users']>, 'id'>),
    quota: -most,
    used_quota: most,
    organisation_id: most,
  },
  sessions: {
    id_hash: 'h'.repeat(64),
    user_id: 1,
    created_time: time,
    last_seen_time: time,
    expires_time: time,
    ip: '2001:db8::1',
    user_agent: longText,
    confirmed_time: time,
  },
  access_tokens: {
    user_id: 1,
    name: longKey,
    token_hash: 'h'.repeat(64),
    hint: 'abcd',
    scopes: longText,
    created_time: time,
    expires_time: time,
    last_used_time: time,
    last_used_ip: '2001:db8::1',
  },
  inspections: {
    kind: 'token',
    target_id: most,
    target_name: longKey,
    reason: longKey,
    started_by: 1,
    started_role: 100,
    started_name: longKey,
    started_time: time,
    ends_time: time,
  },
  dual_runs: {
    ...{ request_id: longKey, created_time: time, model: longKey, path: longKey, status: 200 },
    ...{ same_text: 1, same_tools: 1, same_finish: 1, same_usage: 1, differs: 1 },
    ...{ quota: most, second_quota: most, spent: most, prompt_tokens: most, completion_tokens: most },
    ...{ second_prompt_tokens: most, second_completion_tokens: most, took_ms: most, second_ms: most },
    content_cipher: longText,
  },
  usage_sinks: {
    name: longKey,
    cursor_id: most,
    sent: most,
    sent_time: time,
    failures: most,
    error: longText,
    retry_time: time,
  },
  captures: {
    ...{ inspection_id: most, request_id: longKey, created_time: time, expires_time: time, user_id: most },
    ...{ user_role: 1, username: longKey, token_name: longKey, channel_id: most, model: longKey, path: longKey },
    ...{ status: 200, quota: most, prompt_tokens: most, completion_tokens: most, took_ms: most, bytes: most },
    ...{ pinned: 1, replay_of: most, content_cipher: longText },
  },
  one_time_codes: {
    purpose: 'reset',
    subject_hash: 'hash',
    code_hash: 'hash',
    attempts: 5,
    created_time: time,
    expires_time: time,
  },
  challenges: {
    id_hash: 'hash',
    purpose: 'oauth',
    user_id: 1,
    browser_hash: '',
    data_cipher: longText,
    created_time: time,
    expires_time: time,
  },
  identities: { provider: 'github', subject: '583231', user_id: 1, name: 'octocat', created_time: time },
  second_factors: {
    user_id: 1,
    secret_cipher: longText,
    confirmed_time: time,
    last_step: time,
    failures: 5,
    last_failure_time: time,
    created_time: time,
  },
  recovery_codes: { user_id: 1, code_hash: 'hash', created_time: time },
  passkeys: {
    user_id: 1,
    credential_hash: 'hash',
    credential_id: longText,
    public_key: longText,
    counter: 4_294_967_295,
    transports: '["internal"]',
    name: '🔑',
    created_time: time,
    last_used_time: time,
  },
  notice_marks: { user_id: 1, kind: 'quota_exceed', sent_time: time, sent_count: 2 },
  notice_deliveries: {
    user_id: 1,
    kind: 'quota_exceed',
    way: 'webhook',
    body: longText,
    attempts: 1,
    created_time: time,
    next_time: time,
    last_error: longText,
  },
  tokens: {
    user_id: 1,
    key_hash: 'hash',
    key_cipher: longText,
    key_hint: 'abc***xyz',
    status: 1,
    name: '名',
    created_time: time,
    accessed_time: time,
    expired_time: -1,
    remain_quota: most,
    unlimited_quota: 0,
    model_limits_enabled: 1,
    model_limits: '',
    allow_ips: '',
    used_quota: 0,
    group: '',
    deleted_at: time,
    project_id: most,
    member_id: most,
    tags: longKey,
  },
  organisations: {
    ...{ name: longKey, wallet_user_id: most, domain: longKey, provisioned_role: longKey },
    ...{ models: longText, channels: longText, time_zone: longKey, created_time: time, deleted_at: time },
  },
  teams: {
    ...{ organisation_id: most, name: longKey, models: longText, channels: longText },
    ...{ created_time: time, deleted_at: time },
  },
  projects: {
    ...{ organisation_id: most, team_id: most, name: longKey, models: longText, channels: longText },
    ...{ created_time: time, deleted_at: time },
  },
  memberships: {
    ...{ organisation_id: most, team_id: most, user_id: most, role: longKey, created_time: time, provider_id: most },
  },
  identity_providers: {
    ...{ organisation_id: most, slug: longKey, name: longKey, icon: longKey, enabled: 1, connection: longText },
    ...{ secret_cipher: longText, sign_up: 1, domains: longText, enforced: 1, rules: longText, replaces_manual: 1 },
    ...{ created_time: time, changed_time: time },
  },
  organisation_invitations: {
    ...{ organisation_id: most, team_id: most, role: longKey, email: longKey, secret_hash: longKey },
    ...{ invited_by: most, created_time: time, expires_time: time, accepted_by: most },
  },
  spend_caps: { organisation_id: most, subject: longKey, subject_id: most, period: longKey, amount: most },
  spend_windows: { id: most, cap_id: most, spent: most },
  scim_tokens: {
    ...{ organisation_id: most, name: longKey, secret_hash: longKey, hint: longKey, made_by: most },
    ...{ created_time: time, expires_time: time, last_used_time: time },
  },
  scim_users: {
    ...{ organisation_id: most, user_id: most, user_name: longKey, name_key: longKey, external_id: longKey },
    ...{ state: longKey, made_account: 1, attributes: longText, version: most },
    ...{ created_time: time, changed_time: time },
  },
  scim_groups: {
    ...{ organisation_id: most, name: longKey, name_key: longKey, external_id: longKey, version: most },
    ...{ created_time: time, changed_time: time },
  },
  scim_group_members: { group_id: most, user_id: most },
  scim_calls: {
    ...{ organisation_id: most, token_name: longKey, created_time: time, method: longKey, path: longText },
    ...{ status: 200, detail: longText },
  },
  group_places: { organisation_id: most, group_name: longKey, group_key: longKey, team_id: most, role: longKey },
  given_roles: { organisation_id: most, team_id: most, user_id: most, source: longKey, role: longKey },
  channels: {
    type: 1,
    key_cipher: longText,
    key_hint: '',
    key_hash: '',
    openai_organization: null,
    max_input_tokens: 128_000,
    test_model: null,
    status: 3,
    name: 'n',
    weight: 0,
    created_time: time,
    test_time: time,
    response_time: 1200,
    base_url: '',
    other: '',
    balance: 12.3456789,
    balance_updated_time: time,
    models: longText,
    group: 'default,vip',
    used_quota: most,
    model_mapping: '{}',
    status_code_mapping: null,
    priority: -5,
    auto_ban: 1,
    other_info: '',
    tag: null,
    setting: null,
    param_override: longText,
  },
  channel_keys: { channel_id: 1, key_hash: 'hash', status: 3, reason: longText, status_time: time },
  channel_health: {
    channel_id: 1,
    model_name: 'm',
    bucket: time,
    ok: most,
    slow: 1,
    auth: 1,
    quota: 1,
    rate_limited: 1,
    server_error: 1,
    timeout: 1,
    other: 1,
    first_contents: 1,
    first_content_ms: most,
    spent: most,
    took_0: 1,
    took_1: 1,
    took_2: 1,
    took_3: 1,
    took_4: 1,
    took_5: 1,
    took_6: 1,
    took_7: 1,
    took_8: 1,
    took_9: 1,
    took_10: 1,
    took_11: 1,
    took_12: 1,
    took_13: 1,
    took_14: 1,
    took_15: 1,
    last_error: longText,
    last_error_time: time,
  },
  cluster_jobs: {
    name: 'test',
    run: 'r',
    alive_until: time,
    started_time: time,
    finished_time: time,
    done: 1,
    total: 2,
    result: longText,
    stop_requested: 1,
  },
  kept_answers: { id_hash: 'hash', user_id: 1, channel_id: 2, key_hash: 'hash', created_time: time },
  storage_refunds: {
    ...{ request_id: 'req', user_id: 3, channel_id: 4, content_name: longKey, quota: most, created_time: time },
    ...{ next_time: time, attempts: 2, last_error: longText },
  },
  stored_objects: {
    id_hash: 'hash',
    kind: 'response',
    token_id: 2,
    thread_hash: 'hash',
    order_number: most,
    expires_time: time,
    content_cipher: longText,
  },
  options: { key: 'ModelRatio', value: longText },
  redemptions: {
    user_id: 1,
    key_hash: 'hash',
    key_cipher: 'cipher',
    status: 1,
    name: 'n',
    quota: most,
    created_time: time,
    redeemed_time: 0,
    used_user_id: 0,
    deleted_at: null,
    expired_time: time,
    batch_id: null,
  },
  logs: {
    ...testLog('r'),
    other: longText,
    quota: most,
    provider_request_id: longKey,
    session: longKey,
    tags: longKey,
  },
  ledger_entries: {
    movement: 'm',
    account: 'user',
    account_id: 1,
    amount: -most,
    reason: 'charge',
    created_at: time,
    detail: longText,
    token_id: null,
  },
  ledger_hours: { account: 'aff', account_id: 1, created_at: time, reason: 'transfer', count: 3, amount: -most },
  corrections: {
    ...{ created_at: time, actor_id: 1, actor_name: 'root', note: longText, state: 'ready', from_time: time },
    ...{ to_time: time, filter: '{}', changes: '[]', price: longText, scan_at: time, scan_id: most, seen: most },
    ...{ left_out: '{}', calls: 1, old_quota: most, new_quota: -most, applied: 1, skipped: 1, lease_time: time },
    finished_time: time,
  },
  correction_calls: {
    ...{ correction_id: 1, request_id: 'r', replaces: 'r', user_id: 1, token_id: 1, token_name: '名', channel_id: 1 },
    ...{ model_name: 'm', group: 'g', called_at: time, old_quota: most, new_quota: -most, receipt: longText },
    costed: 1,
    state: 'waiting',
  },
  correction_users: {
    ...{ correction_id: 1, user_id: 1, calls: 1, old_quota: most, new_quota: -most, applied_calls: 1 },
    ...{ applied_old: most, applied_new: -most },
  },
  correction_hours: { user_id: 1, created_at: time, token_id: 1, model_name: 'm', quota: -most },
  quota_data: {
    user_id: 1,
    username: 'u',
    model_name: 'm',
    created_at: time,
    token_used: most,
    count: most,
    quota: most,
  },
  usage_hours: usage,
  usage_days: usage,
  usage_site_days: siteUsage,
  usage_user_periods: userUsage,
  speed_hours: {
    ...{ created_at: time, dimensions_hash: 'h'.repeat(32), user_id: 1, token_id: 1, channel_id: 1 },
    ...{ group: 'default', model_name: 'm', octave: 22, ...speedCounts },
  },
  speed_site_hours: {
    ...{ created_at: time, channel_id: 1, group: 'default', model_name: 'm', octave: 22, ...speedCounts },
  },
  call_session_hours: {
    ...{
      created_at: time,
      dimensions_hash: 'hash',
      session: 's',
      user_id: 1,
      token_id: 0,
      channel_id: 1,
      model_name: 'm',
    },
    ...{ count: most, failures: most, quota: most, prompt_tokens: most, completion_tokens: most, cached_tokens: most },
    ...{ cache_write_tokens: most, missed_tokens: most, cache_saved: most, cache_lost: -most },
    ...{
      cost: most,
      costed_count: most,
      costed_quota: most,
      reasoning_tokens: most,
      timed_tokens: most,
      timed_ms: most,
    },
  },
  call_tag_hours: {
    ...{
      created_at: time,
      dimensions_hash: 'hash',
      tag: 's',
      user_id: 1,
      token_id: 0,
      channel_id: 1,
      model_name: 'm',
    },
    ...{ count: most, failures: most, quota: most, prompt_tokens: most, completion_tokens: most, cached_tokens: most },
    ...{ cache_write_tokens: most, missed_tokens: most, cache_saved: most, cache_lost: -most },
    ...{
      cost: most,
      costed_count: most,
      costed_quota: most,
      reasoning_tokens: most,
      timed_tokens: most,
      timed_ms: most,
    },
  },
  failure_hours: {
    ...{ created_at: time, dimensions_hash: 'h'.repeat(32), user_id: 1, token_id: 1, channel_id: 1 },
    ...{ group: 'default', model_name: 'm', class: 'timeout', count: most },
  },
  log_gaps: { from_time: time, until_time: time },
  hedge_hours: { created_at: 0, channel_id: 3, model_name: 'gpt', count: 2, won: 1, cost: most },
  aborted_calls: { user_id: 1, created_at: 0, count: 2, quota: 3 },
  log_purges: {
    name: 'errors:2026-11-21',
    type: 5,
    before: time,
    total: most,
    deleted: most,
    created_time: time,
    lease_time: time,
    finished_time: time,
  },
  log_archives: {
    ...{
      name: 'logs-2026-03.parquet',
      month: '2026-03',
      first_time: time,
      last_time: time,
      first_id: 1,
      last_id: most,
    },
    ...{ rows: most, quota: most, bytes: most, created_time: time, finished_time: time },
    ...{ deleted_until: time, deleted_id: most },
  },
  midjourneys: {
    code: 1,
    user_id: 1,
    action: 'IMAGINE',
    mj_id: '1',
    prompt: longText,
    prompt_en: '',
    description: '',
    state: '',
    submit_time: time * 1000,
    start_time: time * 1000,
    finish_time: 0,
    image_url: '',
    status: 'SUCCESS',
    progress: '100%',
    fail_reason: '',
    channel_id: 1,
    quota: 1,
    buttons: '[]',
    properties: '',
    request_id: 'r1',
    key_hash: null,
  },
  tasks: {
    created_at: time,
    updated_at: time,
    task_id: 't',
    platform: 'suno',
    user_id: 1,
    channel_id: 1,
    quota: most,
    action: 'MUSIC',
    status: 'SUCCESS',
    fail_reason: '',
    submit_time: time,
    start_time: time,
    finish_time: time,
    progress: '100%',
    properties: '{}',
    data: longText,
    request_id: 'r1',
    key_hash: null,
  },
  top_ups: {
    user_id: 1,
    amount: 10,
    money: '7.30',
    trade_no: 't',
    create_time: time,
    status: 'pending',
    quota: most,
    payment_method: 'zfb',
    merchant_id: '1001',
    gateway_trade_no: null,
    complete_time: time,
  },
  payment_callbacks: {
    received_time: time,
    source: 'notify',
    ip: '2001:db8::1',
    trade_no: 't',
    verified: 1,
    outcome: 'credited',
    parameters: longText,
  },
  audit: {
    created_at: time,
    actor_id: 1,
    actor_name: 'root',
    action: 'update',
    object: 'channel',
    object_id: '5',
    before: longText,
    after: longText,
    ip: '::1',
  },
  user_notes: { user_id: 1, author_id: 2, author_name: 'root', text: longText, created_time: time },
  preferences: { user_id: 1, name: 'table.logs', value: longText, changed_time: time },
  explore_alerts: {
    ...{ user_id: 1, name: longKey, metric: 'spend', filters: longText, own_calls: 1, comparison: 'above' },
    ...{ threshold: 0.05, window_hours: 168, enabled: 1, version: most, over_since: time, last_value: null },
    ...{ checked_time: time, noticed_time: time, changed_time: time },
  },
  model_cards: { model: longKey, fields: longText, changed_time: time },
  virtual_models: { name: longKey, spec: longText, changed_time: time },
  call_limits: { owner_id: 1, name: longKey, spec: longText, changed_time: time },
  limit_counts: { limit_id: 1, subject: longKey, at: time, node: longKey, used: most },
  limit_notices: { limit_id: 1, subject: longKey, at: time, percent: 80, created_time: time },
  limit_paces: { limit_id: 1, subject: longKey, at: time, used: longText },
  report_sources: {
    kind: 'openai',
    name: longKey,
    channel_ids: longText,
    base_url: longText,
    key_cipher: longText,
    key_hint: longKey,
    settings: longText,
    created_time: time,
  },
  report_imports: {
    utc_offset: -8,
    source_id: 1,
    from_day: time,
    until_day: time,
    file_name: longText,
    status: 'done',
    run: longKey,
    error: longText,
    lines: most,
    summary: longText,
    created_time: time,
    started_time: time,
    finished_time: time,
    username: longKey,
  },
  report_lines: {
    import_id: 1,
    day: time,
    model_key: longKey,
    model_name: longKey,
    request_id: longKey,
    calls: most,
    input: most,
    cache_read: null,
    cache_write: null,
    output: most,
    cost: '0.000000000001',
  },
  report_calls: { import_id: 1, list: 'different', comparison: longText },
  report_days: { import_id: 1, day: time, model_key: longKey, comparison: longText },
  price_lists: { created_at: time, name: 'genai-prices 0.1.8', digest: 'd'.repeat(64), data: longText },
  price_versions: {
    created_at: time,
    decided_at: time,
    effective_from: time,
    kind: 'sync',
    source: longText,
    status: 'proposed',
    list_id: 1,
    undoes: 0,
    actor_id: 1,
    actor_name: 'root',
  },
  import_rows: { site: 'one-api', kind: 'user', source_id: 'u-1', target_id: 1 },
  opening_uses: { account: 'user', account_id: 1, used: most },
  price_changes: {
    version_id: 1,
    provider: 'openai',
    model: 'gpt-4o',
    before: longText,
    after: longText,
    doubts: longText,
    decision: 'apply',
  },
}

const withoutId: ReadonlySet<string> = new Set([
  'spend_windows',
  'options',
  'kept_answers',
  'stored_objects',
  'storage_refunds',
  'usage_sinks',
  'sessions',
  'challenges',
  'second_factors',
  'cluster_jobs',
  'log_gaps',
  'limit_counts',
  'limit_notices',
  'limit_paces',
])

describeEachEngine('the schema', (open) => {
  it('gives back every column of every table as it was written', async () => {
    const { query } = await open()
    for (const table of Object.keys(rows) as (keyof Tables)[]) {
      const row = rows[table] as Insertable<Tables[keyof Tables]>
      await query.insertInto(table).values(row).execute()
      const stored = await query.selectFrom(table).selectAll().execute()
      expect(stored, table).toEqual([withoutId.has(table) ? row : { id: 1, ...row }])
    }
  })

  it('counts 64 bits and sums them exactly, or fails', async () => {
    const { query } = await open()
    const id = await insertReturningId(query, 'users', { ...testUser('rich'), quota: most - 10 })
    const sum = () =>
      query
        .selectFrom('users')
        .select(({ fn }) => fn.sum<number>('quota').as('quota'))
        .executeTakeFirstOrThrow()
    await insertReturningId(query, 'users', { ...testUser('poor'), quota: 10 })
    expect(await sum()).toEqual({ quota: most })
    await insertReturningId(query, 'users', { ...testUser('last straw'), quota: 1 })
    await expect(sum()).rejects.toThrow()
    await sql`update users set quota = 9007199254740993 where id = ${id}`.execute(query)
    await expect(query.selectFrom('users').select('quota').where('id', '=', id).execute()).rejects.toThrow()
  })

  it('refuses to store a number that is not exact', async () => {
    const database = await open()
    const tooMuch = { ...testLog('r'), quota: most + 1 }
    await expect(database.insertMany('logs', [tooMuch])).rejects.toThrow(RangeError)
    await expect(insertReturningId(database.query, 'logs', { ...tooMuch, quota: Number.NaN })).rejects.toThrow(
      RangeError,
    )
  })

  it('never gives the number of a deleted row again', async () => {
    const { query } = await open()
    const id = await insertReturningId(query, 'users', testUser('first'))
    await query.deleteFrom('users').where('id', '=', id).execute()
    expect(await insertReturningId(query, 'users', testUser('second'))).toBe(id + 1)
  })

  it('compares texts by their bytes', async () => {
    const { query } = await open()
    await query
      .insertInto('options')
      .values([
        { key: 'a', value: '' },
        { key: 'A', value: '' },
        { key: 'á', value: '' },
      ])
      .execute()
    expect(await query.selectFrom('options').select('key').where('key', '=', 'A').execute()).toEqual([{ key: 'A' }])
  })

  it('lets many users have no invitation code and no access token', async () => {
    const { query } = await open()
    await insertReturningId(query, 'users', testUser('one'))
    await expect(insertReturningId(query, 'users', testUser('two'))).resolves.toBe(2)
  })
})
