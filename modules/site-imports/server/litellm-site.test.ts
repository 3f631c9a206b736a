import { channelStatus, limitChange, tokenStatus } from '@tollgate/contract'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { verifyLedger } from '#server/ledger/verify/verify.ts'
import type { RightsSite } from '#server-test/rights/site.ts'
import { completion, json, openTestUpstream, type TestUpstream } from '#server-test/support/gateway/upstream.ts'
import { litellmKey as key, type LitellmRows, litellmStatements as statementsOf } from '../tests/litellm-rows.ts'
import { newMovedSite, sqliteFile } from '../tests/moved-site.ts'

// A proxy of 2026 with everything that bounds a key; SQLite stands for its PostgreSQL, whose arrays and JSON are text here.

const unit = 500_000

let upstream: TestUpstream
beforeAll(async () => {
  upstream = await openTestUpstream()
  upstream.answer = json(completion('hello'))
})
afterAll(() => upstream.close())

const model = (id: string, name: string, params: object = {}, info: object = {}) => ({
  model_id: id,
  model_name: name,
  litellm_params: { model: `openai/${name}`, api_key: 'sk-upstream', api_base: `${upstream.url}/v1`, ...params },
  model_info: { id, ...info },
})

const nextMonth = '2126-12-01 00:00:00'

