import type { ChannelHealth, LimitStanding, LimitState, SiteToday, TodayCard } from '@tollgate/contract'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import type { RelayChannel } from '#server/relay/ports.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { recordStatements } from '#server-test/support/db/rows-read.ts'
import { type SignedIn, signedIn } from '#server-test/support/features/signed-in.ts'
import { todayRoutes } from './routes.ts'
import { openSnoozes } from './snoozes.ts'
import { openToday, type TodayParts } from './today.ts'

const at = (text: string): number => Date.parse(text) / 1000
const now = at('2026-11-20T12:30:00Z')
const day = 86_400
const midnight = now - (now % day)

const channel = (id: number, name: string, models: readonly string[], more: Partial<RelayChannel> = {}) =>
  ({
    id,
    name,
    models: new Set(models),
    groups: new Set(['default']),
    keys: ['k'],
    enabled: true,
    ...more,
  }) as RelayChannel

const health = (id: number, points: readonly (readonly [answered: number, failed: number])[]): ChannelHealth =>
  ({
    channel_id: id,
    quota: 700,
    last_error: 'The model is overloaded',
    points: points.map(([answered, failed], index) => ({ time: now - 3600 + index * 900, answered, failed })),
  }) as unknown as ChannelHealth

const limit = (more: Partial<LimitState>): LimitState => ({
  id: 4,
  name: 'team budget',
  measure: 'money',
  window: 'month',
  hours: 0,
  refuses: true,
  fallback_model: '',
  subject: 'user 2',
  subjects: [{ kind: 'user', value: '2', name: 'ben' }],
  amount: 100,
  used: 60,
  left: 40,
  free_at: 0,
  used_up_at: 0,
  ...more,
})
const standing = (...states: LimitState[]): LimitStanding => ({ id: 4, subjects: [], states, counted: states.length })

