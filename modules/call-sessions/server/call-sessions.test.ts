import type { SessionLimits } from '@tollgate/contract'
import { afterEach, beforeAll, expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { applyCharges } from '#server/ledger/apply/batch.ts'
import { writeLogs } from '#server/ledger/apply/log-rows.ts'
import type { RequestRecord } from '#server/relay/ports.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { aJournalRecord } from '#server-test/support/journal/records.ts'
import { type CallSessions, createCallSessions } from './call-sessions.ts'

const start = Date.parse('2026-11-18T10:30:00Z') / 1000
const ofAnn = 'a'.repeat(16)
const ofBen = 'b'.repeat(16)

let requests = 0
const call = (seconds: number, session: string, more: Partial<RequestRecord> = {}) => {
  requests += 1
  const measures = { cached: 80, cacheWrite: 5, reasoning: 0, missed: 3, cacheSaved: 40, cacheLost: 2 }
  return aJournalRecord(`call-${requests}`, { at: (start + seconds) * 1000, session, measures, ...more })
}

const everything = { p: 1, page_size: 10, session: '', model_name: '', username: '' } as const
const query = { ...everything, start_timestamp: undefined, end_timestamp: undefined }

let limits: ReadonlyMap<string, SessionLimits> = new Map()

describeEachEngine('sessions of clients', (open) => {
  let database: Database
  let sessions: CallSessions

  beforeAll(async () => {
    database = await open()
    const charges = [
      call(0, ofAnn, { other: { client: 'curl' } }),
      call(4000, ofAnn, { model: 'other', other: { client: 'curl' } }),
      call(60, ofBen, { userId: 2, tokenId: 9 }),
    ]
    const failed = call(4100, ofAnn, { kind: 'error', quota: 0, receipt: undefined, other: { client: 'Claude Code' } })
    await applyCharges({ database, hourly: false, versions: false }, charges)
    await writeLogs({ database, logDatabase: database }, [...charges, failed])
    sessions = createCallSessions({
      database,
      logDatabase: database,
      userNames: async () =>
        new Map([
          [1, 'ann'],
          [2, 'ben'],
        ]),
      tokenNames: async () => new Map([[9, { name: 'laptop' }]]),
      userIdOf: async (name) => (name === 'ben' ? 2 : undefined),
      limitsByGroup: () => limits,
      counts: {
        peek: (id) => (id === ofAnn ? { startedAt: (start + 60) * 1000, calls: 7, quota: 300 } : undefined),
      },
      clock: () => (start + 4200) * 1000,
    })
  })

  afterEach(() => {
    limits = new Map()
  })

  it('are summed over their hours, the latest first', async () => {
    const { items, total } = await sessions.list(query)
    expect(total).toBe(2)
    expect(items.map(({ id }) => id)).toEqual([ofAnn, ofBen])
    expect(items[0]).toMatchObject({
      username: 'ann',
      client: 'Claude Code',
      models: ['gpt-4o-mini', 'other'],
      first_time: start,
      last_time: start + 4100,
      calls: 2,
      failures: 1,
      cached_tokens: 160,
      missed_tokens: 6,
      cache_saved: 80,
      cache_lost: 4,
      quota: 200,
    })
    expect(items[1]).toMatchObject({ username: 'ben', token_name: 'laptop', client: '', calls: 1 })
  })

  it('are found by id, model, user and time', async () => {
    const ids = async (more: object) => (await sessions.list({ ...query, ...more })).items.map(({ id }) => id)
    expect(await ids({ session: ofBen })).toEqual([ofBen])
    expect(await ids({ model_name: 'OTHER' })).toEqual([ofAnn])
    expect(await ids({ username: 'ben' })).toEqual([ofBen])
    expect(await ids({ username: 'nobody' })).toEqual([])
    expect(await ids({ start_timestamp: start + 3600 })).toEqual([ofAnn])
    expect(await ids({ end_timestamp: start - 3600 })).toEqual([])
    expect(await ids({ p: 2, page_size: 1 })).toEqual([ofBen])
  })

  it('are only the own ones for a user, whoever is asked for', async () => {
    const own = async (more: object) => (await sessions.list({ ...query, ...more }, 1)).items.map(({ id }) => id)
    expect(await own({})).toEqual([ofAnn])
    expect(await own({ username: 'ben' })).toEqual([ofAnn])
    expect(await own({ session: ofBen })).toEqual([])
  })

  it('are summed together, with those that still run', async () => {
    expect(await sessions.sums(query)).toEqual({
      sessions: 2,
      running: 1,
      missed: 2,
      quota: 300,
      prompt_tokens: 300,
      cached_tokens: 240,
      cache_saved: 120,
      cache_lost: 6,
    })
    expect(await sessions.sums({ ...query, username: 'ben' })).toMatchObject({ sessions: 1, running: 0, quota: 100 })
    expect(await sessions.sums({ ...query, username: 'nobody' })).toMatchObject({
      sessions: 0,
      quota: 0,
      cache_lost: 0,
    })
    expect(await sessions.sums({ ...query, username: 'ben' }, 1)).toMatchObject({ sessions: 1, quota: 200 })
    expect(await sessions.sums({ ...query, end_timestamp: start + 3600 })).toMatchObject({ sessions: 2, running: 0 })
  })

  it('say how far they are from the limits of their group', async () => {
    expect(await sessions.guard(ofAnn)).toBeNull()
    limits = new Map([['*', { money: 10, calls: 200 }]])
    const used = { calls: 7, quota: 300, minutes: 69 }
    expect(await sessions.guard(ofAnn)).toEqual({ limits: { money: 10, calls: 200 }, ...used })
    expect(await sessions.guard(ofAnn, 1)).toMatchObject(used)
    limits = new Map([['default', { repeats: 5 }]])
    expect(await sessions.guard(ofBen)).toEqual({ limits: { repeats: 5 }, calls: 0, quota: 0, minutes: 0 })
    limits = new Map([['vip', { repeats: 5 }]])
    expect(await sessions.guard(ofBen)).toBeNull()
  })

  it('say nothing of the limits of other users', async () => {
    limits = new Map([['*', { calls: 200 }]])
    expect(await sessions.guard(ofBen, 1)).toBeNull()
    expect(await sessions.guard('c'.repeat(16), 1)).toBeNull()
  })

  it('are listed by when they began where they called in the same hour', async () => {
    const ofCem = 'c'.repeat(16)
    const charge = call(90, ofCem)
    await applyCharges({ database, hourly: false, versions: false }, [charge])
    await writeLogs({ database, logDatabase: database }, [charge])
    const page = { ...query, end_timestamp: start + 600, page_size: 1 }
    expect((await sessions.list(page)).items.map(({ id }) => id)).toEqual([ofCem])
  })
})