const site = (): LitellmRows => ({
  BudgetTable: [
    { budget_id: 'b-org', max_budget: 1000, soft_budget: 800, budget_duration: '30d', budget_reset_at: nextMonth },
    { budget_id: 'b-member', max_budget: 25, soft_budget: null, budget_duration: '1d', budget_reset_at: null },
    { budget_id: 'b-week', max_budget: 5, soft_budget: null, budget_duration: '7d', budget_reset_at: null },
    { budget_id: 'b-rate', max_budget: null, soft_budget: null, budget_duration: null, rpm_limit: 30 },
    { budget_id: 'b-good', max_budget: 8, soft_budget: null, budget_duration: null, budget_reset_at: null },
    { budget_id: 'b-project', max_budget: 3, soft_budget: null, budget_duration: null, budget_reset_at: null },
  ],
  OrganizationTable: [
    { organization_id: 'org', organization_alias: 'Acme', budget_id: 'b-org', models: ['chat'], spend: 40 },
  ],
  OrganizationMembership: [
    { user_id: 'ann', organization_id: 'org', user_role: 'org_admin', budget_id: null },
    { user_id: 'ben', organization_id: 'org', user_role: 'internal_user', budget_id: 'b-rate' },
  ],
  TeamTable: [
    {
      team_id: 'core',
      team_alias: 'Core',
      organization_id: 'org',
      members_with_roles: [
        { user_id: 'ann', role: 'admin' },
        { user_id: null, user_email: 'Cleo@example.com', role: 'user' },
        { user_id: 'nobody', role: 'user' },
      ],
      models: ['smart'],
      max_budget: 200,
      spend: 10,
      rpm_limit: 600,
      metadata: { model_rpm_limit: { chat: 5 } },
      budget_limits: [{ budget_duration: '24h', max_budget: 20 }],
    },
    { team_id: 'alone', team_alias: 'Alone', organization_id: null, models: [], max_budget: 2, spend: 0.5 },
  ],
  TeamMembership: [
    { user_id: 'ann', team_id: 'core', budget_id: 'b-member', spend: 1 },
    { user_id: 'cleo', team_id: 'core', budget_id: 'b-week', spend: 1 },
    { user_id: 'ben', team_id: 'alone', budget_id: 'b-good', spend: 3 },
  ],
  ProjectTable: [
    { project_id: 'search', project_alias: 'Search', team_id: 'core', budget_id: 'b-project', models: [], spend: 1 },
  ],
  UserTable: [
    { user_id: 'boss', user_role: 'proxy_admin', user_email: 'boss@example.com', models: [] },
    { user_id: 'ann', user_role: 'org_admin', user_email: 'ann@example.com', models: [] },
    { user_id: 'ben', user_role: 'internal_user', max_budget: 10, budget_duration: '7d', spend: 4, models: ['chat'] },
    { user_id: 'cleo', user_role: 'internal_user', user_email: 'cleo@example.com', models: ['no-default-models'] },
    { user_id: 'litellm-proxy-budget', user_role: 'internal_user', max_budget: 100, models: [] },
  ],
  VerificationToken: [
    key('in-team', { user_id: 'ann', team_id: 'core', models: ['all-team-models'] }),
    key('machine', { team_id: 'core', project_id: 'search' }),
    key('of-alone', { user_id: 'ben', team_id: 'alone' }),
    key('of-organisation', { user_id: 'ben', organization_id: 'org' }),
    key('personal', { user_id: 'ben', models: ['smart', 'free'] }),
    key('barred', { user_id: 'cleo' }),
    key('renewed', { user_id: 'boss', max_budget: 30, budget_duration: '30d', budget_reset_at: nextMonth, spend: 7 }),
    key('late', { user_id: 'boss', max_budget: 30, budget_duration: '1mo', budget_reset_at: '2026-01-01', spend: 7 }),
    key('fortnight', { user_id: 'boss', max_budget: 30, budget_duration: '14d', spend: 7 }),
    key('yearly', { user_id: 'boss', max_budget: 30, budget_duration: '365d', spend: 7 }),
    key('slow', { user_id: 'boss', rpm_limit: 1, max_parallel_requests: 4 }),
    key('for-one-model', { user_id: 'boss', model_max_budget: { chat: { budget_limit: 2.5, time_period: '1d' } } }),
    key('manager', { user_id: 'boss', allowed_routes: ['management_routes'] }),
    key('by-group', { user_id: 'boss', models: ['all-chats', 'open*'], access_group_ids: ['g1'] }),
    key('in-file', { user_id: 'boss', models: ['from-file'] }),
    key('nobody-at-all'),
    key('session', { user_id: 'boss', team_id: 'litellm-dashboard' }),
  ],
  AccessGroupTable: [
    { access_group_id: 'g1', access_group_name: 'cheap', access_model_names: ['free'], assigned_team_ids: [] },
  ],
  ProxyModelTable: [
    model('m1', 'chat', { model: 'openai/gpt-4o', rpm: 500, order: 2 }, { access_groups: ['all-chats', 'smart'] }),
    model('m2', 'free', { input_cost_per_token: 0, output_cost_per_token: 0 }),
    model('m3', 'house-model', { input_cost_per_token: 2e-6, cache_read_input_token_cost: 2e-7 }),
    model('m4', 'unheard-of'),
    model('m5', 'openai/*', { model: 'openai/*' }),
    model('m6', 'model_name_core_1', {}, { team_id: 'core', team_public_model_name: 'secret-model' }),
    model('m7', 'from-env', { api_key: 'os.environ/OPENAI_API_KEY' }),
    model('m8', 'open-one', { input_cost_per_token: 1e-6 }),
  ],
  EndUserTable: [{ user_id: 'customer-1', spend: 1 }],
})

const moved = async () => {
  const from = await sqliteFile(statementsOf(site()))
  const target = await newMovedSite()
  const { code, report } = await target.import('litellm', '--from', from)
  expect(code).toBe(0)
  const again = await target.import('litellm', '--from', from)
  expect(again.report.counts.map(({ kind, carried }) => [kind, carried])).toEqual(
    again.report.counts.map(({ kind }) => [kind, 0]),
  )
  const open = await target.open()
  onTestFinished(() => open.close())
  expect((await verifyLedger(open.database, {})).differences).toEqual([])
  return { report, site: open, notes: new Map(report.notes.map(({ code: note, examples }) => [note, examples])) }
}

const call = async (on: RightsSite, alias: string, name = 'chat') => {
  const answer = await on.ask({
    method: 'POST',
    path: '/v1/chat/completions',
    headers: { authorization: `Bearer sk-${alias}` },
    body: { model: name, messages: [{ role: 'user', content: 'hi' }] },
  })
  return answer.status
}

