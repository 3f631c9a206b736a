import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { describeEachEngine } from '../../test/support/db/databases.ts'
import { silentLog } from '../lib/log.ts'
import { openBackupRuns } from './backup-runs.ts'
import { scheduleBackups } from './scheduled-backups.ts'
import { backupName } from './stored-backups.ts'

describeEachEngine('backups that the server writes', (open) => {
  it('are written by one of several nodes that start together, and not again before they are old', async () => {
    const database = await open()
    const folder = await mkdtemp(join(tmpdir(), 'tollgate-scheduled-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    let now = 1_900_000_000_000
    const written: number[] = []
    const start = (): void => {
      const stop = scheduleBackups({
        database,
        clock: () => now,
        log: silentLog,
        runs: openBackupRuns(database, () => now),
        notifyFailed: () => expect.unreachable(),
        config: {
          isSlave: false,
          backups: { to: folder, everyHours: 24, keep: undefined, recipients: [], passphraseFile: undefined },
        },
        write: async () => {
          written.push(now)
          await pause(200)
          await writeFile(join(folder, backupName(now / 1000, false)), '')
          return 'done'
        },
      })
      onTestFinished(stop)
    }
    for (let node = 0; node < 4; node += 1) start()
    await vi.waitFor(async () => expect(await readdir(folder)).toHaveLength(1))
    await pause(300)
    start()
    await pause(300)
    expect(written).toEqual([1_900_000_000_000])
    now += 25 * 3_600_000
    start()
    await vi.waitFor(async () => expect(await readdir(folder)).toHaveLength(2))
    expect(written).toHaveLength(2)
    const runs = openBackupRuns(database, () => now)
    await vi.waitFor(async () => expect((await runs.last()).written).toMatchObject({ time: now / 1000, place: folder }))
    expect((await runs.last()).failures).toBe(0)
  })

  it('notify root when they fail, and let the next node try', async () => {
    const database = await open()
    const notices: string[] = []
    const runs = openBackupRuns(database, Date.now)
    const start = () =>
      scheduleBackups({
        database,
        clock: Date.now,
        log: silentLog,
        runs,
        config: {
          isSlave: false,
          backups: {
            to: join(tmpdir(), 'tollgate-no-such'),
            everyHours: 24,
            keep: undefined,
            recipients: [],
            passphraseFile: undefined,
          },
        },
        notifyFailed: (reason) => void notices.push(reason),
        write: async () => {
          throw new Error('the disk is full')
        },
      })
    for (const count of [1, 2]) {
      onTestFinished(start())
      await vi.waitFor(() => expect(notices).toHaveLength(count))
    }
    expect(notices[0]).toBe('the disk is full')
    const place = join(tmpdir(), 'tollgate-no-such')
    await vi.waitFor(async () => expect(await runs.last()).toMatchObject({ failures: 2 }))
    expect(await runs.last()).toMatchObject({ written: undefined, failed: { place, detail: 'the disk is full' } })
    await runs.seen(place, { name: 'tollgate-x', at: Math.floor(Date.now() / 1000) + 1 })
    expect(await runs.last()).toMatchObject({ written: { detail: 'tollgate-x' }, failed: undefined, failures: 0 })
  })
})
