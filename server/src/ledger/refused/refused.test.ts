import { readdirSync } from 'node:fs'
import { refusedContent } from '@tollgate/contract'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { aRecord } from '../../../test/support/journal/records.ts'
import {
  newJournalDirectory,
  newToken,
  newUser,
  openTestLedger,
  type TestLedger,
} from '../../../test/support/ledger/ledger.ts'
import { refusedWord, refuseTexts } from '../../../test/support/ledger/refusing.ts'
import type { Database } from '../../db/database.ts'
import { journalRecord } from '../../journal/journal-record.ts'
import type { RequestRecord, TaskStart } from '../../relay/ports.ts'
import { verifyLedger } from '../verify/verify.ts'
import { openRefusedStore } from './store.ts'

const aTask: TaskStart = {
  platform: 'midjourney',
  taskId: 'task-1',
  action: 'IMAGINE',
  code: 1,
  prompt: `a ${refusedWord} picture`,
  description: 'ok',
  state: '',
  status: 'SUBMITTED',
  progress: '0%',
  imageUrl: '',
  failReason: '',
  submittedAt: 1,
  keyHash: 'hash',
}

describeEachEngine('a record that the database refuses alone', (openDatabase) => {
  let database: Database
  let directory: Awaited<ReturnType<typeof newJournalDirectory>>
  let open: TestLedger
  let userId: number
  let tokenId: number
  let ids = 0
  let allow: (() => Promise<void>)[] = []
  let events: [string, Readonly<Record<string, unknown>>][] = []

  const error = (event: string, fields: Readonly<Record<string, unknown>>): void => {
    events.push([event, fields])
  }
  const reopen = () => openTestLedger(database, directory.directory, { error })
  const record = (more: Partial<RequestRecord> = {}): RequestRecord => {
    ids += 1
    return aRecord(`request-${ids}`, { userId, tokenId, channelId: 0, ...more })
  }
  const refuse = async (table: string, column: string): Promise<void> => {
    allow.push(await refuseTexts(database, table, column))
  }
  const takeAll = async (): Promise<void> => {
    for (const end of allow) await end()
    allow = []
  }
  const balances = async () => {
    const user = database.query.selectFrom('users').select('quota').where('id', '=', userId)
    const token = database.query.selectFrom('tokens').select('remain_quota').where('id', '=', tokenId)
    return [(await user.executeTakeFirst())?.quota, (await token.executeTakeFirst())?.remain_quota]
  }
  const logOf = async ({ id }: RequestRecord) =>
    database.query.selectFrom('logs').selectAll().where('request_id', '=', id).execute()
  const drawingOf = async ({ id }: RequestRecord) =>
    database.query.selectFrom('midjourneys').selectAll().where('request_id', '=', id).execute()
  const refused = () => {
    const { ledger } = open
    if (ledger.refused === undefined) throw new Error('this ledger keeps no refused records')
    return ledger.refused
  }
  const inJournal = () => readdirSync(directory.directory)

  beforeAll(async () => {
    database = await openDatabase()
    directory = await newJournalDirectory()
    open = await reopen()
  })
  afterAll(async () => {
    await open.crash()
    await directory.remove()
  })
  beforeEach(async () => {
    events = []
    userId = await newUser(database, open.ledger, 10_000)
    tokenId = await newToken(database, open.ledger, { userId, remain: 5000 })
  })
  afterEach(takeAll)

  it('is charged without its texts, stored whole, and blocks neither other records nor the shutdown', async () => {
    await refuse('midjourneys', 'prompt')
    const refusedIds: string[] = []
    open.ledger.whenRefused(({ requestId }) => refusedIds.push(requestId))
    const bad = record({ quota: 300, task: aTask })
    const others = Array.from({ length: 20 }, () => record({ quota: 10 }))
    for (const one of [others[0], bad, ...others.slice(1)]) if (one) await open.ledger.recorder.charge(one)
    await open.ledger.flush()

    expect(open.ledger.waiting).toBe(0)
    expect(refusedIds).toEqual([bad.id])
    expect(await balances()).toEqual([9500, 4500])
    expect(await logOf(bad)).toMatchObject([{ quota: 300, content: refusedContent, model_name: bad.model }])
    expect(await drawingOf(bad)).toMatchObject([{ mj_id: 'task-1', prompt: '', quota: 300, status: 'SUBMITTED' }])
    expect(await refused().find(bad.id)).toMatchObject({ step: 'charge', isCharged: true, retries: 0 })
    expect((await refused().find(bad.id))?.record.task).toEqual(aTask)
    expect(events).toMatchObject([
      ['record_refused', { request_id: bad.id, step: 'charge', charged: true, quota: 300 }],
    ])
    expect((await verifyLedger(database)).differences).toEqual([])

    await open.crash()
    expect(inJournal()).toEqual([])
    open = await reopen()
    expect(await balances()).toEqual([9500, 4500])
  })

  it('loses only the texts of its log row where that is refused', async () => {
    await refuse('logs', 'content')
    const bad = record({ quota: 70, content: `an ${refusedWord} note` })
    const failed = record({ kind: 'error', quota: 0, receipt: undefined, content: refusedWord })
    await open.ledger.recorder.charge(bad)
    await open.ledger.recorder.fail(failed)
    await open.ledger.recorder.charge(record({ quota: 5 }))
    await open.ledger.flush()
    expect(await balances()).toEqual([9925, 4925])
    expect(await logOf(bad)).toMatchObject([{ quota: 70, content: refusedContent }])
    expect(await logOf(failed)).toMatchObject([{ quota: 0, content: refusedContent, type: 5 }])
    expect(await refused().find(bad.id)).toMatchObject({ step: 'log', isCharged: true })
    expect((await refused().list(10)).total).toBeGreaterThanOrEqual(2)
    expect((await verifyLedger(database)).differences).toEqual([])
  })

  it('gets its texts back when it is retried, and is never charged twice', async () => {
    await refuse('midjourneys', 'prompt')
    await refuse('logs', 'content')
    const bad = record({ quota: 300, task: aTask, content: `an ${refusedWord} note`, model: 'gpt-x' })
    await open.ledger.recorder.charge(bad)
    await open.ledger.flush()
    await expect(refused().retry(bad.id)).rejects.toMatchObject({ code: 'record_still_refused' })
    expect(await refused().find(bad.id)).toMatchObject({ isCharged: true, retries: 1 })
    expect(await balances()).toEqual([9700, 4700])

    await takeAll()
    await database.query
      .updateTable('midjourneys')
      .set({ status: 'SUCCESS' })
      .where('request_id', '=', bad.id)
      .execute()
    await Promise.all([refused().retry(bad.id), refused().retry(bad.id)])
    expect(await balances()).toEqual([9700, 4700])
    expect(await logOf(bad)).toMatchObject([{ quota: 300, content: bad.content, model_name: 'gpt-x' }])
    expect(await drawingOf(bad)).toMatchObject([{ prompt: aTask.prompt, status: 'SUCCESS' }])
    expect(await refused().find(bad.id)).toBeUndefined()
    await expect(refused().retry(bad.id)).rejects.toMatchObject({ code: 'not_found' })
    expect((await verifyLedger(database)).differences).toEqual([])
  })

  it('waits with its money where not even that is taken, and is charged once when it is', async () => {
    await refuse('ledger_entries', 'detail')
    const receipt = { ...record().receipt, mode: 'call', lines: [{ item: refusedWord, quantity: 1, price: '1' }] }
    const bad = record({ quota: 40, receipt: receipt as RequestRecord['receipt'] })
    await open.ledger.recorder.charge(bad)
    await open.ledger.recorder.charge(record({ quota: 1 }))
    await open.ledger.flush()
    expect(await balances()).toEqual([9999, 4999])
    expect(await refused().find(bad.id)).toMatchObject({ step: 'charge', isCharged: false })
    expect(await open.ledger.holds.hold({ userId, tokenId, amount: 4999 })).toMatchObject({ kind: 'held' })

    await takeAll()
    await refused().retry(bad.id)
    expect(await balances()).toEqual([9959, 4959])
    expect(await logOf(bad)).toHaveLength(1)
  })

  it('counts as charged where the ledger has it, although a crash came before the file said so', async () => {
    const charged = record({ quota: 20 })
    await open.ledger.recorder.charge(charged)
    await open.ledger.flush()
    const store = openRefusedStore(`${directory.directory}-refused`)
    const kept = { refusedAt: 1, step: 'charge', isCharged: false, reason: 'refused by a rule', retries: 0 } as const
    await store.keep({ ...kept, record: journalRecord(charged) })
    await store.keep({ ...kept, record: journalRecord(record({ quota: 30 })) })
    const { records } = await refused().list(10)
    expect(records.filter(({ record }) => record.id === charged.id)).toMatchObject([{ isCharged: true }])
    expect(records.filter(({ isCharged }) => !isCharged)).toHaveLength(1)
    expect(await refused().find(charged.id)).toMatchObject({ isCharged: true })
  })

  it('is not refused while the database answers no query', async () => {
    let isAway = true
    const away: Database = {
      ...database,
      transaction: (work) =>
        isAway ? Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNRESET' })) : database.transaction(work),
    }
    await open.crash()
    let failures = 0
    open = await openTestLedger(database, directory.directory)
    const { ledger } = open
    await ledger.close()
    const other = await openTestLedger(away, `${directory.directory}-away`, { warn: () => (failures += 1) })
    await other.ledger.recorder.charge(record({ quota: 7 }))
    await expect.poll(() => failures).toBeGreaterThan(12)
    expect((await other.ledger.refused?.list(10))?.total).toBe(0)
    isAway = false
    await other.ledger.flush()
    expect(await balances()).toEqual([9993, 4993])
    await other.crash()
    await open.journal.close()
    open = await reopen()
  })
})