it('moves organisations, teams and projects with their people, wallets and keys', async () => {
  const { report, site: on, notes } = await moved()
  const { query } = on.database
  const counts = new Map(report.counts.map((count) => [count.kind, count]))
  expect(counts.get('organisation')).toMatchObject({ found: 2, carried: 2 })
  expect(counts.get('team')).toMatchObject({ found: 3, carried: 3 })
  expect(counts.get('project')).toMatchObject({ found: 4, carried: 4 })
  expect(counts.get('token')).toMatchObject({ found: 16, carried: 16, left: 0 })

  const wallets = await query
    .selectFrom('organisations as o')
    .innerJoin('users as w', 'w.id', 'o.wallet_user_id')
    .select(['o.name', 'o.models', 'w.quota', 'w.used_quota'])
    .orderBy('o.id')
    .execute()
  expect(wallets).toEqual([
    // Its budget begins anew each month, so a limit holds it.
    { name: 'Acme', models: 'chat', quota: 999_960 * unit, used_quota: 40 * unit },
    { name: 'Alone', models: null, quota: 1.5 * unit, used_quota: 0.5 * unit },
  ])
  expect(notes.get('team_alone')).toEqual(['Alone'])

  const places = await query
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .innerJoin('organisations as o', 'o.id', 'm.organisation_id')
    .leftJoin('teams as t', 't.id', 'm.team_id')
    .select(['o.name as organisation', 't.name as team', 'u.username', 'm.role'])
    .execute()
  expect(places.map((row) => [row.organisation, row.team, row.username, row.role]).toSorted()).toEqual(
    [
      ['Acme', null, 'ann', 'admin'],
      ['Acme', null, 'ben', 'member'],
      ['Acme', null, 'boss', 'owner'],
      ['Acme', 'Core', 'ann', 'admin'],
      ['Acme', 'Core', 'cleo', 'member'],
      ['Alone', null, 'boss', 'owner'],
      ['Alone', 'Alone', 'ben', 'member'],
    ].toSorted(),
  )
  expect(notes.get('member_gone')).toEqual(['nobody'])
  const caps = await query.selectFrom('spend_caps').select(['subject', 'period', 'amount']).execute()
  // Budgets of members that renew themselves are limits.
  expect(caps).toEqual([{ subject: 'member', period: 'total', amount: 5 * unit }])

  const keys = await query
    .selectFrom('tokens as k')
    .innerJoin('users as payer', 'payer.id', 'k.user_id')
    .leftJoin('projects as p', 'p.id', 'k.project_id')
    .leftJoin('users as member', 'member.id', 'k.member_id')
    .select(['k.name', 'payer.display_name', 'p.name as project', 'member.username'])
    .execute()
  const payers = new Map(keys.map((row) => [row.name, [row.display_name, row.project, row.username]]))
  expect(payers.get('in-team')).toEqual(['Acme', 'Core', 'ann'])
  expect(payers.get('machine')).toEqual(['Acme', 'Search', null])
  expect(payers.get('of-alone')).toEqual(['Alone', 'Alone', 'ben'])
  expect(payers.get('of-organisation')).toEqual(['Acme', 'General', 'ben'])
  expect(payers.get('personal')).toEqual(['ben', null, null])
  expect(payers.get('nobody-at-all')).toEqual(['Service keys', null, null])
  expect(notes.get('token_organisation')).toEqual(['of-organisation'])
  expect(notes.get('token_team_owner')).toEqual(['nobody-at-all'])
  expect(notes.get('internal_left')).toEqual(['litellm-proxy-budget', 'litellm-dashboard: 1'])
  expect(notes.get('user_role')).toBeUndefined()
  expect(notes.get('rest_left')).toEqual(['customers (end users): 1'])
})

