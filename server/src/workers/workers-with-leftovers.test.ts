import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { aJournalRecord } from '../../test/support/journal/records.ts'
import { journalDirectory } from '../journal/adopt-journals.ts'
import { openJournal } from '../journal/journal.ts'
import { workersWithLeftovers } from './workers-with-leftovers.ts'

let dataDir = ''
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'leftovers-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

/** A worker that ends; what its call cost is in the database or in the journal alone. */
const end = async (worker: number, isApplied: boolean): Promise<void> => {
  const journal = await openJournal({ directory: journalDirectory(dataDir, worker) })
  const record = aJournalRecord(`call-${worker}`, { quota: worker })
  await journal.end(record)
  if (isApplied) journal.applied([record])
  await journal.close()
}

it('names the workers whose journals have charges that the database may lack, but the first one', async () => {
  await end(1, false)
  await end(2, true)
  await end(3, false)
  await end(4, false)
  expect(await workersWithLeftovers({ dataDir, workers: 3, nodeName: 'north' })).toEqual(['north/3'])
})
