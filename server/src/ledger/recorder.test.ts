import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { aRecord } from '../../test/support/journal/records.ts'
import { nodeDisk } from '../journal/disk.ts'
import { type Journal, openJournal } from '../journal/journal.ts'
import { createSerialQueue } from '../lib/serial-queue.ts'
import type { Recorder } from '../relay/ports.ts'
import { openMemoryAccounts } from './holds/holds-memory.ts'
import { createRecorder } from './recorder.ts'

let directory: string
let journal: Journal
let recorder: Recorder
/** Events in order. */
let events: string[]
let full: boolean

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'recorder-'))
  events = []
  full = false
  journal = await openJournal({
    directory,
    sync: 'group',
    disk: {
      ...nodeDisk,
      open(path) {
        const file = nodeDisk.open(path)
        return {
          ...file,
          write(bytes, start) {
            if (full) throw new Error('ENOSPC: no space left on device')
            events.push('written')
            return file.write(bytes, start)
          },
          async sync() {
            await file.sync()
            events.push('synced')
          },
        }
      },
    },
  })
  recorder = createRecorder({
    journal,
    charges: { add: () => events.push('charged') },
    accounts: openMemoryAccounts({ queue: createSerialQueue(), read: async () => [] }),
  })
})
afterEach(async () => {
  await journal.close()
  rmSync(directory, { recursive: true })
})

it('lets an answer end only when its record is on the disk', async () => {
  const end = recorder.charge(aRecord('one')).then(() => events.push('ended'))
  expect(events).toEqual([])
  await end
  expect(events).toEqual(['written', 'synced', 'charged', 'ended'])
})

it('charges nothing for what could not be written down', async () => {
  full = true
  await expect(recorder.charge(aRecord('one'))).rejects.toMatchObject({ code: 'recording_failed' })
  expect(events).toEqual([])
})
