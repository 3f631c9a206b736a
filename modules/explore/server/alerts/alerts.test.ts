import { type ExploreAlert, role } from '@tollgate/contract'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { openAudit } from '#server/features/audit/audit.ts'
import { type NamedJobs, openNamedJobs } from '#server/jobs/named-jobs.ts'
import { applyCharges } from '#server/ledger/apply/batch.ts'
import { writeLogs } from '#server/ledger/apply/log-rows.ts'
import type { RequestRecord } from '#server/relay/ports.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { type NoticeSite, openNoticeSite } from '#server-test/support/features/notices.ts'
import { aJournalRecord } from '#server-test/support/journal/records.ts'
import { alertPassed } from './alert-text.ts'
import { openAlerts } from './alerts.ts'
import { openAlertRounds } from './rounds.ts'
import { alertRoutes } from './routes.ts'

const minute = 60_000
const hour = 60 * minute

/** The address of the site, and amounts, as `openNoticeSite` has them. */
const texts = {
  serverAddress: () => 'https://gate.example',
  amountText: (quota: number): string => `＄${(quota / 500_000).toFixed(6)}`,
}

let requests = 0

describeEachEngine('alerts on figures', (open) => {
  let database: Database
  let site: NoticeSite
  let enabled = true
  let failures: unknown[]
  const clock = (): number => site.site.state.now

  beforeAll(async () => {
    database = await open()
    site = await openNoticeSite(database)
    alertRoutes(site.site.api.on, openAlerts({ database, audit: openAudit(database, clock), clock }))
  })
  beforeEach(async () => {
    for (const table of [
      ...(['usage_hours', 'usage_days', 'usage_site_days', 'usage_user_periods', 'failure_hours'] as const),
      ...(['speed_hours', 'speed_site_hours', 'explore_alerts', 'cluster_jobs', 'notice_marks', 'audit'] as const),
    ])
      await database.query.deleteFrom(table).execute()
    site.smtp.mails.length = 0
    site.receiver.received.length = 0
    site.site.state.now = Date.UTC(2026, 10, 21, 10)
    enabled = true
    failures = []
    await round()
  })
  afterAll(() => site.close())

  /** Rounds that a node makes every few seconds; another node is another of these. */
  const openRounds = (notices = site.notices) =>
    openAlertRounds({
      database,
      jobs: openNamedJobs(database, clock),
      enabled: () => enabled,
      noticeOf: (userId, alert) => notices.userNotice(userId, alertPassed(alert, texts)),
      failed: (error) => failures.push(error),
      clock,
    })
  const round = () => openRounds().work()

  /** Lets minutes pass, and looks once. */
  const later = async (minutes: number): Promise<void> => {
    site.site.state.now += minutes * minute
    await round()
    await site.notices.work()
    expect(failures).toEqual([])
  }

  const charge = (more: Partial<RequestRecord> = {}, at = clock()) => {
    requests += 1
    const record = aJournalRecord(`alerted-${requests}`, { at, ...more })
    return applyCharges({ database, hourly: false, versions: false }, [record])
  }
  const fail = (userId: number) => {
    requests += 1
    const record = aJournalRecord(`alerted-${requests}`, {
      at: clock(),
      kind: 'error',
      quota: 0,
      userId,
      receipt: undefined,
      other: { status: 500 },
    })
    return writeLogs({ database, logDatabase: database }, [record])
  }

  let people = 0
  const person = (userRole: number = role.user) => {
    people += 1
    return site.person({ language: 'en' }, { email: `alerted${people}@example.com` }, userRole)
  }
  type Person = Awaited<ReturnType<typeof person>>

  const question = { metric: 'spend', filters: [], comparison: 'above', threshold: 1000, window_hours: 1 }
  const alert = { name: 'Too much', ...question }
  const made = async (owner: Person, more: object = {}): Promise<ExploreAlert> => {
    const { json } = await owner.call('POST', '/api/explore/alerts', { ...alert, ...more })
    expect(json).toMatchObject({ success: true })
    return json.data as ExploreAlert
  }
  const listed = async (owner: Person) =>
    (await owner.call('GET', '/api/explore/alerts')).json.data as readonly ExploreAlert[]
  const subjects = () => site.smtp.mails.map(({ subject }) => subject)

  it('sends one mail when the value goes over, and one when it is back', async () => {
    const owner = await person()
    await made(owner)
    await charge({ userId: owner.id, quota: 900 })
    await later(5)
    expect(subjects()).toEqual([])
    expect(await listed(owner)).toMatchObject([{ over_since: 0, last_value: 900, checked_time: clock() / 1000 }])
    await charge({ userId: owner.id, quota: 300 })
    await later(5)
    const passed = clock() / 1000
    for (let rounds = 0; rounds < 4; rounds += 1) await later(5)
    expect(subjects()).toEqual(['Alert “Too much”: above threshold'])
    const { to, body = '' } = site.smtp.mails[0] ?? {}
    expect(to).toEqual([`alerted${people}@example.com`])
    expect(body).toContain('Too much: ＄0.002400 in the last hour, above ＄0.002000.')
    expect(body).toContain('https://gate.example/explore?metric=spend')
    expect(await listed(owner)).toMatchObject([{ over_since: passed, noticed_time: passed, last_value: 1200 }])
    await later(90)
    await later(5)
    expect(subjects()).toEqual(['Alert “Too much”: above threshold', 'Alert “Too much” resolved'])
    expect(await listed(owner)).toMatchObject([{ over_since: 0 }])
  })

  it('posts to a webhook where the owner chose one, in Chinese without a language', async () => {
    const owner = await site.person({ notify_type: 'webhook', webhook_url: site.receiver.url })
    await made(owner, { name: '花费' })
    await charge({ userId: owner.id, quota: 2000 })
    await later(5)
    expect(site.receiver.received.map(({ body }) => JSON.parse(body))).toMatchObject([
      {
        type: 'explore_alert',
        title: '告警「花费」：高于阈值',
        content: expect.stringContaining('「{{value}}」最近 1 小时为 {{value}}，高于阈值 {{value}}。'),
        values: expect.arrayContaining(['花费', '＄0.004000', '＄0.002000']),
      },
    ])
  })

  it('is looked at every five minutes, by one of several nodes', async () => {
    const owner = await person()
    await made(owner)
    await charge({ userId: owner.id, quota: 2000 })
    await later(4)
    expect(await listed(owner)).toMatchObject([{ checked_time: 0 }])
    site.site.state.now += minute
    const others = [site.openOther(), site.openOther(), site.openOther()]
    await Promise.all(others.map((notices) => openRounds(notices).work()))
    await Promise.all(others.map((notices) => notices.work()))
    expect(failures).toEqual([])
    expect(subjects()).toHaveLength(1)
    for (const notices of others) await notices.close()
  })

  it('sends one notice though two nodes read the same state at the same moment', async () => {
    const owner = await person()
    await made(owner)
    await charge({ userId: owner.id, quota: 2000 })
    // The lease of a node that hangs has ended, and another one begins the same round.
    const yes = async () => true
    const claim = { attempts: 1, lastFinished: 0, keep: yes, progress: yes, report: () => {}, done: yes, fail: yes }
    const always: Pick<NamedJobs, 'store'> = {
      store: (jobs) => ({ due: async () => jobs, claim: async () => claim }),
    }
    const rounds = [1, 2, 3].map(() =>
      openAlertRounds({
        database,
        jobs: always,
        enabled: () => true,
        noticeOf: (userId, alert) => site.notices.userNotice(userId, alertPassed(alert, texts)),
        clock,
        failed: (error) => failures.push(error),
      }),
    )
    await Promise.all(rounds.map((node) => node.work()))
    await site.notices.work()
    expect(failures).toEqual([])
    expect(subjects()).toHaveLength(1)
  })

  it('looks at own calls for users, and at all calls for operators who do not narrow it', async () => {
    const [user, admin] = [await person(), await person(role.admin)]
    await made(user, { mine: false })
    await made(admin)
    await made(admin, { mine: true, name: 'Mine' })
    await made(admin, { metric: 'calls', threshold: 5, filters: [{ dimension: 'user', is: 'is', values: ['77'] }] })
    await charge({ userId: 77, quota: 700 })
    await charge({ userId: user.id, quota: 500 })
    await charge({ userId: admin.id, quota: 30 })
    await later(5)
    expect((await listed(user)).map(({ last_value, mine }) => [last_value, mine])).toEqual([[500, true]])
    expect((await listed(admin)).map(({ last_value, mine }) => [last_value, mine])).toEqual([
      [1230, false],
      [30, true],
      [1, false],
    ])
  })

  it('looks at nothing that only operators see when its owner is none any more', async () => {
    const admin = await person(role.admin)
    await made(admin, { metric: 'cost', threshold: 1 })
    await made(admin, { name: 'Spend' })
    await charge({ userId: 77, quota: 5000, cost: 4000 })
    await database.query.updateTable('users').set({ role: role.user }).where('id', '=', admin.id).execute()
    await later(5)
    const rows = await database.query.selectFrom('explore_alerts').select(['metric', 'last_value']).execute()
    expect(rows).toEqual(
      expect.arrayContaining([
        { metric: 'cost', last_value: null },
        { metric: 'spend', last_value: 0 },
      ]),
    )
    expect(subjects()).toEqual([])
  })

  it('refuses users what only operators see', async () => {
    const user = await person()
    const asked = [
      { metric: 'margin' },
      { filters: [{ dimension: 'channel', is: 'is', values: ['1'] }] },
      { filters: [{ dimension: 'user', is: 'is', values: ['2'] }] },
    ]
    const { id } = await made(user)
    for (const more of asked) {
      const body = { ...alert, ...more, mine: true }
      for (const [method, path] of [
        ['POST', '/api/explore/alerts'],
        ['PUT', `/api/explore/alerts/${id}`],
      ] as const)
        expect((await user.call(method, path, body)).json).toMatchObject({ code: 'permission_denied' })
    }
    expect(await listed(user)).toMatchObject([{ metric: 'spend', filters: [] }])
  })

  it('counts of the oldest hour the share that lies within the window', async () => {
    const owner = await person()
    await made(owner)
    await charge({ userId: owner.id, quota: 800 }, clock() - 30 * minute)
    await charge({ userId: owner.id, quota: 10_000 }, clock() - 2 * hour)
    await later(45)
    expect(await listed(owner)).toMatchObject([{ last_value: 200, over_since: 0 }])
  })

  it('keeps its state where nothing was measured', async () => {
    const owner = await person()
    await made(owner, { metric: 'error_share', threshold: 0.4 })
    await fail(owner.id)
    await later(5)
    expect(await listed(owner)).toMatchObject([{ last_value: 1, over_since: clock() / 1000 }])
    await later(180)
    expect(await listed(owner)).toMatchObject([{ last_value: null, noticed_time: clock() / 1000 - 180 * 60 }])
    await charge({ userId: owner.id })
    await later(5)
    expect(subjects()).toEqual(['Alert “Too much”: above threshold', 'Alert “Too much” resolved'])
  })

  it('measures percentiles, and may warn of what is too low', async () => {
    const owner = await person()
    const measures = { totalMs: 3000, firstMs: 2000, cached: 0, cacheWrite: 0, reasoning: 0 }
    for (let calls = 0; calls < 3; calls += 1) await charge({ userId: owner.id, measures, completionTokens: 20 })
    site.site.state.now += hour
    await made(owner, { name: 'Slow', metric: 'first_p95', threshold: 1500 })
    await made(owner, { name: 'Few', metric: 'calls', comparison: 'below', threshold: 5 })
    await later(20)
    const [slow, few] = await listed(owner)
    expect(Math.abs(Number(slow?.last_value) / 2000 - 1)).toBeLessThan(0.05)
    expect(few).toMatchObject({ last_value: 2, over_since: clock() / 1000 })
    expect(subjects().toSorted()).toEqual(['Alert “Few”: below threshold', 'Alert “Slow”: above threshold'])
  })

  it('begins anew with another question and when it is switched on, and not with another name', async () => {
    const owner = await person()
    const { id } = await made(owner)
    await charge({ userId: owner.id, quota: 2000 })
    await later(5)
    const change = async (more: object) =>
      (await owner.call('PUT', `/api/explore/alerts/${id}`, { ...alert, ...more })).json.data as ExploreAlert
    expect(await change({ name: 'Renamed' })).toMatchObject({ name: 'Renamed', over_since: clock() / 1000 })
    expect(await change({ name: 'Renamed', enabled: false })).toMatchObject({ enabled: false })
    await later(5)
    expect(await listed(owner)).toMatchObject([{ checked_time: clock() / 1000 - 300 }])
    expect(await change({ name: 'Renamed' })).toMatchObject({ over_since: 0, last_value: null })
    await later(5)
    expect(subjects()).toHaveLength(2)
    expect(await change({ threshold: 5000 })).toMatchObject({ over_since: 0, last_value: null })
    await later(5)
    expect(subjects()).toHaveLength(2)
  })

  it('leaves a trace of changes, belongs to its owner, and is bounded', async () => {
    const [owner, other] = [await person(), await person(role.root)]
    const { id } = await made(owner)
    const path = `/api/explore/alerts/${id}`
    for (const method of ['PUT', 'DELETE'])
      expect((await other.call(method, path, alert)).json).toMatchObject({ code: 'alert_not_found' })
    await owner.call('PUT', path, { ...alert, threshold: 7 })
    await owner.call('DELETE', path)
    expect(await listed(owner)).toEqual([])
    const traces = await database.query
      .selectFrom('audit')
      .select(['action', 'after'])
      .where('object', '=', 'explore_alert')
      .orderBy('id')
      .execute()
    expect(traces).toMatchObject([
      { action: 'explore_alert.create' },
      { action: 'explore_alert.update', after: '{"threshold":7}' },
      { action: 'explore_alert.delete' },
    ])
    for (let count = 0; count < 50; count += 1) await made(owner)
    expect((await owner.call('POST', '/api/explore/alerts', alert)).json).toMatchObject({ code: 'too_many_alerts' })
    expect(await listed(owner)).toHaveLength(50)
  })

  it('is not looked at while figures are off, nor for owners who are disabled', async () => {
    const owner = await person()
    await made(owner)
    enabled = false
    await later(5)
    enabled = true
    await database.query.updateTable('users').set({ status: 2 }).where('id', '=', owner.id).execute()
    await later(5)
    const row = await database.query.selectFrom('explore_alerts').select('checked_time').executeTakeFirst()
    expect(row).toEqual({ checked_time: 0 })
  })
})
