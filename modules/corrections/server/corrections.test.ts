import { channelTestLabel } from '@tollgate/contract'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import type { Trace } from '#server/db/trace.ts'
import { verifyLedger } from '#server/ledger/verify/verify.ts'
import { monthPeriod } from '#server/reports/months/months.ts'
import { openMonthSums } from '#server/reports/months/sums.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { printed, testOptions } from '#server-test/support/features/pricing.ts'
import { signedIn } from '#server-test/support/features/signed-in.ts'
import { aRecord } from '#server-test/support/journal/records.ts'
import { seeded } from '#server-test/support/ledger/chance.ts'
import {
  newJournalDirectory,
  newToken,
  newUser,
  openTestLedger,
  type TestLedger,
} from '#server-test/support/ledger/ledger.ts'
import { type Corrections, openCorrections } from './corrections.ts'
import type { CorrectionParts } from './ports.ts'
import { correctionPrices } from './prices/correction-price.ts'
import { correctionRoutes } from './routes.ts'

const root = { id: 1_000_000, username: 'root', ip: '192.0.2.1' }
const options = testOptions()
const october = Date.UTC(2026, 9, 20, 12)
const november = Date.UTC(2026, 10, 23, 12)
const window = { from: october / 1000 - 86_400, to: october / 1000 + 86_400 }
/** Test records are charged at ratio 1. */
const priceOf = (ratio: number) => [printed('ModelRatio', { ...options.ModelRatio, plain: ratio })]
const request = (ratio: number) => ({
  ...window,
  models: ['plain'],
  channels: [],
  users: [],
  changes: priceOf(ratio),
  note: 'a wrong price',
})
/** Halves away from zero, as every charge is rounded. */
const charged = (tokens: number, ratio: number): number => Math.floor(tokens * ratio + 0.5)

