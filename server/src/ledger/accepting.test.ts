import { afterEach, beforeEach, expect, it } from 'vitest'
import { describeWithDatabase } from '../../test/support/db/databases.ts'
import { aRecord } from '../../test/support/journal/records.ts'
import { newJournalDirectory } from '../../test/support/ledger/ledger.ts'
import type { Database } from '../db/database.ts'
import { type Disk, nodeDisk } from '../journal/disk.ts'
import { openJournal } from '../journal/journal.ts'
import { openReadiness } from '../relay/ports/readiness.ts'
import { openLedger } from './ledger.ts'

/** Calls read whether they may begin from one value, which follows the disk and the database. */

let directory: Awaited<ReturnType<typeof newJournalDirectory>>

beforeEach(async () => {
  directory = await newJournalDirectory()
})
afterEach(() => directory.remove())

const openOn = async (on: Database, disk: Disk) => {
  const journal = await openJournal({ directory: directory.directory, sync: 'group', disk, retryMs: 5 })
  const options = { logConsume: () => true, logErrors: () => true, hourly: () => true }
  const ledger = await openLedger({ database: on, journal, options, delayMs: 0, retryMs: 1, mostWaiting: 3 })
  const recording = { stops: () => !ledger.accepting, watch: ledger.whenAccepting }
  return {
    ledger,
    readiness: openReadiness(new Map([['recording_failed', recording]])),
    async close() {
      await ledger.close()
      await journal.close()
    },
  }
}

const record = (id: number) => aRecord(`call-${id}`, { userId: 1, tokenId: 0, channelId: 0, quota: 1 })

describeWithDatabase('no call', (open) => {
  it('begins while too many wait for the database, before and after a restart', async () => {
    const database = await open()
    let isAway = true
    const on: Database = {
      ...database,
      transaction: (work) => (isAway ? Promise.reject(new Error('away')) : database.transaction(work)),
    }
    const first = await openOn(on, nodeDisk)
    for (const id of [1, 2]) await first.ledger.recorder.charge(record(id), undefined, 0)
    expect(first.readiness.refusal).toBeUndefined()
    await first.ledger.recorder.charge(record(3), undefined, 0)
    expect([first.readiness.refusal, first.ledger.accepting]).toEqual(['recording_failed', false])
    await first.close()
    const second = await openOn(on, nodeDisk)
    expect(second.readiness.refusal).toBe('recording_failed')
    isAway = false
    await expect.poll(() => second.readiness.refusal).toBeUndefined()
    await expect.poll(() => second.ledger.waiting).toBe(0)
    await second.close()
  })

  it('begins while the disk refuses records', async () => {
    const database = await open()
    let isFull = false
    const disk: Disk = {
      ...nodeDisk,
      open(path) {
        const file = nodeDisk.open(path)
        const sync: typeof file.sync = async () => {
          if (isFull) throw Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' })
          await file.sync()
        }
        return { ...file, sync }
      },
    }
    const { ledger, readiness, close } = await openOn(database, disk)
    isFull = true
    await expect(ledger.recorder.charge(record(1), undefined, 0)).rejects.toMatchObject({ code: 'recording_failed' })
    expect(readiness.refusal).toBe('recording_failed')
    isFull = false
    await expect.poll(() => readiness.refusal).toBeUndefined()
    await close()
  })
})
