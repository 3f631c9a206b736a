import { randomBytes } from 'node:crypto'
import { mkdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Database } from '#server/db/database.ts'
import type { LogsTable, Tables } from '#server/db/schema.ts'
import type { LogCursor } from '#server/features/logs/filter.ts'
import type { NamedClaim, NamedJob, NamedJobs } from '#server/jobs/named-jobs.ts'
import { type JobRun, type JobRunner, type JobTimes, openJobRunner } from '#server/jobs/runner.ts'
import { unixSeconds } from '#server/lib/clock.ts'
import { type CellRow, type Parquet, type ParquetValue, quoted } from '#server/lib/parquet/parquet.ts'
import { archiveColumnNames, archiveColumns } from './archive-columns.ts'
import type { ArchiveFiles } from './archive-files.ts'
import type { ArchivePart, ArchiveParts } from './archive-parts.ts'

export interface ArchiveJobParts extends JobTimes {
  readonly database: Database
  /** The same as `database` unless logs live apart. */
  readonly logDatabase: Database
  readonly parts: ArchiveParts
  readonly files: ArchiveFiles
  readonly parquet: Parquet
  readonly jobs: Pick<NamedJobs, 'store'>
  /** A month is archived when it ended so many days ago; 0 for never. */
  afterDays(): number
  /** A folder of its own for unfinished files. */
  readonly folder: string
  /** Says that the rows of a file are in it and no longer in the database. */
  archived(part: ArchivePart): void
  /** Rows of a file at most. */
  readonly partRows?: number
  /** Shortest rest between pieces, milliseconds. */
  readonly restMs?: number
}

type ArchiveRun = JobRun<NamedClaim>

const aliveEveryMs = 30_000
const day = 86_400
const usual = { partRows: 250_000, restMs: 15 }
/** Texts of a file at most, so that one file fits the disk and the memory of small machines. */
const partBytes = 512 * 1024 * 1024
/** Rows that are read and passed on in one piece. The main thread answers no call meanwhile: about 25 ms for 1,000. */
const pageRows = 250
/** After so many rows the job writes its progress and looks whether it is to stop. */
const reportedRows = 1_000
const deletedAtOnce = 500
const placesAtOnce = 10_000
/** Rests are so many times as long as the piece took. */
const restShare = 3
const longestRestMs = 5_000

interface Sums {
  rows: number
  quota: number
  tokens: number
  bytes: number
  first_id: number
  last_id: number
  first_time: number
  last_time: number
}

/** The month (UTC) of a moment, and the first second after it. */
export const monthOf = (seconds: number): { name: string; end: number } => {
  const date = new Date(seconds * 1000)
  return {
    name: date.toISOString().slice(0, 7),
    end: Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) / 1000,
  }
}

/**
 * Moves old months of the log to files, oldest rows first. A file is written, stored and read back; then it is entered, and
 * only then exactly its rows are deleted, by their numbers. A kill at any moment leaves every row in the database, or in a
 * file that is entered; what was begun goes on at the next run.
 */
