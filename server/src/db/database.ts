import type { Kysely, Transaction } from 'kysely'
import type { Tables } from './schema.ts'

export type Engine = 'sqlite' | 'postgres' | 'mysql'

/** Address of a database. `url` is a connection URL for servers and a file path for SQLite. */
export interface DatabaseAddress {
  readonly engine: Engine
  readonly url: string
  /** Connections at most (servers) or reader threads (SQLite). */
  readonly pool?: number
  /** SQLite: a commit is answered when it is on the disk. Servers decide that by their own settings. */
  readonly durable?: boolean
  /** SQLite: no threads for reading until `startReading`, since a start has nothing to read beside its own questions. */
  readonly readersLater?: boolean
}

export type SqlValue = string | number | null
export type Row = Readonly<Record<string, SqlValue>>
/** Rows as lists, which cost less than objects, each made when it is needed. */
export interface CellRows {
  readonly columns: readonly string[]
  readonly count: number
  /** The values of a row in the order of `columns`. */
  readonly cellsAt: (index: number) => readonly SqlValue[]
  /** More columns, whose words are the same in every row: they stand in the statement and cost nothing per row. */
  readonly constants?: Readonly<Record<string, string>>
}

/** An open database. Every query is Kysely's; what engines disagree about has a name in `dialect.ts`. */
export interface Database {
  readonly engine: Engine
  readonly query: Kysely<Tables>
  /**
   * Runs `work` in one transaction, serialised on SQLite. Deadlocks and serialisation failures of the servers are
   * repeated a few times, so `work` must not have effects outside.
   */
  transaction<T>(work: (trx: Transaction<Tables>) => Promise<T>): Promise<T>
  /**
   * Inserts many rows fast, inside `trx` when given; rows that are objects have the keys of the first. `skipExisting`
   * leaves out rows that break a unique key.
   */
  insertMany<T extends keyof Tables>(
    table: T,
    rows: readonly Row[] | CellRows,
    how?: { trx?: Transaction<Tables>; skipExisting?: boolean },
  ): Promise<void>
  /** Answers when the database does; throws otherwise. */
  ping(): Promise<void>
  /** Ends what `readersLater` began; only where there is something to end. */
  startReading?(): void
  close(): Promise<void>
}
