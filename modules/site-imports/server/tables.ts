import type { Id } from '#server/db/schema/columns.ts'

/** Which row of another gateway's database became which row here, so that an import can be repeated. */
export interface ImportRowsTable {
  id: Id
  /** Name of the site that was imported. */
  site: string
  /** `user`, `token`, `channel`, `code` … */
  kind: string
  source_id: string
  target_id: number
}

/** Tables of data that was imported from other gateways. */
export interface ImportTables {
  import_rows: ImportRowsTable
}

declare module '#server/db/schema.ts' {
  interface Tables extends ImportTables {}
}
