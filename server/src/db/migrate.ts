import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Database } from './database.ts'
import { logMigrations, migrations } from './migrations/index.ts'
import { type WarnOfStep, withMigrationLog } from './migrations/log/migration-log.ts'
import type { Tables } from './schema.ts'

/**
 * True if a step removes something that the version before it needs, as its name states. All others only add, so versions without them
 * can work with the tables.
 */
export const isContract = (step: string): boolean => step.endsWith('-contract')

const nothing: Migration = { up: async () => {} }

// Another schema of the same PostgreSQL database may hold tables of the same names.
const schemaOf = async ({ engine, query }: Database): Promise<string | undefined> => {
  if (engine !== 'postgres') return undefined
  const { rows } = await sql<{ name: string | null }>`select current_schema() as name`.execute(query)
  return rows[0]?.name ?? undefined
}

const migratorOf = (
  query: Kysely<Tables>,
  steps: Readonly<Record<string, Migration>>,
  { table, schema }: { table: string; schema: string | undefined },
): Migrator =>
  new Migrator({
    db: query,
    provider: { getMigrations: async () => ({ ...steps }) },
    migrationTableName: table,
    migrationLockTableName: `${table}_lock`,
    // Steps of parallel branches may reach a database in another order than that of their names.
    allowUnorderedMigrations: true,
    ...(schema === undefined ? {} : { migrationTableSchema: schema }),
  })

/** One row if there is a table of this name. Kysely's introspection would read every column of every table. */
const tableNamed = (engine: Database['engine'], table: string, schema: string | undefined) => {
  if (engine === 'sqlite') return sql`select 1 from sqlite_master where type = 'table' and name = ${table}`
  const place = engine === 'postgres' ? sql`${schema}` : sql`database()`
  return sql`select 1 from information_schema.tables where table_schema = ${place} and table_name = ${table}`
}

/** Names of the steps that a database has made; none where there is no table of them yet. */
const stepsMade = async (
  { engine, query }: Database,
  table: string,
  schema: string | undefined,
): Promise<readonly string[]> => {
  const found = await tableNamed(engine, table, schema).execute(query)
  if (found.rows.length === 0) return []
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(table)}`.execute(query)
  return rows.map(({ name }) => name)
}

/**
 * The steps of a newer version that only added to the tables: a node may go back to the version before. Throws an Error where a step
 * removed something, since this version would misread the tables.
 */
const newerSteps = (made: readonly string[], steps: Readonly<Record<string, Migration>>): readonly string[] => {
  const unknown = made.filter((name) => !Object.hasOwn(steps, name))
  const contract = unknown.find(isContract)
  if (contract === undefined) return unknown
  throw new Error(
    `Cannot open the database: a newer version has changed it (step ${contract}). ` +
      'Start that version or a later one, or restore a copy from before the update.',
  )
}

const run = async (database: Database, steps: Readonly<Record<string, Migration>>, table: string): Promise<void> => {
  const schema = await schemaOf(database)
  const made = await stepsMade(database, table, schema)
  const newer = newerSteps(made, steps)
  // Most starts have nothing to do, and check that without a lock: a step is noted when it is complete.
  const isMade = new Set(made)
  if (Object.keys(steps).every((name) => isMade.has(name))) return
  // Kysely requires all steps that were made.
  const all = { ...steps, ...Object.fromEntries(newer.map((name) => [name, nothing])) }
  const { error } = await migratorOf(database.query, all, { table, schema }).migrateToLatest()
  if (error !== undefined) throw error
}

/** Steps of this version that the main database has not made. @throws Error where a newer version took from its tables. */
export const pendingSteps = async (database: Database): Promise<readonly string[]> => {
  const schema = await schemaOf(database)
  const made = await stepsMade(database, 'migrations', schema)
  newerSteps(made, migrations)
  const isMade = new Set(made)
  return Object.keys(migrations)
    .filter((name) => !isMade.has(name))
    .sort()
}

/** Like `migrate`, one step after the other, with the milliseconds that each took. */
export const migrateStepwise = async (database: Database): Promise<readonly { name: string; ms: number }[]> => {
  const schema = await schemaOf(database)
  const migrator = migratorOf(database.query, migrations, { table: 'migrations', schema })
  const steps: { name: string; ms: number }[] = []
  for (const name of await pendingSteps(database)) {
    const begun = performance.now()
    const { error } = await migrator.migrateTo(name)
    if (error !== undefined) throw error
    steps.push({ name, ms: performance.now() - begun })
  }
  return steps
}

/**
 * Brings the main database to the schema of this version, under a lock: nodes that start together wait for each other. `warn` reports
 * data that steps have changed or removed.
 */
export const migrate = (database: Database, warn: WarnOfStep = () => {}): Promise<void> =>
  withMigrationLog(warn, () => run(database, migrations, 'migrations'))

/**
 * Makes the steps `made` in an empty database, so that rows of an earlier version of this program fit.
 * @throws Error where a step is unknown: the rows are of a later version.
 */
export const migrateTo = async (database: Database, made: readonly string[]): Promise<void> => {
  const unknown = made.find((name) => !Object.hasOwn(migrations, name))
  if (made.length === 0 || unknown !== undefined)
    throw new Error(
      `The schema is one of a later version (step ${unknown ?? 'none'}). Use that version or a later one.`,
    )
  const schema = await schemaOf(database)
  const steps = Object.fromEntries(Object.entries(migrations).filter(([name]) => made.includes(name)))
  const { error } = await migratorOf(database.query, steps, { table: 'migrations', schema }).migrateToLatest()
  if (error !== undefined) throw error
}

/** `migrate` for a separate log database, which only gets `logs`. Harmless when it is the main database after all. */
export const migrateLogs = (database: Database): Promise<void> => run(database, logMigrations, 'log_migrations')

interface Patience {
  readonly patienceMs: number
  readonly pauseMs: number
}

/** Waits until another node has migrated the main database to the schema of this version. Throws an Error when none does. */
export const awaitMigration = async (
  database: Database,
  { patienceMs, pauseMs }: Patience = { patienceMs: 30_000, pauseMs: 500 },
): Promise<void> => {
  const schema = await schemaOf(database)
  newerSteps(await stepsMade(database, 'migrations', schema), migrations)
  const until = Date.now() + patienceMs
  for (;;) {
    const steps = await migratorOf(database.query, migrations, { table: 'migrations', schema }).getMigrations()
    if (steps.every(({ executedAt }) => executedAt !== undefined)) return
    if (Date.now() >= until) {
      throw new Error(
        'Cannot open the database as a slave: start a node of this version without NODE_TYPE=slave first.',
      )
    }
    await sleep(pauseMs)
  }
}
