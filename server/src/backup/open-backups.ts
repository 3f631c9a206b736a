import type { SiteCardRule } from '@tollgate/contract/records/site-cards'
import { backupCards } from './backup-cards.ts'
import { type BackupRuns, openBackupRuns } from './backup-runs.ts'
import { type BackupParts, scheduleBackups } from './scheduled-backups.ts'

export interface Backups extends Pick<BackupRuns, 'last'> {
  readonly cards: readonly SiteCardRule[]
  stop(): void
}

/** Begins the backups of this server, with what is known of the last ones. */
export const openBackups = (parts: Omit<BackupParts, 'runs'>): Backups => {
  const runs = openBackupRuns(parts.database, parts.clock)
  return { last: runs.last, cards: backupCards(parts.config.backups, runs), stop: scheduleBackups({ ...parts, runs }) }
}
