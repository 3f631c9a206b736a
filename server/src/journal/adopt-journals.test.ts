import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { aBegin, aJournalRecord } from '../../test/support/journal/records.ts'
import { adoptJournals, journalDirectory } from './adopt-journals.ts'
import { openJournal } from './journal.ts'

let dataDir = ''
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'adopt-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

/** A worker that ends with one call finished and one under way. */
const leave = async (worker: number): Promise<void> => {
  const journal = await openJournal({ directory: journalDirectory(dataDir, worker) })
  journal.begin(aBegin(`open-${worker}`))
  await journal.end(aJournalRecord(`done-${worker}`, { quota: worker }))
  await journal.close()
}

const adopt = (workers: number): Promise<void> => adoptJournals({ dataDir, workers, warn: () => undefined })

const leftovers = async () => {
  const journal = await openJournal({ directory: journalDirectory(dataDir, 1) })
  const { charges, open } = journal.replay()
  await journal.close()
  return { charges: charges.map(({ id }) => id), open: open.map(({ interrupted }) => interrupted.begin.id) }
}

it('the first worker finds what workers have left that are no more', async () => {
  for (const worker of [1, 2, 3, 4]) await leave(worker)
  await adopt(2)
  expect(existsSync(journalDirectory(dataDir, 2))).toBe(true)
  expect(readdirSync(dataDir).sort()).toEqual(['journal', 'journal-2'])
  const { charges, open } = await leftovers()
  expect(charges.sort()).toEqual(['done-1', 'done-3', 'done-4'])
  expect(open.sort()).toEqual(['open-1', 'open-3', 'open-4'])
})

it('does nothing twice, and nothing where there is nothing', async () => {
  await adopt(1)
  await leave(2)
  await adopt(1)
  await adopt(1)
  expect((await leftovers()).charges).toEqual(['done-2'])
})

it('leaves the journals of workers that still exist', async () => {
  await leave(2)
  await adopt(2)
  expect(readdirSync(journalDirectory(dataDir, 2)).length).toBeGreaterThan(0)
})