it('moves budgets that renew themselves and limits of rate as limits, with what is spent of them', async () => {
  const { site: on, notes } = await moved()
  const stored = await on.database.query.selectFrom('call_limits').select(['name', 'spec']).execute()
  const limits = stored.map(({ name, spec }) => limitChange.parse({ name, ...JSON.parse(spec) }))
  const shown = new Map(
    limits.map(({ name, measure, amount, window, hours }) => [
      name,
      [measure, measure === 'money' ? amount / unit : amount, window === 'rolling' ? `rolling ${hours}` : window],
    ]),
  )
  expect(Object.fromEntries(shown)).toEqual({
    'organisation Acme: 1000 USD / 30d': ['money', 1000, 'month'],
    'team Core: 200 USD': ['money', 200, 'forever'],
    'team Core: 20 USD / 24h': ['money', 20, 'day'],
    'team Core: 600 requests / minute': ['requests', 600, 'minute'],
    'team Core, chat: 5 requests / minute': ['requests', 5, 'minute'],
    'member ann of Core: 25 USD / 1d': ['money', 25, 'day'],
    'member cleo of Core: 5 USD / 7d': ['money', 5, 'week'],
    'member ben of org: 30 requests / minute': ['requests', 30, 'minute'],
    'project Search: 3 USD': ['money', 3, 'forever'],
    'user ben: 10 USD / 7d': ['money', 10, 'week'],
    'key renewed: 30 USD / 30d': ['money', 30, 'month'],
    'key late: 30 USD / 1mo': ['money', 30, 'month'],
    'key fortnight: 30 USD / 14d': ['money', 30, 'rolling 336'],
    'key slow: 1 requests / minute': ['requests', 1, 'minute'],
    'key slow: 4 calls at a time': ['running', 4, 'now'],
    'key for-one-model, chat: 2.5 USD / 1d': ['money', 2.5, 'day'],
    'channel chat (m1): 500 requests / minute': ['requests', 500, 'minute'],
  })
  const acme = limits.find(({ name }) => name.startsWith('organisation Acme'))
  expect(acme).toMatchObject({ tell_at: [80], action: 'refuse' })

  const counted = await on.database.query
    .selectFrom('limit_counts as c')
    .innerJoin('call_limits as l', 'l.id', 'c.limit_id')
    .select(['l.name', 'c.used'])
    .execute()
  expect(Object.fromEntries(counted.map(({ name, used }) => [name, used / unit]))).toEqual({
    'organisation Acme: 1000 USD / 30d': 40,
    'team Core: 200 USD': 10,
    'member ann of Core: 25 USD / 1d': 1,
    'member cleo of Core: 5 USD / 7d': 1,
    'project Search: 3 USD': 1,
    'user ben: 10 USD / 7d': 4,
    'key renewed: 30 USD / 30d': 7,
    'key fortnight: 30 USD / 14d': 7,
  })
  const keys = await on.database.query
    .selectFrom('tokens')
    .select(['name', 'unlimited_quota', 'remain_quota'])
    .execute()
  expect(keys).toContainEqual({ name: 'renewed', unlimited_quota: 1, remain_quota: 0 })
  expect(keys).toContainEqual({ name: 'yearly', unlimited_quota: 0, remain_quota: 23 * unit })
  expect(notes.get('budget_reset')).toEqual(['yearly: 365d'])
  expect(notes.get('budget_rolling')).toEqual(['fortnight: 14d'])

  expect(await call(on, 'slow')).toBe(200)
  expect(await call(on, 'slow')).toBe(429)
})

it('counts what was spent of a budget before, to the end of its period', async () => {
  const rows = site()
  const almost = { max_budget: 10, budget_duration: '30d', budget_reset_at: nextMonth, spend: 9.999_999 }
  const from = await sqliteFile(
    statementsOf({
      ...rows,
      TeamMembership: [
        { user_id: 'cleo', team_id: 'core', budget_id: 'b-week', spend: 4.999_999 },
        { user_id: 'ann', team_id: 'core', budget_id: 'b-week', spend: 0 },
      ],
      VerificationToken: [
        key('spent', { user_id: 'boss', ...almost }),
        key('fresh', { user_id: 'boss' }),
        key('of-cleo', { user_id: 'cleo', team_id: 'core' }),
        key('of-ann', { user_id: 'ann', team_id: 'core' }),
      ],
    }),
  )
  const target = await newMovedSite()
  await target.import('litellm', '--from', from)
  const on = await target.open()
  onTestFinished(() => on.close())
  expect(await call(on, 'fresh')).toBe(200)
  expect(await call(on, 'spent')).toBe(429)
  // A member's budget bounds that member alone.
  expect(await call(on, 'of-ann')).toBe(200)
  expect(await call(on, 'of-cleo')).toBe(429)
})

