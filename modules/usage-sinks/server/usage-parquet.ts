import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Parquet, type ParquetValue, quoted } from '#server/lib/parquet/parquet.ts'
import type { UsageFileFormat } from './object-sink.ts'
import type { UsageRecord } from './usage-record.ts'

/** Columns of a file in their order, and their types in DuckDB. */
const columns = {
  id: 'varchar',
  sequence: 'bigint',
  time: 'bigint',
  kind: 'varchar',
  user_id: 'bigint',
  username: 'varchar',
  token_id: 'bigint',
  token_name: 'varchar',
  channel_id: 'bigint',
  model: 'varchar',
  group: 'varchar',
  quota: 'bigint',
  prompt_tokens: 'bigint',
  completion_tokens: 'bigint',
  cached_tokens: 'bigint',
  duration_ms: 'bigint',
  stream: 'bigint',
  session: 'varchar',
  end_user: 'varchar',
  status: 'bigint',
  error: 'varchar',
} as const satisfies Record<keyof UsageRecord, 'bigint' | 'varchar'>

const names = Object.keys(columns) as readonly (keyof UsageRecord)[]

const cellOf = (value: string | number | boolean): ParquetValue => {
  if (typeof value === 'string') return value
  return typeof value === 'number' ? Math.round(value) : Number(value)
}

/** Times and flags are such in a file; the table that is filled knows numbers and texts only. */
const selected = names
  .map((name) => {
    if (name === 'time') return 'to_timestamp("time") as "time"'
    return name === 'stream' ? '"stream" = 1 as "stream"' : `"${name}"`
  })
  .join(', ')

/**
 * Parquet files, by DuckDB in a process of its own that ends when it is idle. `folder` is for the file while it is made.
 * Packing throws where DuckDB is not installed.
 */
export const createUsageParquet = (parquet: Parquet, folder: string): UsageFileFormat => ({
  ending: 'parquet',
  async pack(records) {
    const path = join(folder, `${randomUUID()}.parquet`)
    await mkdir(folder, { recursive: true })
    try {
      await parquet.run('detach database if exists work')
      await parquet.run(`attach ':memory:' as work`)
      await parquet.run(`create table work.rows (${names.map((name) => `"${name}" ${columns[name]}`).join(', ')})`)
      await parquet.append(records.map((record) => names.map((name) => cellOf(record[name]))))
      await parquet.run(
        `copy (select ${selected} from work.rows order by "sequence") to ${quoted(path)} (format parquet, compression zstd)`,
      )
      await parquet.run('detach database work')
      return await readFile(path)
    } finally {
      await rm(path, { force: true })
    }
  },
})
