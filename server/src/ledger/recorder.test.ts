import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Journal, openJournal } from '../journal/journal.ts'
import { openSegmentFile } from '../journal/segments.ts'
import { aRecord } from '../journal/test-records.ts'
import type { Recorder } from '../relay/ports.ts'
import { openMemoryAccounts } from './holds-memory.ts'
import { createLane } from './lane.ts'
import { openRecorder } from './recorder.ts'

let directory: string
let journal: Journal
let recorder: Recorder
/** What happened, in its order. */
let events: string[]
let full: boolean

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'recorder-'))
  events = []
  full = false
  journal = await openJournal({
    directory,
    openFile: (segment) => {
      const file = openSegmentFile(segment)
      const append = (text: string): void => {
        if (full) throw new Error('ENOSPC: no space left on device')
        file.append(text)
        events.push('written')
      }
      return { ...file, torn: false, append }
    },
  })
  recorder = await openRecorder({
    journal,
    charges: {
      add: () => events.push('charged'),
      waiting: 0,
      arrived: async () => undefined,
      flush: async () => undefined,
      close: async () => undefined,
    },
    accounts: openMemoryAccounts({ lane: createLane(), read: async () => [] }),
    now: Date.now,
    warn: () => undefined,
  })
})
afterEach(async () => {
  await journal.close()
  rmSync(directory, { recursive: true })
})

it('lets an answer end only when its record is on the disk', async () => {
  const end = recorder.end(aRecord('one')).then(() => events.push('ended'))
  expect(events).toEqual([])
  await end
  expect(events).toEqual(['written', 'charged', 'ended'])
})

it('charges nothing for what could not be written down', async () => {
  full = true
  await expect(recorder.end(aRecord('one'))).rejects.toMatchObject({ code: 'recording_failed' })
  expect(events).toEqual([])
})
