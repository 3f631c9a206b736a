import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { openPlace } from '../../backup/places/open-place.ts'
import { backupsAt } from '../../backup/places/place.ts'
import type { Config } from '../../config/config.ts'
import { every } from '../../jobs/every.ts'
import type { Log } from '../../lib/log.ts'

const lookEveryMs = 10 * 60_000
const longestOutput = 2_000

/** In a process of its own: the copy of a large SQLite file must not hold up calls. */
const runBackup = (): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'run-backup.ts')], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output = `${output}${chunk}`.slice(-longestOutput)
      })
    child.on('error', reject)
    child.on('close', (code) => (code === 0 ? resolve(output.trim()) : reject(new Error(output.trim()))))
  })

/**
 * Writes a backup when the newest one at `BACKUP_TO` is older than `BACKUP_EVERY_HOURS`, however often the server starts. Returns
 * the function that stops it; undefined where no place is set, and on slaves.
 */
export const scheduleBackups = ({ backups, isSlave }: Config, log: Log): (() => void) | undefined => {
  const { to, everyHours } = backups
  if (to === undefined || isSlave) return undefined
  const place = openPlace(to, process.env)
  const backUp = async (): Promise<void> => {
    const [newest] = await backupsAt(place)
    if (newest !== undefined && Date.now() / 1000 - newest.at < everyHours * 3600) return
    log.info('backup_written', { output: await runBackup() })
  }
  const failed = (error: unknown): void => log.error('backup_failed', { error })
  void backUp().catch(failed)
  return every(lookEveryMs, backUp, failed)
}
