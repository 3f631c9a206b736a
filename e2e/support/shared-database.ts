import pg from 'pg'

/** PostgreSQL for several nodes. */

const server = process.env.TEST_POSTGRES_URL ?? 'postgres://tollgate:tollgate@127.0.0.1:5432/tollgate_test'

const onServer = async (statement: string): Promise<void> => {
  const client = new pg.Client({ connectionString: server, connectionTimeoutMillis: 2000 })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** True if there is a PostgreSQL server; CI must have one. */
export const postgresHere = await onServer('select 1').then(
  () => true,
  () => process.env.CI === 'true',
)

/** A database of its own, empty. */
export const createSharedDatabase = async (
  prefix: string,
): Promise<{ readonly url: string; drop(): Promise<void> }> => {
  const name = `${prefix}_${process.pid}`
  await onServer(`create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => onServer(`drop database if exists ${name}`) }
}