describeEachEngine('the start page', (open) => {
  let database: Database
  let clock = now * 1000
  let site: Partial<TodayParts>
  let root: SignedIn
  let support: SignedIn
  let ben: SignedIn

  beforeAll(async () => {
    database = await open()
  })

  beforeEach(async () => {
    clock = now * 1000
    site = {}
    for (const table of [
      'channels',
      'channel_keys',
      'usage_hours',
      'usage_days',
      'usage_site_days',
      'failure_hours',
      'declared_usage',
      'notice_deliveries',
      'price_versions',
      'price_changes',
      'today_snoozes',
      'tokens',
      'users',
    ] as const)
      await database.query.deleteFrom(table).execute()
    const channels: RelayChannel[] = []
    const parts: TodayParts = {
      database,
      snoozes: openSnoozes(database),
      clock: () => clock,
      failed: (rule, error) => expect.fail(`${rule}: ${error}`),
      channels: {
        snapshot: () => ({ all: () => channels, byId: () => undefined }),
      } as unknown as TodayParts['channels'],
      sources: { now: 1 },
      attention: async () => new Map(),
      channelHealth: async () => [],
      limitReads: { site: async () => [], ofUser: async () => [] },
      modelEnd: () => undefined,
      isPriced: () => true,
      ledger: {} as TodayParts['ledger'],
      options: {
        get: (name: string) => (name === 'QuotaPerUnit' ? 1000 : 50),
      } as unknown as TodayParts['options'],
    }
    const live = new Proxy(parts, { get: (target, name: keyof TodayParts) => site[name] ?? target[name] })
    const routes = (on: Parameters<typeof todayRoutes>[0]): void =>
      todayRoutes(on, { today: openToday(live), snoozes: parts.snoozes, clock: parts.clock })
    root = signedIn(routes, { id: 1, role: 100 })
    support = signedIn(routes, { id: 3, role: 10, permissions: { logs: 'read', users: 'read' } })
    ben = signedIn(routes, { id: 2, username: 'ben' })
  })

  const read = async (caller: SignedIn, path = '/api/today'): Promise<SiteToday> => {
    // Readers share a look for some seconds.
    clock += 6000
    const { json } = await caller('GET', `${path}?zone=UTC`, undefined, { 'accept-language': 'en' })
    if (json.success !== true) throw new Error(String(json.code ?? json.message))
    return json.data as SiteToday
  }
  const cardsOf = async (caller: SignedIn, path?: string): Promise<readonly TodayCard[]> =>
    (await read(caller, path)).cards
  const rulesOf = async (caller: SignedIn, path?: string) => (await cardsOf(caller, path)).map(({ rule }) => rule)

  const usage = { count: 4, quota: 10, prompt_tokens: 1, completion_tokens: 1, failures: 0 }
  const siteDay = (created_at: number, more: Record<string, unknown> = {}) =>
    database.query
      .insertInto('usage_site_days')
      .values({ ...usage, created_at, channel_id: 7, group: 'default', model_name: 'gpt-4o', ...more })
      .execute()
  const userDay = (created_at: number, more: Record<string, unknown> = {}) =>
    database.query
      .insertInto('usage_days')
      .values({
        ...usage,
        created_at,
        dimensions_hash: JSON.stringify(more),
        user_id: 2,
        token_id: 5,
        token_name: 'laptop',
        channel_id: 7,
        group: 'default',
        model_name: 'gpt-4o',
        ...more,
      })
      .execute()
  const user = (id: number, username: string, quota: number) =>
    database.insertMany('users', [
      {
        id,
        username,
        password: '',
        display_name: username,
        role: 1,
        status: 1,
        email: '',
        github_id: '',
        oidc_id: '',
        wechat_id: '',
        telegram_id: '',
        linux_do_id: '',
        access_token_hash: null,
        quota,
        used_quota: 0,
        request_count: 0,
        group: 'default',
        aff_code: `code ${id}`,
        aff_count: 0,
        aff_quota: 0,
        aff_history_quota: 0,
        inviter_id: 0,
        deleted_at: null,
        setting: '',
        created_time: 0,
        last_login_time: 0,
        staff_permissions: null,
      },
    ])
  const key = (id: number, more: Record<string, unknown>) =>
    database.query
      .insertInto('tokens')
      .values({
        id,
        user_id: 2,
        key_hash: `hash ${id}`,
        key_cipher: '',
        key_hint: '',
        status: 1,
        name: 'laptop',
        created_time: 0,
        accessed_time: now - 60,
        expired_time: -1,
        remain_quota: 0,
        unlimited_quota: 1,
        model_limits_enabled: 0,
        model_limits: '',
        allow_ips: '',
        used_quota: 0,
        group: '',
        deleted_at: null,
        tags: null,
        ...more,
      })
      .execute()
  const refusal = (hour: number, user_id: number) =>
    database.query
      .insertInto('failure_hours')
      .values({
        created_at: hour,
        dimensions_hash: `${user_id}`,
        user_id,
        token_id: 5,
        channel_id: 0,
        group: 'default',
        model_name: 'gpt-4o',
        class: 'quota',
        count: 3,
      })
      .execute()

  it('sums yesterday, the day before, and today in the zone of the reader', async () => {
    await siteDay(midnight - day, { failures: 1, cost: 4, costed_count: 4, costed_quota: 10 })
    await siteDay(midnight - 2 * day, { quota: 30 })
    const found = await read(root)
    expect(found.yesterday).toEqual({
      from: midnight - day,
      to: midnight,
      quota: 10,
      answered: 4,
      failures: 1,
      cost: 4,
      costed: 4,
      costed_quota: 10,
    })
    expect(found.before.quota).toBe(30)
    expect(found.today).toMatchObject({ from: midnight, quota: 0 })
    const { json } = await root('GET', '/api/today?zone=Asia/Shanghai')
    expect((json.data as SiteToday).yesterday).toMatchObject({
      from: midnight - day - 8 * 3600,
      to: midnight - 8 * 3600,
    })
  })

  it('has no card where nothing needs a decision', async () => {
    expect(await read(root)).toMatchObject({ cards: [], more: 0 })
  })

  it('names channels that fail with the models that no other channel answers, in one card each', async () => {
    const all = [
      channel(7, 'Azure', ['gpt-4o', 'o3']),
      channel(8, 'Main', ['gpt-4o']),
      channel(9, 'Other', ['o3'], { enabled: false }),
    ]
    site = {
      channels: { snapshot: () => ({ all: () => all, byId: () => all[0] }) } as unknown as TodayParts['channels'],
      attention: async () =>
        new Map([
          [7, ['failing', 'balance_low']],
          [9, ['disabled']],
        ]),
      channelHealth: async () => [
        health(7, [
          [5, 0],
          [0, 2],
          [0, 1],
          [0, 0],
        ]),
      ],
      isPriced: (model) => model !== 'o3',
    }
    const disabled = {
      ...otherChannel,
      other_info: JSON.stringify({ status_reason: 'key gone', status_time: now - 99 }),
    }
    await database.query.insertInto('channels').values(disabled).execute()
    expect(
      (await cardsOf(root)).map((card) => [card.id, card.severity, card.at, card.count, card.names, card.reason]),
    ).toEqual([
      ['channel_disabled:9', 'bad', now - 99, 0, ['o3'], 'key gone'],
      ['channel_failing:7', 'bad', now - 2700, 3, ['o3'], 'The model is overloaded'],
    ])
  })

  it('names models that are past their end, with their callers', async () => {
    await user(2, 'ben', 5000)
    await siteDay(midnight, { model_name: 'gpt-4', failures: 2 })
    await siteDay(midnight - 3 * day, { model_name: 'gpt-3' })
    await userDay(midnight, { model_name: 'gpt-4' })
    site = { modelEnd: (model) => ({ model, day: '2026-10-23', replacedBy: 'gpt-5' }) }
    expect(await cardsOf(root)).toMatchObject([
      { id: 'model_ended:gpt-4', names: ['ben'], count: 6, at: at('2026-10-23T00:00:00Z'), detail: 'gpt-5' },
    ])
    expect(await rulesOf(ben, '/api/today/self')).toEqual(['own_model_ended'])
  })

  it('names models that a group pays less for than they cost', async () => {
    await siteDay(midnight - day, { group: 'vip', model_name: 'o3', costed_quota: 80, costed_count: 2, cost: 100 })
    await siteDay(midnight - day, { model_name: 'o3', costed_quota: 100, costed_count: 2, cost: 80 })
    expect(await cardsOf(root)).toMatchObject([
      { id: 'below_cost:vip:o3', name: 'o3', detail: 'vip', amount: 20, count: 2, value: 0.8 },
    ])
  })

  it('forecasts limits that refuse, and passes over those that only notify', async () => {
    site = {
      limitReads: {
        site: async () => [
          standing(
            limit({ used_up_at: now + 60 }),
            limit({ left: 0, used: 100, free_at: now + 90, subjects: [] }),
            limit({ used_up_at: now + 60, refuses: false, subjects: [] }),
          ),
        ],
        ofUser: async () => [limit({ used_up_at: now + 60 })],
      },
    }
    expect(
      (await cardsOf(root)).map(({ rule, names, at: until, count, total }) => [rule, names, until - now, count, total]),
    ).toEqual([
      ['limit_reached', [], 90, 100, 100],
      ['limit_ending', ['ben'], 60, 60, 100],
    ])
    await user(2, 'ben', 5)
    expect(await rulesOf(ben, '/api/today/self')).toEqual(['own_limit_ending'])
  })

  it('names users that were refused for lack of balance, until a later call is answered', async () => {
    await user(2, 'ben', 12)
    const hour = now - (now % 3600)
    await refusal(hour - 3600, 2)
    expect(await cardsOf(root)).toMatchObject([{ id: 'user_refused:2', name: 'ben', count: 3, amount: 12 }])
    expect(await rulesOf(ben, '/api/today/self')).toEqual(['own_refused'])
    await database.query
      .insertInto('usage_hours')
      .values({
        ...usage,
        created_at: hour,
        dimensions_hash: 'x',
        user_id: 2,
        token_id: 5,
        token_name: '',
        channel_id: 7,
        group: 'default',
        model_name: 'gpt-4o',
      })
      .execute()
    expect(await rulesOf(root)).toEqual([])
  })

  it('tells of keys in use that end soon and keys that are nearly spent', async () => {
    await user(2, 'ben', 5000)
    await key(5, { expired_time: now + day })
    await key(6, { expired_time: now + day, accessed_time: now - 60 * day })
    await key(7, { unlimited_quota: 0, remain_quota: 5, used_quota: 95, name: 'ci' })
    expect(await cardsOf(root)).toMatchObject([
      { id: 'key_expiring', names: ['laptop (ben)'], count: 1, at: now + day, severity: 'note' },
    ])
    expect(await cardsOf(ben, '/api/today/self')).toMatchObject([
      { id: 'own_key_spent:7', name: 'ci', amount: 5, total: 100, severity: 'warn' },
      { id: 'own_key_expiring:5', name: 'laptop', at: now + day },
    ])
  })

  it('tells a user whose balance does not last three days at the pace of the week', async () => {
    await user(2, 'ben', 100)
    await userDay(midnight - day, { quota: 700 })
    expect(await cardsOf(ben, '/api/today/self')).toMatchObject([{ rule: 'own_balance_low', amount: 100, value: 1 }])
    await database.query.deleteFrom('users').execute()
    await user(2, 'ben', 301)
    expect(await rulesOf(ben, '/api/today/self')).toEqual([])
  })

  it('tells of provisional charges, notices under way and proposed prices', async () => {
    await database.query
      .insertInto('declared_usage')
      .values({
        kind_key: 'usage a b',
        kind: 'usage',
        place: 'a',
        name: 'b',
        first_time: now - 50,
        last_time: now,
        calls: 9,
        quota: 33,
        model_name: 'm',
        channel_id: 7,
        request_id: 'r',
        declaration: '',
        declared_by: '',
      })
      .execute()
    await database.query
      .insertInto('notice_deliveries')
      .values({
        user_id: 1,
        kind: 'x',
        way: 'email',
        body: '{}',
        attempts: 2,
        created_time: now - 70,
        next_time: now,
        last_error: 'refused',
      })
      .execute()
    const version = { created_at: now, kind: 'sync', source: 'list', status: 'proposed', actor_name: '' }
    await database.query
      .insertInto('price_versions')
      .values({ id: 4, ...version })
      .execute()
    const change = { version_id: 4, provider: 'p', model: 'm', before: '', after: '', doubts: '' }
    await database.query
      .insertInto('price_changes')
      .values({ ...change, decision: '' })
      .execute()
    expect((await cardsOf(root)).map(({ rule, count, amount }) => [rule, count, amount])).toEqual([
      ['provisional', 9, 33],
      ['notices_waiting', 1, 0],
      ['prices_proposed', 1, 0],
    ])
    expect(await rulesOf(support)).toEqual([])
  })

  it('hides a card from the reader who snoozed it until its end, and no one else', async () => {
    await user(2, 'ben', 12)
    await refusal(now - (now % 3600) - 3600, 2)
    const snooze = (span: string) => root('PUT', '/api/today/snooze', { card: 'user_refused:2', span, zone: 'UTC' })
    const until = async (caller: SignedIn) => (await cardsOf(caller)).map(({ snoozed_until: end }) => end)
    expect((await snooze('tomorrow')).json.data).toEqual({ until: midnight + day })
    expect([await until(root), await until(support)]).toEqual([[midnight + day], [0]])
    await snooze('none')
    expect(await until(root)).toEqual([0])
    await snooze('hour')
    clock += 3_700_000
    expect(await until(root)).toEqual([0])
  })

  it('reads the health of channels once for all rules', async () => {
    let reads = 0
    site = {
      channelHealth: async () => {
        reads += 1
        return [health(7, [[0, 3]])]
      },
      attention: async (days) => new Map(((await days) ?? []).map(({ channel_id: id }) => [id, ['failing']])),
      channels: {
        snapshot: () => ({ all: () => [channel(7, 'Azure', ['gpt-5'])], byId: () => undefined }),
      } as unknown as TodayParts['channels'],
    }
    expect(await rulesOf(root)).toEqual(['channel_failing'])
    expect(reads).toBe(1)
  })

  it('reads indexes alone, and no log', async () => {
    await user(2, 'ben', 12)
    await refusal(now - 3600 - (now % 3600), 2)
    await userDay(midnight, { model_name: 'gpt-4' })
    await siteDay(midnight, { model_name: 'gpt-4' })
    const statements = recordStatements(database, manyRows)
    site = {
      database: statements.database,
      modelEnd: (model) => ({ model, day: '2026-10-23', replacedBy: '' }),
    }
    for (const zone of ['UTC', 'Asia/Kolkata']) {
      clock += 60_000
      await root('GET', `/api/today?zone=${zone}`)
      await ben('GET', `/api/today/self?zone=${zone}`)
    }
    expect(await statements.read('logs')).toEqual([])
    const large = ['usage_hours', 'usage_days', 'usage_site_days', 'failure_hours', 'tokens', 'users'] as const
    for (const table of large) {
      const found = await statements.read(table)
      expect(found.length, table).toBeGreaterThan(0)
      for (const { text, read } of found) expect(read, text).toBeLessThan(manyRows)
    }
  })

  it('stores a bounded number of snoozes', async () => {
    const snoozes = openSnoozes(database)
    for (let card = 0; card < 120; card += 1) await snoozes.set(2, `card ${card}`, { until: now + 1 + card, now })
    const kept = await snoozes.of(2, now)
    expect([kept.size, kept.has('card 119'), kept.has('card 0')]).toEqual([100, true, false])
  })
})

/** Counted for a table that SQLite walks through from end to end. */
const manyRows = 1_000_000

const otherChannel = {
  id: 9,
  type: 1,
  key_cipher: '',
  key_hint: '',
  key_hash: '',
  openai_organization: null,
  max_input_tokens: 0,
  test_model: null,
  status: 3,
  name: 'Other',
  weight: 0,
  created_time: 0,
  test_time: 0,
  response_time: 0,
  base_url: '',
  other: '',
  balance: 0,
  balance_updated_time: 0,
  models: 'o3',
  group: 'default',
  used_quota: 0,
  model_mapping: null,
  status_code_mapping: null,
  priority: 0,
  auto_ban: 1,
  tag: null,
  setting: null,
  param_override: null,
}
