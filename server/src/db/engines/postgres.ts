import pg from 'pg'
import type { Database, DatabaseAddress } from '../database.ts'
import { openQuery } from '../dialect.ts'
import { OwnSchemaDialect } from './own-schema.ts'
import { safeDecimal, safeInteger } from './safe-integer.ts'
import { openServer } from './server.ts'

const connectionsByDefault = 20
const connectTimeoutMs = 10_000

const int8 = 20
const numeric = 1700

const parsers: pg.CustomTypesConfig = {
  getTypeParser: (type, format) => {
    if (type === int8) return safeInteger
    if (type === numeric) return safeDecimal
    return pg.types.getTypeParser(type, format)
  },
}

/** Connects to PostgreSQL. 64-bit integers and numerics arrive as numbers, exactly or not at all. */
export const openPostgres = ({ url, pool: connections = connectionsByDefault }: DatabaseAddress): Promise<Database> => {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    types: parsers,
  })
  // A connection that breaks leaves the pool, and its query fails; unheard, its error would also end the process.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return openServer('postgres', openQuery(new OwnSchemaDialect({ pool })))
}
