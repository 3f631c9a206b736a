/** Messages between the server and its Parquet process. */
export type ParquetValue = string | number | null
export type CellRow = Readonly<Record<string, ParquetValue>>

export type ParquetRequest =
  | { readonly id: number; readonly kind: 'run'; readonly sql: string; readonly values: readonly string[] }
  /** Rows for the table `work.rows`, in the order of its columns. */
  | { readonly id: number; readonly kind: 'append'; readonly rows: readonly (readonly ParquetValue[])[] }
  | { readonly id: number; readonly kind: 'cancel'; readonly request: number }

export interface ParquetAnswer {
  readonly id: number
  readonly rows?: readonly CellRow[]
  /** Why it failed. */
  readonly error?: string
}