describeEachEngine('a correction', (open) => {
  let database: Database
  let books: TestLedger
  let clock: { now: number }
  let traces: Trace[]
  let corrections: Corrections
  let remove: () => Promise<void>
  const failures: string[] = []

  const openWith = (more: Partial<CorrectionParts> = {}): Corrections =>
    openCorrections({
      database,
      logDatabase: database,
      ledger: books.ledger.movements,
      prices: correctionPrices(() => options),
      audit: {
        async record(trace) {
          traces.push(trace)
        },
      },
      tokensChanged: () => undefined,
      unit: () => 0,
      clock: () => clock.now,
      restMs: 0,
      failed: (error) => failures.push(String(error)),
      ...more,
    })

  beforeEach(async () => {
    database = await open()
    clock = { now: october }
    traces = []
    const journal = await newJournalDirectory()
    remove = journal.remove
    books = await openTestLedger(database, journal.directory, { now: () => clock.now })
    corrections = openWith()
  })
  afterEach(async () => {
    expect(failures.splice(0)).toEqual([])
    await books.crash()
    await remove()
  })

  const charge = (id: string, quota: number, more: Parameters<typeof aRecord>[1] = {}): Promise<void> =>
    books.ledger.recorder.charge(
      aRecord(id, { at: clock.now, model: 'plain', tokenId: 0, channelId: 0, quota, ...more }),
    )

  const balances = async (): Promise<ReadonlyMap<number, { quota: number; used: number }>> => {
    const rows = await database.query.selectFrom('users').select(['id', 'quota', 'used_quota']).execute()
    return new Map(rows.map(({ id, quota, used_quota }) => [id, { quota, used: used_quota }]))
  }

  const corrected = async (ratio: number): Promise<number> => {
    const { id } = await corrections.create(root, request(ratio))
    await corrections.work()
    await corrections.apply(root, id)
    await corrections.work()
    expect(await corrections.detail(id)).toMatchObject({ state: 'done' })
    return id
  }

  const clean = async (): Promise<void> => expect((await verifyLedger(database)).differences).toEqual([])

  it('changes 10,000 charges exactly once, through a crash, beside live calls, and when it is applied twice', async () => {
    const random = seeded(7)
    const below = (limit: number): number => Math.floor(random() * limit)
    const people: { id: number; token: number; before: number; after: number }[] = []
    for (let index = 0; index < 20; index += 1) {
      const id = await newUser(database, books.ledger, 50_000_000)
      const token = await newToken(database, books.ledger, { userId: id, remain: 50_000_000 })
      people.push({ id, token, before: 0, after: 0 })
    }
    const calls = 10_000
    for (let index = 0; index < calls; index += 1) {
      const person = people[below(people.length)] ?? expect.fail('no user')
      const quota = 1 + below(999)
      person.before += quota
      person.after += charged(quota, 1.5)
      await charge(`call-${index}`, quota, { userId: person.id, tokenId: person.token })
    }
    await books.ledger.flush()
    const before = people.reduce((sum, person) => sum + person.before, 0)
    const after = people.reduce((sum, person) => sum + person.after, 0)

    clock.now = november
    const made = await corrections.create(root, request(1.5))
    await corrections.work()
    const ready = await corrections.detail(made.id)
    expect(ready).toMatchObject({ state: 'ready', seen: calls, calls, old_quota: before, new_quota: after, applied: 0 })
    expect(new Map(ready.users_changed.map((user) => [user.user_id, [user.old_quota, user.new_quota]]))).toEqual(
      new Map(people.map((person) => [person.id, [person.before, person.after]])),
    )
    expect((await balances()).get(people[0]?.id ?? 0)?.used).toBe(people[0]?.before)

    // Dies after a batch was committed, and before anybody knew; live calls go on meanwhile.
    let batches = 0
    const dying = openWith({
      ledger: {
        async correct(batch) {
          const outcome = await books.ledger.movements.correct(batch)
          batches += 1
          if (batches === 7) throw new Error('killed')
          return outcome
        },
      },
    })
    await dying.apply(root, made.id)
    let live = 0
    let working = true
    const calling = (async () => {
      while (working) {
        live += 1
        const person = people[live % people.length] ?? expect.fail('no user')
        person.before += 3
        person.after += 3
        await charge(`live-${live}`, 3, { userId: person.id, tokenId: person.token })
        await new Promise((resolve) => setTimeout(resolve, 2))
      }
    })()
    await dying.work()
    expect(failures.splice(0)).toEqual(['Error: killed'])
    expect(await corrections.detail(made.id)).toMatchObject({ state: 'applying', applied: 1400 })
    clock.now += 61_000
    await corrections.work()
    working = false
    await calling
    await corrections.apply(root, made.id)
    await corrections.work()
    await books.ledger.flush()

    expect(await corrections.detail(made.id)).toMatchObject({ state: 'done', applied: calls, skipped: 0 })
    const now = await balances()
    for (const { id, after: used } of people)
      expect({ id, ...now.get(id) }).toEqual({ id, quota: 50_000_000 - used, used })
    const { rows } = await sql<{ amount: number | string; entries: number | string }>`
      select sum(amount) as amount, count(*) as entries from ledger_entries where reason = 'correction'`.execute(
      database.query,
    )
    expect(rows.map(({ amount, entries }) => [Number(amount), Number(entries)])).toEqual([[before - after, 2 * calls]])
    await clean()
    const lines = await database.query.selectFrom('logs').selectAll().where('type', '=', 4).execute()
    expect(lines.map(({ user_id }) => user_id).sort((a, b) => a - b)).toEqual(people.map(({ id }) => id))
    expect(traces.map(({ action }) => action)).toEqual(['correction.create', 'correction.apply'])
  }, 240_000)

  it('leaves months that are over as they were, and stands in the one of its day', async () => {
    const ann = await newUser(database, books.ledger, 1000)
    await charge('one', 100, { userId: ann })
    await books.ledger.flush()
    clock.now = november
    await corrected(2)
    const sums = openMonthSums(database)
    const figures = async (month: string) => {
      const period = monthPeriod(month, 'UTC')
      const [moved, before, movements, charges] = await Promise.all([
        sums.movedBefore('user', ann, period.from),
        sums.chargedBefore(ann, period.from),
        sums.movements('user', ann, period),
        sums.charges(ann, period),
      ])
      return { opening: moved - before, movements, charges: charges.map(({ model, quota }) => [model, quota]) }
    }
    expect(await figures('2026-10')).toMatchObject({ opening: 0, charges: [['plain', 100]] })
    expect(await figures('2026-11')).toEqual({
      opening: 900,
      movements: [{ reason: 'correction', count: 1, amount: -100 }],
      charges: [],
    })
    expect(await figures('2026-12')).toEqual({ opening: 800, movements: [], charges: [] })
    const hourly = database.query.selectFrom('quota_data').select(({ fn }) => fn.sum('quota').as('quota'))
    expect(Number((await hourly.executeTakeFirstOrThrow()).quota)).toBe(200)
    await clean()
  })

  it('can be corrected again, from what was charged last', async () => {
    const ann = await newUser(database, books.ledger, 1000)
    await charge('one', 100, { userId: ann })
    await books.ledger.flush()
    await corrected(3)
    const id = await corrected(2)
    expect(await corrections.detail(id)).toMatchObject({ old_quota: 300, new_quota: 200 })
    expect((await balances()).get(ann)).toEqual({ quota: 800, used: 200 })
    const same = await corrections.create(root, request(2))
    await corrections.work()
    expect(await corrections.detail(same.id)).toMatchObject({ state: 'ready', calls: 0, left_out: { same: 1 } })
    await clean()
  })

  it('skips calls that another correction changed after it was computed', async () => {
    const ann = await newUser(database, books.ledger, 1000)
    await charge('one', 100, { userId: ann })
    await books.ledger.flush()
    const stale = await corrections.create(root, request(4))
    await corrections.work()
    await corrected(2)
    await corrections.apply(root, stale.id)
    await corrections.work()
    expect(await corrections.detail(stale.id)).toMatchObject({ state: 'done', applied: 0, skipped: 1 })
    expect((await balances()).get(ann)).toEqual({ quota: 800, used: 200 })
    await clean()
  })

  it('moves the margin of calls whose upstream cost is known', async () => {
    const ann = await newUser(database, books.ledger, 10_000)
    const other = { admin_info: { cost: { quota: 60 } } }
    await charge('costed', 100, { userId: ann, cost: 60, other })
    await charge('uncosted', 100, { userId: ann })
    await books.ledger.flush()
    await corrected(2)
    for (const table of ['usage_hours', 'usage_days'] as const) {
      const sums = await database.query
        .selectFrom(table)
        .select(({ fn }) => [fn.sum('quota').as('quota'), fn.sum('cost').as('cost')])
        .select(({ fn }) => fn.sum('costed_quota').as('costed'))
        .executeTakeFirstOrThrow()
      expect({ quota: Number(sums.quota), cost: Number(sums.cost), costed: Number(sums.costed) }).toEqual({
        quota: 400,
        cost: 60,
        costed: 200,
      })
    }
    await clean()
  })

  it('leaves out what it cannot or must not change, and says so', async () => {
    const ann = await newUser(database, books.ledger, 10_000)
    await charge('plain', 100, { userId: ann })
    await charge('other', 100, { userId: ann, model: 'half' })
    await charge('bare', 100, { userId: ann, receipt: undefined })
    clock.now += 2 * 86_400_000
    await charge('later', 100, { userId: ann })
    await books.ledger.flush()
    const { id } = await corrections.create(root, request(2))
    await corrections.work()
    expect(await corrections.detail(id)).toMatchObject({
      calls: 1,
      left_out: { no_receipt: 1 },
      users_changed: [{ user_id: ann, calls: 1, old_quota: 100, new_quota: 200 }],
    })
    await expect(
      corrections.create(root, { ...request(1), changes: [{ key: 'ModelRatio', value: '{' }] }),
    ).rejects.toMatchObject({
      code: 'option_invalid',
    })
  })

  it('says how many calls are older than the log and stay as they are', async () => {
    const ann = await newUser(database, books.ledger, 10_000)
    for (const id of ['one', 'two', 'three']) await charge(id, 100, { userId: ann })
    await charge('other', 100, { userId: ann, model: 'half' })
    clock.now += 2 * 86_400_000
    await charge('later', 100, { userId: ann })
    await books.ledger.flush()
    await database.query.deleteFrom('logs').where('request_id', 'in', ['one', 'two', 'other']).execute()
    await database.insertMany('log_gaps', [{ from_time: 0, until_time: october / 1000 + 60 }])
    const { id } = await corrections.create(root, request(2))
    await corrections.work()
    expect(await corrections.detail(id)).toMatchObject({
      state: 'ready',
      seen: 1,
      calls: 1,
      left_out: { not_logged: 2 },
    })
    await corrections.apply(root, id)
    await corrections.work()
    expect((await balances()).get(ann)).toEqual({ quota: 10_000 - 600, used: 600 })
    await clean()
  })

  it('counts no call as gone that ended in the same hour beside its window, or that only tested a channel', async () => {
    const ann = await newUser(database, books.ledger, 10_000)
    for (const minute of [0, 10, 20]) {
      clock.now = october + minute * 60_000
      await charge(`at-${minute}`, 100, { userId: ann })
    }
    await charge('test', 100, { userId: ann, tokenName: channelTestLabel })
    await books.ledger.flush()
    const within = { from: october / 1000 + 300, to: october / 1000 + 900 }
    const { id } = await corrections.create(root, { ...request(2), ...within })
    await corrections.work()
    expect(await corrections.detail(id)).toMatchObject({ seen: 1, calls: 1, left_out: {} })
  })

  it('moves nothing when it is cancelled, and cannot be cancelled once it is applied', async () => {
    const ann = await newUser(database, books.ledger, 1000)
    await charge('one', 100, { userId: ann })
    await books.ledger.flush()
    const { id } = await corrections.create(root, request(2))
    await corrections.work()
    await corrections.cancel(root, id)
    await expect(corrections.apply(root, id)).rejects.toMatchObject({ code: 'correction_not_ready' })
    await corrections.work()
    expect((await balances()).get(ann)).toEqual({ quota: 900, used: 100 })
    await expect(corrections.cancel(root, await corrected(2))).rejects.toMatchObject({ code: 'correction_not_ready' })
  })

  it('is found out when an entry of it is changed or removed', async () => {
    const ann = await newUser(database, books.ledger, 1000)
    await charge('one', 100, { userId: ann })
    await books.ledger.flush()
    const id = await corrected(2)
    await sql`update ledger_entries set detail = replace(detail, '"quantity":100', '"quantity":101')
      where movement = ${`correction:${id}:one`}`.execute(database.query)
    const found = async () => (await verifyLedger(database)).differences.map(({ what }) => what)
    expect(await found()).toEqual(['receipt'])
    await sql`delete from ledger_entries where movement = ${`correction:${id}:one`}`.execute(database.query)
    expect(await found()).toContain('correction')
  })

  it('is created, read, applied and saved by root only', async () => {
    const ann = await newUser(database, books.ledger, 1000)
    await charge('one', 100, { userId: ann, tokenName: '=key' })
    await books.ledger.flush()
    const routes: Parameters<typeof signedIn>[0] = (on) =>
      correctionRoutes(on, { corrections, database, wake: () => undefined })
    const asRoot = signedIn(routes, { id: root.id, username: 'root', role: 100 })
    const asAdmin = signedIn(routes, { id: root.id, username: 'admin', role: 10 })
    const { json } = await asRoot('POST', '/api/correction/', request(2))
    const { id } = json.data as { id: number }
    await corrections.work()
    expect((await asRoot('POST', `/api/correction/${id}/apply`)).json.data).toMatchObject({ state: 'applying' })
    await corrections.work()
    const { text } = await asRoot('GET', `/api/correction/${id}/export?format=csv`)
    expect(text).toContain(`,'=key,0,plain,default,100,200,100,applied,reverse:one,correction:${id}:one`)
    const file = JSON.parse((await asRoot('GET', `/api/correction/${id}/export?format=json`)).text)
    expect(file).toMatchObject([{ request_id: 'one', old_quota: 100, new_quota: 200 }])
    expect((await asRoot('GET', '/api/correction/')).json.data).toMatchObject({
      total: 1,
      items: [{ id, state: 'done' }],
    })
    expect((await asRoot('POST', '/api/correction/', { ...request(2), models: [] })).json).toMatchObject({
      success: false,
    })
    for (const path of ['', `${id}`, `${id}/export`])
      expect((await asAdmin('GET', `/api/correction/${path}`)).json).toMatchObject({ success: false })
  })
})
