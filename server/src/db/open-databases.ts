import type { Log } from '../lib/log.ts'
import type { Database, DatabaseAddress } from './database.ts'
import { openDatabase } from './engines/open.ts'
import { awaitMigration, migrate, migrateLogs } from './migrate.ts'

export interface DatabasePlaces {
  readonly database: DatabaseAddress
  /** Undefined where logs are in the same database. */
  readonly logDatabase: DatabaseAddress | undefined
  readonly isSlave: boolean
}

/** Opens a database, or says which variable to look at. */
const openFor = async (address: DatabaseAddress, variable: string): Promise<Database> => {
  try {
    return await openDatabase({ ...address, readersLater: true })
  } catch (cause) {
    const places = address.engine === 'sqlite' ? `${variable}, DATA_DIR and SQLITE_PATH` : variable
    throw new Error(`${cause instanceof Error ? cause.message : cause}; check ${places}.`, { cause })
  }
}

/** Opens the databases of a node and brings them to this version; a slave waits until its master has done so. */
export const openDatabases = async (
  config: DatabasePlaces,
  { warn }: Pick<Log, 'warn'>,
): Promise<{ database: Database; logDatabase: Database }> => {
  const database = await openFor(config.database, 'SQL_DSN')
  const logDatabase = config.logDatabase === undefined ? database : await openFor(config.logDatabase, 'LOG_SQL_DSN')
  await (config.isSlave ? awaitMigration(database) : migrate(database, warn))
  if (!config.isSlave && logDatabase !== database) await migrateLogs(logDatabase)
  return { database, logDatabase }
}