it('reads lists of models as LiteLLM means them, and says which it cannot know', async () => {
  const { site: on, notes } = await moved()
  const rows = await on.database.query
    .selectFrom('tokens')
    .select(['name', 'model_limits_enabled', 'model_limits', 'status'])
    .execute()
  const lists = new Map(rows.map((row) => [row.name, row.model_limits_enabled === 1 ? row.model_limits : undefined]))
  expect(lists.get('in-team')).toBeUndefined()
  // A key of their own is bounded by the models that the user may call at all.
  expect(lists.get('personal')).toBe('chat')
  expect(lists.get('barred')).toBe('')
  expect(lists.get('by-group')?.split(',').toSorted()).toEqual(['chat', 'free', 'open-one', 'openai/*'])
  expect(lists.get('in-file')).toBe('from-file')
  expect(notes.get('model_in_file')).toEqual(['from-file (in-file)'])
  expect(await call(on, 'in-team')).toBe(200)
  expect(await call(on, 'in-team', 'free')).not.toBe(200)
  expect(await call(on, 'barred')).not.toBe(200)
  expect(rows.find(({ name }) => name === 'manager')?.status).toBe(tokenStatus.disabled)
  expect(notes.get('token_routes')).toEqual(['manager'])
})

it('moves deployments with prices, and leaves off those that would let in too much or nothing', async () => {
  const { site: on, notes } = await moved()
  const channels = await on.database.query
    .selectFrom('channels')
    .select(['name', 'models', 'status', 'priority'])
    .execute()
  const off = channels.filter(({ status }) => status !== channelStatus.enabled).map(({ models }) => models)
  expect(off.toSorted()).toEqual(['from-env', 'openai/*', 'secret-model'])
  expect(channels.find(({ models }) => models === 'chat')?.priority).toBe(-2)
  expect(notes.get('channel_env_key')).toEqual(['from-env (m7): os.environ/OPENAI_API_KEY'])
  expect(notes.get('channel_wildcard')).toEqual(['openai/* (m5)'])
  expect(notes.get('channel_team')).toEqual(['secret-model (m6): core'])
  const options = await on.database.query.selectFrom('options').select(['key', 'value']).execute()
  const stored = new Map(options.map(({ key: name, value }) => [name, value]))
  const ratios = JSON.parse(stored.get('ModelRatio') ?? '{}')
  // The name is the operator's own; its price is that of the model behind it.
  expect(ratios.chat).toBeGreaterThan(0)
  expect(notes.get('price_alias')).toEqual(['chat: openai/gpt-4o'])
  expect(ratios).toMatchObject({ free: 0, 'house-model': 1, 'open-one': 0.5 })
  expect(JSON.parse(stored.get('CacheRatio') ?? '{}')).toMatchObject({ 'house-model': 0.1 })
  expect(notes.get('price_missing')).toEqual(['unheard-of', 'secret-model', 'from-env'])
  expect(await call(on, 'by-group', 'free')).toBe(200)
})

it('gives models a price that have none here, and leaves those alone that have one', async () => {
  const target = await newMovedSite()
  const first = await target.open()
  const ratios = { key: 'ModelRatio', value: '{"house-model":7}' }
  await first.database.query.insertInto('options').values(ratios).execute()
  await first.close()
  const { report } = await target.import('litellm', '--from', await sqliteFile(statementsOf(site())))
  const on = await target.open()
  onTestFinished(() => on.close())
  const { value } = await on.database.query
    .selectFrom('options')
    .select('value')
    .where('key', '=', 'ModelRatio')
    .executeTakeFirstOrThrow()
  expect(JSON.parse(value)).toMatchObject({ 'house-model': 7, chat: expect.any(Number), free: 0 })
  expect(report.notes.find(({ code }) => code === 'option_kept')?.examples).toEqual(['ModelRatio'])
})
