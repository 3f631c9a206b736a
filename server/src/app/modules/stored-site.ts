import { readConfig } from '../../config/config.ts'
import { openDatabase } from '../../db/engines/open.ts'
import { openCheckedSecrets } from '../../db/key-proof.ts'
import { migrate, migrateLogs } from '../../db/migrate.ts'
import { openAudit } from '../../features/audit/audit.ts'
import { openGroups } from '../../features/groups/groups.ts'
import { openOptions } from '../../features/options/options.ts'
import { systemClock } from '../../lib/clock.ts'
import { silentLog } from '../../lib/log.ts'
import { type Bus, openBus } from '../../lib/redis/bus.ts'
import { secretSources } from '../../rotation/with-secrets.ts'
import type { SharedParts } from '../parts.ts'

/** A site as a command of a module finds it, whether or not a gateway runs. */
export interface StoredSite
  extends Pick<SharedParts, 'database' | 'logDatabase' | 'secrets' | 'clock' | 'options' | 'groups'> {
  /** Tells running nodes what to read anew, where Redis joins them. */
  readonly publish: Bus['publish']
  close(): Promise<void>
}

/**
 * Opens the databases that `tollgate serve` would use in this environment, and brings them to this version. `name` marks the
 * command on the bus. Throws Error for variables that mean nothing, and for another CRYPTO_SECRET than that of the database.
 */
export const openStoredSite = async (env: NodeJS.ProcessEnv, name: string): Promise<StoredSite> => {
  const config = readConfig(env)
  const database = await openDatabase(config.database)
  const logDatabase = config.logDatabase === undefined ? database : await openDatabase(config.logDatabase)
  await migrate(database)
  if (logDatabase !== database) await migrateLogs(logDatabase)
  const secrets = await openCheckedSecrets(database, secretSources(config))
  const bus = openBus({ redis: config.redis, nodeName: `${config.nodeName}-${name}`, log: silentLog })
  const options = await openOptions({
    database,
    secrets,
    bus,
    log: silentLog,
    syncFrequencyMs: config.syncFrequencyMs,
    basePath: config.basePath,
    audit: openAudit(database, systemClock).record,
  })
  const groups = openGroups({ ratios: () => options.get('GroupRatio'), usable: () => options.get('UserUsableGroups') })
  return {
    database,
    logDatabase,
    secrets,
    clock: systemClock,
    options,
    groups,
    publish: bus.publish,
    async close() {
      options.close()
      await bus.close()
      if (logDatabase !== database) await logDatabase.close()
      await database.close()
    },
  }
}
