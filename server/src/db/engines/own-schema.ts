import { type DatabaseIntrospector, type Kysely, PostgresDialect, sql, type TableMetadata } from 'kysely'

/**
 * Looks at the tables of its own schema only, and at their names: all that migrating needs. Kysely's own introspector
 * looks at all schemas of the database, and fails when another program drops one of its schemas meanwhile.
 */
class OwnSchema implements DatabaseIntrospector {
  private readonly on: Kysely<unknown>

  constructor(on: Kysely<unknown>) {
    this.on = on
  }

  async getSchemas(): Promise<{ name: string }[]> {
    const { rows } = await sql<{ name: string }>`select nspname as name from pg_namespace`.execute(this.on)
    return rows
  }

  async getTables(): Promise<TableMetadata[]> {
    const { rows } = await sql<{ name: string; schema: string }>`
      select tablename as name, schemaname as schema from pg_tables where schemaname = current_schema()`.execute(
      this.on,
    )
    return rows.map((table) => ({ ...table, isView: false, isForeign: false, columns: [] }))
  }
}

/** PostgreSQL for a site that shares the database with others. */
export class OwnSchemaDialect extends PostgresDialect {
  override createIntrospector(on: Kysely<unknown>): DatabaseIntrospector {
    return new OwnSchema(on)
  }
}
