import { beforeAll, beforeEach, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { now, openTestLogs, type TestLogs } from '../../../test/support/features/logs.ts'
import type { Database } from '../../db/database.ts'
import { keptDaysOf } from './retained-days.ts'

const day = 86_400

describeEachEngine('clearing logs', (open) => {
  let database: Database
  let logs: TestLogs
  let time = now

  beforeAll(async () => {
    database = await open()
  })
  beforeEach(async () => {
    time = now
    logs = await openTestLogs(database, { clock: () => time * 1000 })
  })

  const rows = async (): Promise<number> => (await database.query.selectFrom('logs').select('id').execute()).length
  const state = async (before = 0) => (await logs.admin('GET', `/api/log/clear?target_timestamp=${before}`)).json.data

  it('says before how many rows will go, deletes them beside the call, and keeps a trace', async () => {
    await logs.charge(...Array.from({ length: 1_201 }, (_, index) => ({ created_at: now - 10 * day + index })))
    await logs.charge({ created_at: now - day })
    const before = now - 5 * day
    expect(await state(before)).toEqual({ count: 1_201, running: null })
    expect((await logs.admin('DELETE', `/api/log/?target_timestamp=${before}`)).json).toMatchObject({ data: 1_201 })
    expect(await rows()).toBe(1_202)
    expect(await state()).toEqual({ count: 0, running: { before, total: 1_201, deleted: 0 } })
    await logs.purges.work()
    expect(await rows()).toBe(1)
    expect(await state(before)).toEqual({ count: 0, running: null })
    expect(logs.traces).toMatchObject([{ action: 'log.clear', before: { rows: 1_201 }, after: { before } }])
  })

  it('leaves the sums of charges alone', async () => {
    await logs.charge({ created_at: now - 10 * day, quota: 70 }, { created_at: now - day, quota: 5 })
    await logs.admin('DELETE', `/api/log/?target_timestamp=${now - 2 * day}`)
    await logs.purges.work()
    expect((await logs.admin('GET', '/api/log/stat')).json.data).toMatchObject({ quota: 75 })
  })

  it.each(['', '?target_timestamp=0', '?target_timestamp=soon'])('wants a date: DELETE /api/log/%s', async (query) => {
    await logs.write({ created_at: 5 })
    const { json } = await logs.admin('DELETE', `/api/log/${query}`)
    expect(json).toMatchObject({ success: false, code: 'log_time_required' })
    expect(await rows()).toBe(1)
    expect(logs.traces).toEqual([])
  })

  it('is for administrators', async () => {
    expect((await logs.user('DELETE', `/api/log/?target_timestamp=${now}`)).json).toMatchObject({ success: false })
  })

  it('never takes rows that are younger than the call', async () => {
    await logs.write({ created_at: now - 1 }, { created_at: now + 50 })
    await logs.admin('DELETE', `/api/log/?target_timestamp=${now + 1_000}`)
    await logs.purges.work()
    expect(await rows()).toBe(1)
  })

  it('takes one request at a time', async () => {
    await logs.write({ created_at: now - 10 })
    await logs.admin('DELETE', `/api/log/?target_timestamp=${now - 5}`)
    const { json } = await logs.admin('DELETE', `/api/log/?target_timestamp=${now - 5}`)
    expect(json).toMatchObject({ success: false, code: 'log_clearing' })
  })

  it('goes on where a node that is gone has ended, once its lease is over', async () => {
    await logs.write(...Array.from({ length: 20 }, () => ({ created_at: now - 10 })))
    await logs.admin('DELETE', `/api/log/?target_timestamp=${now - 5}`)
    await database.query
      .updateTable('log_purges')
      .set({ lease_time: now + 60 })
      .execute()
    await logs.purges.work()
    expect(await rows()).toBe(20)
    time = now + 61
    await logs.purges.work()
    expect(await rows()).toBe(0)
  })

  it('drops failures past their time once a day, whichever node asks, and nothing else', async () => {
    const errors = (age: number) => ({ type: 5, created_at: now - age * day })
    await logs.write(errors(31), errors(29), { type: 2, created_at: now - 400 * day })
    await Promise.all([logs.purges.askForOldRows(), logs.purges.askForOldRows()])
    expect(await database.query.selectFrom('log_purges').selectAll().execute()).toHaveLength(1)
    await logs.purges.work()
    expect(await database.query.selectFrom('logs').select('type').orderBy('type').execute()).toEqual([
      { type: 2 },
      { type: 5 },
    ])
    expect(await state()).toEqual({ count: 0, running: null })
    time = now + 2 * day
    await logs.purges.askForOldRows()
    await logs.purges.work()
    expect(await database.query.selectFrom('logs').select('type').execute()).toEqual([{ type: 2 }])
  })

  it('keeps failures for ever where the option says 0', async () => {
    logs = await openTestLogs(database, { retention: { failed: 0 } })
    await logs.write({ type: 5, created_at: 5 })
    await logs.purges.askForOldRows()
    await logs.purges.work()
    expect(await rows()).toBe(1)
  })

  it('keeps each kind of row as long as its option says', async () => {
    logs = await openTestLogs(database, {
      retention: { charged: 400, failed: 10, other: 100 },
      clock: () => now * 1000,
    })
    const old = (type: number, ...ages: number[]) => ages.map((age) => ({ type, created_at: now - age * day }))
    await logs.write(...old(2, 401, 399), ...old(5, 11, 9), ...[1, 3, 4].flatMap((type) => old(type, 101, 99)))
    await logs.purges.askForOldRows()
    await logs.purges.work()
    const left = await database.query.selectFrom('logs').select(['type', 'created_at']).orderBy('type').execute()
    expect(left.map((row) => [row.type, (now - row.created_at) / day])).toEqual([
      [1, 99],
      [2, 399],
      [3, 99],
      [4, 99],
      [5, 9],
    ])
  })

  it('counts what the list has, and sums what was charged, once rows are gone', async () => {
    logs = await openTestLogs(database, { retention: { charged: 30, failed: 10 }, clock: () => now * 1000 })
    const ages = Array.from({ length: 40 }, (_, index) => ({ created_at: now - index * day - 60, group: 'vip' }))
    await logs.charge(...ages.map((row) => ({ ...row, quota: 10 })), ...ages.map((row) => ({ ...row, type: 5 })))
    await logs.purges.askForOldRows()
    await logs.purges.work()
    const total = async (query: string) => (await logs.admin('GET', `/api/log/?group=vip${query}`)).json.data
    expect(await total('')).toMatchObject({ total: 40 })
    expect(await total('&type=2')).toMatchObject({ total: 30 })
    expect(await total('&type=5')).toMatchObject({ total: 10 })
    expect((await logs.admin('GET', '/api/log/stat?group=vip')).json.data).toMatchObject({ quota: 400 })
    expect(await total('')).toMatchObject({ kept_days: { charged: 30, failed: 10 } })
    expect(await total(`&type=5&start_timestamp=${now - 11 * day}`)).toMatchObject({ kept_days: { failed: 10 } })
    expect(await total(`&start_timestamp=${now - 9 * day}`)).not.toHaveProperty('kept_days')
  })
})

const kept = { charged: 100, failed: 30, other: 0 }
const today = 200 * 86_400

it('names the kinds whose older rows are nowhere any more', () => {
  expect(keptDaysOf(kept, {}, today)).toEqual({ charged: 100, failed: 30 })
  expect(keptDaysOf(kept, { from: today - 50 * 86_400 }, today)).toEqual({ failed: 30 })
})

it('leaves out kinds that leave the table before they would be deleted', () => {
  const isMoved = (days: number): boolean => days >= 100
  expect(keptDaysOf(kept, {}, today, isMoved)).toEqual({ failed: 30 })
  expect(keptDaysOf({ ...kept, charged: 99 }, {}, today, isMoved)).toEqual({ charged: 99, failed: 30 })
  expect(keptDaysOf({ ...kept, failed: 0 }, {}, today, isMoved)).toBeUndefined()
})
