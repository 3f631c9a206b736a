import { CompiledQuery, MysqlDialect } from 'kysely'
import { createPool, type TypeCast } from 'mysql2'
import type { Database, DatabaseAddress } from '../database.ts'
import { openQuery } from '../dialect.ts'
import { safeDecimal, safeInteger } from './safe-integer.ts'
import { openServer } from './server.ts'

const connectionsByDefault = 20
const connectTimeoutMs = 10_000

const sessionSettings = [
  `set session sql_mode = 'STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION', time_zone = '+00:00'`,
  // As on PostgreSQL: fewer deadlocks, and a statement sees what others committed before.
  'set session transaction isolation level read committed',
]

const readers: Readonly<Record<string, (text: string) => number>> = {
  LONGLONG: safeInteger,
  NEWDECIMAL: safeDecimal,
}

const typeCast: TypeCast = (field, next) => {
  const read = readers[field.type]
  if (read === undefined) return next()
  const text = field.string()
  return text === null ? null : read(text)
}

/** Connects to MySQL or MariaDB. 64-bit integers and decimals arrive as numbers, exactly or not at all. */
export const openMysql = ({ url, pool: connections = connectionsByDefault }: DatabaseAddress): Promise<Database> => {
  const pool = createPool({
    uri: url,
    connectionLimit: connections,
    connectTimeout: connectTimeoutMs,
    enableKeepAlive: true,
    charset: 'utf8mb4_bin',
    typeCast,
  })
  const dialect = new MysqlDialect({
    pool,
    onCreateConnection: async (connection) => {
      for (const statement of sessionSettings) await connection.executeQuery(CompiledQuery.raw(statement))
    },
  })
  return openServer('mysql', openQuery(dialect))
}
