/** The part of `@duckdb/node-api` that is used. Named here, because the package is optional: types must not need it. */
export interface DuckDb {
  readonly DuckDBInstance: {
    create(path: string, options: Readonly<Record<string, string>>): Promise<DuckDbInstance>
  }
}

export interface DuckDbInstance {
  connect(): Promise<DuckDbConnection>
}

export interface DuckDbConnection {
  runAndReadAll(sql: string, values?: readonly string[]): Promise<{ getRowObjectsJS(): Record<string, unknown>[] }>
  createAppender(table: string, schema: string, catalog: string): Promise<DuckDbAppender>
  interrupt(): void
  closeSync(): void
}

interface DuckDbAppender {
  appendBigInt(value: bigint): void
  appendVarchar(value: string): void
  appendNull(): void
  endRow(): void
  closeSync(): void
}

export const duckDbPackage = '@duckdb/node-api'

/** True if the optional package is installed. */
export const hasDuckDb = (): boolean => {
  try {
    import.meta.resolve(duckDbPackage)
    return true
  } catch {
    return false
  }
}

/** @throws Error where the package or its library for this platform is missing. */
export const loadDuckDb = async (): Promise<DuckDb> => (await import(duckDbPackage)) as DuckDb
