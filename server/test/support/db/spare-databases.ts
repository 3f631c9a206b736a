import { type RawBuilder, sql } from 'kysely'
import { inject } from 'vitest'
import type { Database, DatabaseAddress, Engine } from '../../../src/db/database.ts'
import { openDatabase } from '../../../src/db/engines/open.ts'
import { fillFromTemplate } from './fill-from-template.ts'
import { places } from './places.ts'

/** A migrated database without rows, which one test or suite has for itself until it gives it back. */
export interface BorrowedDatabase {
  readonly database: Database
  giveBack(): Promise<void>
}

interface Spare {
  readonly address: DatabaseAddress
  /** Its schema when it was made. */
  readonly schema: string
}

/**
 * A server takes several times as long to make and drop a database as to empty one. So one that is given back is emptied,
 * and the next test or suite of this process gets it. The connections are closed in between: what still runs in the suite
 * that gave it back cannot write to it.
 */
const spares: Record<'postgres' | 'mysql', Spare[]> = { postgres: [], mysql: [] }

/** Emptying tables with more rows than this takes longer than making a database. */
const mostRows = 20_000

/** Tables whose rows belong to the schema. */
const filledByMigrate = ['migrations', 'migrations_lock']

const columnOf = async (query: RawBuilder<{ text: string }>, { query: on }: Database): Promise<string[]> =>
  (await query.execute(on)).rows.map(({ text }) => text)

const tablesIn = (database: Database): Promise<string[]> => {
  const schema = database.engine === 'mysql' ? sql`database()` : sql`current_schema()`
  return columnOf(
    sql`select table_name as text from information_schema.tables where table_schema = ${schema} order by table_name`,
    database,
  )
}

const postgresParts = sql<{ text: string }>`
  select concat_ws(' ', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
      pg_get_expr(d.adbin, d.adrelid)) as text
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where c.relnamespace = current_schema()::regnamespace and a.attnum > 0
  union all select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) from pg_constraint
    where connamespace = current_schema()::regnamespace
  union all select concat_ws(' ', tgrelid::regclass, tgname) from pg_trigger
    where tgrelid in (select oid from pg_class where relnamespace = current_schema()::regnamespace)`

interface MysqlTable {
  readonly name: string
  readonly definition: string
}

const mysqlTables = async (database: Database): Promise<MysqlTable[]> => {
  const tables: MysqlTable[] = []
  for (const name of await tablesIn(database)) {
    const { rows } = await sql<{ 'Create Table': string }>`show create table ${sql.table(name)}`.execute(database.query)
    tables.push({ name, definition: rows[0]?.['Create Table'] ?? '' })
  }
  return tables
}

/** The next row number, where it is not the first. */
const nextNumber = / AUTO_INCREMENT=\d+/

interface Schema {
  /** Changes with tables, columns, indexes, constraints and triggers, but not with rows. */
  readonly text: string
  /** On MySQL, tables whose next row number is not the first. */
  readonly numbered: readonly string[]
}

const schemaOf = async (database: Database): Promise<Schema> => {
  if (database.engine === 'postgres')
    return { text: (await columnOf(postgresParts, database)).toSorted().join('\n'), numbered: [] }
  const tables = await mysqlTables(database)
  const triggers = await columnOf(
    sql`select trigger_name as text from information_schema.triggers where trigger_schema = database()`,
    database,
  )
  return {
    text: [...tables.map(({ definition }) => definition.replace(nextNumber, '')), ...triggers].join('\n'),
    numbered: tables.filter(({ definition }) => nextNumber.test(definition)).map(({ name }) => name),
  }
}

const restartNumbers = async (database: Database, { numbered }: Schema): Promise<void> => {
  if (database.engine === 'postgres') {
    await sql`select setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false) from pg_sequences
      where schemaname = current_schema() and last_value is not null`.execute(database.query)
    return
  }
  for (const name of numbered) await sql`alter table ${sql.table(name)} auto_increment = 1`.execute(database.query)
}

/** True when the database is again as it was made; false when that would take too long, or its schema has changed. */
const empty = async (database: Database, schema: string): Promise<boolean> => {
  const found = await schemaOf(database)
  if (found.text !== schema) return false
  const tables = (await tablesIn(database)).filter((name) => !filledByMigrate.includes(name))
  const counts = tables.map((name) => sql`select ${sql.lit(name)} as name, count(*) as count from ${sql.table(name)}`)
  const { rows } = await sql<{ name: string; count: number | string }>`${sql.join(counts, sql` union all `)}`.execute(
    database.query,
  )
  const filled = rows.filter(({ count }) => Number(count) > 0)
  if (filled.reduce((sum, { count }) => sum + Number(count), 0) > mostRows) return false
  for (const { name } of filled) await sql`delete from ${sql.table(name)}`.execute(database.query)
  await restartNumbers(database, found)
  return true
}

const make = async (engine: Engine) => {
  const place = await places[engine](inject('databasePrefix'))
  await fillFromTemplate(place.address)
  return place
}

const borrowFile = async (): Promise<BorrowedDatabase> => {
  const { address, remove } = await make('sqlite')
  const database = await openDatabase(address)
  return {
    database,
    giveBack: async () => {
      await database.close()
      await remove()
    },
  }
}

const makeSpare = async (engine: 'postgres' | 'mysql'): Promise<Spare> => {
  const { address } = await make(engine)
  const database = await openDatabase({ ...address, pool: 1 })
  const { text: schema } = await schemaOf(database)
  await database.close()
  return { address, schema }
}

const borrowSpare = async (engine: 'postgres' | 'mysql'): Promise<BorrowedDatabase> => {
  const spare = spares[engine].pop() ?? (await makeSpare(engine))
  const database = await openDatabase(spare.address)
  return {
    database,
    giveBack: async () => {
      await database.close()
      const own = await openDatabase({ ...spare.address, pool: 1 })
      // A database that is not reused is removed when the run ends.
      if (await empty(own, spare.schema)) spares[engine].push(spare)
      await own.close()
    },
  }
}

/** Opens a database for one test or suite. */
export const borrowDatabase = (engine: Engine): Promise<BorrowedDatabase> =>
  engine === 'sqlite' ? borrowFile() : borrowSpare(engine)
