/** Messages between the main thread and a SQLite thread. Arrays, because each message is copied. */

export type SqliteValue = string | number | bigint | null | Uint8Array

/** An insert of so many rows. */
export type RowsInsert = readonly [rowCount: number, sql: string]

export type Request =
  | readonly [id: number, kind: 'query', sql: string, parameters: readonly SqliteValue[]]
  /** Inserts rows of `width` cells each, all or nothing. */
  | readonly [id: number, kind: 'many', inserts: readonly RowsInsert[], cells: readonly SqliteValue[], width: number]
  /** The schema changed: prepared statements are to be prepared anew. */
  | readonly [id: number, kind: 'forget']
  | readonly [id: number, kind: 'close']

export type SqliteAnswer =
  | readonly [id: number, kind: 'rows', columns: readonly string[], rows: readonly (readonly SqliteValue[])[]]
  | readonly [id: number, kind: 'done', changes: number, insertId: number]
  | readonly [id: number, kind: 'failed', message: string, code: string, errcode: number]

export interface ThreadData {
  readonly path: string
  readonly readOnly: boolean
  /** True when a commit must be on the disk before it is answered. */
  readonly durable: boolean
  /** Pages that SQLite keeps in memory. */
  readonly cacheKibibytes: number
}

/** An error of SQLite; `errcode` is its extended result code. */
export class SqliteError extends Error {
  readonly code: string
  readonly errcode: number

  constructor(message: string, code: string, errcode: number, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'SqliteError'
    this.code = code
    this.errcode = errcode
  }
}