export const openLogArchiving = (job: ArchiveJobParts): JobRunner<NamedJob> => {
  const { parts, files, parquet, clock, folder } = job
  const { query } = job.logDatabase
  const partRows = job.partRows ?? usual.partRows
  const now = (): number => unixSeconds(clock)

  const resting = async <T>(work: () => Promise<T>): Promise<T> => {
    const began = performance.now()
    const result = await work()
    const took = performance.now() - began
    await sleep(Math.min(Math.max(job.restMs ?? usual.restMs, took * restShare), longestRestMs))
    return result
  }

  /** The month of the oldest row, if it is old enough. */
  const due = async (): Promise<ReturnType<typeof monthOf> | undefined> => {
    const days = job.afterDays()
    if (days === 0) return undefined
    const oldest = query.selectFrom('logs').select('created_at').orderBy('created_at').orderBy('id').limit(1)
    const row = await oldest.executeTakeFirst()
    const month = row === undefined ? undefined : monthOf(row.created_at)
    return month !== undefined && month.end + days * day <= now() ? month : undefined
  }

  const pageAfter = (
    { createdAt, id }: LogCursor,
    end: number,
  ): Promise<readonly Readonly<Record<keyof LogsTable, ParquetValue>>[]> =>
    query
      .selectFrom('logs')
      .select(archiveColumnNames)
      .where('created_at', '<', end)
      .where('created_at', '>=', createdAt)
      .where((eb) => eb.or([eb('created_at', '>', createdAt), eb('id', '>', id)]))
      .orderBy('created_at')
      .orderBy('id')
      .limit(pageRows)
      .execute()

  /** Copies rows into `work.rows` until a file is full or the month ends. Undefined when it was stopped. */
  const collect = async (end: number, run: ArchiveRun): Promise<Sums | undefined> => {
    const sums: Sums = {
      rows: 0,
      quota: 0,
      tokens: 0,
      bytes: 0,
      last_id: 0,
      first_time: 0,
      last_time: 0,
      first_id: Number.MAX_SAFE_INTEGER,
    }
    let place: LogCursor = { createdAt: 0, id: 0 }
    while (sums.rows < partRows && sums.bytes < partBytes) {
      const page = await resting(async () => {
        const rows = (await pageAfter(place, end)).slice(0, partRows - sums.rows)
        await parquet.append(rows.map((row) => archiveColumnNames.map((column) => row[column])))
        return rows
      })
      for (const row of page) addTo(sums, row)
      const isReported = sums.rows % reportedRows < pageRows
      if (run.signal.aborted || (isReported && !(await run.claim.progress(sums.rows, 0, {})))) return undefined
      if (page.length < pageRows) break
      place = { createdAt: sums.last_time, id: Number(page.at(-1)?.id) }
    }
    return sums
  }

  const written = async (path: string): Promise<Sums> => {
    const [row] = await parquet.run(
      `select count(*) as rows, sum(quota) as quota, sum(prompt_tokens + completion_tokens) as tokens,
        sum(strlen(content) + strlen(other)) as bytes, min(id) as first_id, max(id) as last_id,
        min(created_at) as first_time, max(created_at) as last_time from read_parquet(${quoted(path)})`,
    )
    const figure = (name: keyof Sums): number => Number(row?.[name] ?? 0)
    return {
      rows: figure('rows'),
      quota: figure('quota'),
      tokens: figure('tokens'),
      bytes: figure('bytes'),
      first_id: figure('first_id'),
      last_id: figure('last_id'),
      first_time: figure('first_time'),
      last_time: figure('last_time'),
    }
  }

  /** Writes one file, stores it, reads it back and enters it. False when there was nothing to write. */
  const writePart = async (run: ArchiveRun): Promise<boolean> => {
    const month = await due()
    if (month === undefined) return false
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true })
    const columns = archiveColumnNames.map((column) => `"${column}" ${archiveColumns[column]}`).join(', ')
    await parquet.run('detach database if exists work')
    await parquet.run(`attach ${quoted(join(folder, 'rows.duckdb'))} as work`)
    await parquet.run(`create table work.rows (${columns})`)
    const sums = await collect(month.end, run)
    if (sums === undefined || sums.rows === 0) return false
    const name = `logs-${month.name}-${String(now())}-${randomBytes(4).toString('hex')}.parquet`
    const path = join(folder, name)
    await parquet.run(
      `copy (select * from work.rows) to ${quoted(path)} (format parquet, compression zstd, row_group_size 10240)`,
    )
    await parquet.run('detach database work')
    await files.store(name, path)
    const stored = await files.pathOf(name)
    const found = await written(stored)
    for (const figure of Object.keys(found) as (keyof Sums)[]) {
      if (found[figure] !== sums[figure]) throw new Error(`The file ${name} has other ${figure} than its rows.`)
    }
    const { tokens: _tokens, bytes: _bytes, ...entered } = sums
    await parts.add({ name, month: month.name, ...entered, bytes: (await stat(stored)).size, created_time: now() })
    await rm(folder, { recursive: true, force: true })
    return true
  }

  const placesIn = (path: string, { deleted_until: at, deleted_id: id }: ArchivePart): Promise<readonly CellRow[]> =>
    parquet.run(
      `select id, created_at, quota, type from read_parquet(${quoted(path)})
        where created_at >= ${at} and (created_at > ${at} or id > ${id}) order by created_at, id limit ${placesAtOnce}`,
    )

  /** Deletes rows that are still as the file has them; a row that was changed meanwhile stays, and is listed instead. */
  const deleteSome = async (on: Kysely<Tables>, rows: readonly CellRow[]): Promise<void> => {
    const filed = new Map(rows.map((row) => [row.id, row]))
    const ids = rows.map(({ id }) => Number(id))
    const there = await on.selectFrom('logs').select(['id', 'quota', 'type']).where('id', 'in', ids).execute()
    const same = there.filter(({ id, quota, type }) => filed.get(id)?.quota === quota && filed.get(id)?.type === type)
    if (same.length === 0) return
    const gone = same.map(({ id }) => id)
    await on.deleteFrom('logs').where('id', 'in', gone).execute()
  }

  /** False when it was stopped. */
  const deleteRows = async (part: ArchivePart, run: ArchiveRun): Promise<boolean> => {
    const path = await files.pathOf(part.name)
    let current = part
    for (;;) {
      const places = await placesIn(path, current)
      if (places.length === 0) break
      for (let start = 0; start < places.length; start += deletedAtOnce) {
        const some = places.slice(start, start + deletedAtOnce)
        const last = { createdAt: Number(some.at(-1)?.created_at), id: Number(some.at(-1)?.id) }
        await resting(() =>
          parts.whileDeleting(part, last, (on) => deleteSome(job.database === job.logDatabase ? on : query, some)),
        )
        current = { ...current, deleted_until: last.createdAt, deleted_id: last.id }
        if (!(await run.claim.progress(0, part.rows, {})) || run.signal.aborted) return false
      }
    }
    await parts.finish(part, now())
    job.archived(part)
    return true
  }

  const isWanted = async (): Promise<boolean> =>
    job.afterDays() > 0 && ((await parts.unfinished()).length > 0 || (await due()) !== undefined)

  return openJobRunner({
    store: job.jobs.store([{ id: 'log_archive' }], isWanted),
    async work(_, run) {
      do {
        for (const part of await parts.unfinished()) {
          if (!(await deleteRows(part, run))) return
        }
      } while (!run.signal.aborted && (await writePart(run)))
      run.claim.report(0, 0, {})
    },
    everyMs: job.everyMs,
    aliveEveryMs,
    failed: job.failed,
    clock,
  })
}

const addTo = (sums: Sums, row: Readonly<Record<keyof LogsTable, ParquetValue>>): void => {
  const at = Number(row.created_at)
  if (sums.rows === 0) sums.first_time = at
  sums.last_time = at
  sums.rows += 1
  sums.quota += Number(row.quota)
  sums.tokens += Number(row.prompt_tokens) + Number(row.completion_tokens)
  sums.bytes += Buffer.byteLength(String(row.content)) + Buffer.byteLength(String(row.other))
  sums.first_id = Math.min(sums.first_id, Number(row.id))
  sums.last_id = Math.max(sums.last_id, Number(row.id))
}
