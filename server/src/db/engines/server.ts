import { type Kysely, sql } from 'kysely'
import type { Database, Engine } from '../database.ts'
import { insertStatements } from '../insert-many.ts'
import type { Tables } from '../schema.ts'
import { retrying } from './retry.ts'

/** Opens PostgreSQL or MySQL, given Kysely with its dialect. Closes the pool when the server does not answer. */
export const openServer = async (engine: Engine, query: Kysely<Tables>): Promise<Database> => {
  const transaction: Database['transaction'] = (work) => retrying(() => query.transaction().execute(work))
  const ping = async (): Promise<void> => {
    await sql`select 1`.execute(query)
  }
  const database: Database = {
    engine,
    query,
    transaction,
    insertMany: async (table, rows, { trx, skipExisting = false } = {}) => {
      const statements = insertStatements(engine, table, rows, { skipExisting })
      const runAll = async (on: Kysely<Tables>): Promise<void> => {
        for (const statement of statements) await on.executeQuery(statement)
      }
      if (trx !== undefined) await runAll(trx)
      else if (statements.length > 0) await transaction(runAll)
    },
    ping,
    close: () => query.destroy(),
  }
  try {
    await ping()
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}
