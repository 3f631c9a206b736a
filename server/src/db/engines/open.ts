import { reasonOf } from '../../lib/reason-of.ts'
import type { Database, DatabaseAddress, Engine } from '../database.ts'
import { openSqlite } from '../sqlite/open.ts'

/** The drivers of the other engines are not loaded. */
const openers: Readonly<Record<Engine, (address: DatabaseAddress) => Promise<Database>>> = {
  sqlite: openSqlite,
  postgres: async (address) => (await import('./postgres.ts')).openPostgres(address),
  mysql: async (address) => (await import('./mysql.ts')).openMysql(address),
}

const placeOf = ({ engine, url }: DatabaseAddress): string => {
  if (engine === 'sqlite') return `the SQLite file ${url}`
  const { host, pathname } = new URL(url)
  return `the ${engine} database ${host}${pathname}`
}

// A refused connection to a name with several addresses has its reasons inside.
const reasonsOf = (error: unknown): string =>
  error instanceof AggregateError ? error.errors.map(reasonsOf).join('; ') : reasonOf(error)

/**
 * Opens the database at an address and makes sure that it answers. Its tables come from `migrate`.
 * @throws Error that names the place, without the password, and the reason.
 */
export const openDatabase = async (address: DatabaseAddress): Promise<Database> => {
  try {
    return await openers[address.engine](address)
  } catch (error) {
    throw new Error(`Cannot open ${placeOf(address)}: ${reasonsOf(error)}`, { cause: error })
  }
}
