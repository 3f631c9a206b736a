import type { DatabaseAddress, Engine } from '../../db/database.ts'
import type { Snapshot } from './snapshot.ts'

const openers: Readonly<Record<Engine, (url: string) => Promise<Snapshot>>> = {
  sqlite: async (url) => (await import('./sqlite.ts')).openSqliteSnapshot(url),
  postgres: async (url) => (await import('./postgres.ts')).openPostgresSnapshot(url),
  mysql: async (url) => (await import('./mysql.ts')).openMysqlSnapshot(url),
}

/** Opens what the database holds now. Reads of SQLite block the thread: it is meant for a process of its own. */
export const openSnapshot = ({ engine, url }: DatabaseAddress): Promise<Snapshot> => openers[engine](url)
