import {
  mostReportDays,
  type Page,
  type ReconciledCall,
  type ReconciledDay,
  type ReconciliationLine as ShownLine,
} from '@tollgate/contract'
import type { Selectable, Transaction } from 'kysely'
import { print } from '#server/billing/decimal.ts'
import type { Database } from '#server/db/database.ts'
import { insertReturningId, isUniqueViolation } from '#server/db/dialect.ts'
import type { Tables } from '#server/db/schema.ts'
import { AppError } from '#server/lib/app-error.ts'
import { type CallFilter, openCallStore } from './calls/call-store.ts'
import type { ListedCall } from './calls/match-calls.ts'
import { type Compared, keyOf, type Summary } from './compare/compare.ts'
import { emptySummary, type ImportRow, isRunning } from './import-row.ts'
import type { Period, ReportLine } from './report.ts'
import type { ReportLinesTable } from './tables.ts'

/** Start of an import. */
export interface ImportStart {
  readonly sourceId: number
  readonly period: Period & { readonly offset: number }
  readonly fileName: string
  readonly username: string
  /** Random; only the attempt whose run the row still names may write its result. */
  readonly run: string
  /** Unix seconds. */
  readonly now: number
}

export interface ImportResult {
  readonly lines: readonly ReportLine[]
  readonly compared: readonly Compared[]
  readonly summary: Summary
  /** Single calls that the two sides disagree about. */
  readonly listed: readonly ListedCall[]
}

export interface ImportStore {
  /** Begins an import, or another attempt at one of the same source and period. Throws `report_running`. */
  begin(start: ImportStart): Promise<number>
  /** Replaces lines and comparison in one transaction. False where another attempt has begun, or the import is deleted. */
  finish(id: number, run: string, result: ImportResult, now: number): Promise<boolean>
  /** Keeps what an earlier attempt brought. */
  fail(id: number, run: string, error: string, now: number): Promise<void>
  page(page: { p: number; page_size: number }): Promise<{ rows: ImportRow[]; total: number }>
  get(id: number): Promise<ImportRow | undefined>
  days(id: number): Promise<ReconciledDay[]>
  lines(id: number, filter: LineFilter): Promise<Page<ShownLine>>
  calls(id: number, filter: CallFilter): Promise<Page<ReconciledCall>>
  remove(id: number, trx: Transaction<Tables>): Promise<void>
  idsOfSource(sourceId: number): Promise<number[]>
}

export interface LineFilter {
  readonly p: number
  readonly page_size: number
  readonly day?: number | undefined
  /** As the comparison names it; empty for charges of no model. */
  readonly model?: string | undefined
}

const linesAtOnce = 1_000

const mostDayRows = mostReportDays * 200

const lineRow = (importId: number, line: ReportLine) => ({
  import_id: importId,
  day: line.day,
  model_key: keyOf(line.model),
  model_name: line.model.slice(0, 255),
  request_id: line.requestId.slice(0, 255),
  calls: line.calls,
  input: line.input,
  cache_read: line.cacheRead,
  cache_write: line.cacheWrite,
  output: line.output,
  cost: line.cost === null ? null : print(line.cost).slice(0, 255),
})

const dayRow = (importId: number, { key, day }: Compared) => ({
  import_id: importId,
  day: day.day,
  model_key: key,
  comparison: JSON.stringify(day),
})

const shownLine = (row: Selectable<ReportLinesTable>): ShownLine => ({
  id: row.id,
  day: row.day,
  model: row.model_name,
  request_id: row.request_id,
  calls: row.calls,
  input: row.input,
  cache_read: row.cache_read,
  cache_write: row.cache_write,
  output: row.output,
  cost: row.cost,
})

const clear = async (trx: Transaction<Tables>, id: number): Promise<void> => {
  await trx.deleteFrom('report_lines').where('import_id', '=', id).execute()
  await trx.deleteFrom('report_days').where('import_id', '=', id).execute()
}

/** Imports of reports, their lines and their comparison. */
export const openImportStore = (database: Database): ImportStore => {
  const { query } = database
  const calls = openCallStore(database)
  const get = (id: number): Promise<ImportRow | undefined> =>
    query.selectFrom('report_imports').selectAll().where('id', '=', id).executeTakeFirst()

  const again = async ({ sourceId, period, fileName, username, run, now }: ImportStart): Promise<number> => {
    const row = await query
      .selectFrom('report_imports')
      .selectAll()
      .where('source_id', '=', sourceId)
      .where('from_day', '=', period.from)
      .where('until_day', '=', period.until)
      .executeTakeFirst()
    if (row === undefined || isRunning(row, now)) throw new AppError('report_running')
    const taken = await query
      .updateTable('report_imports')
      .set({
        status: 'running',
        run,
        error: '',
        utc_offset: period.offset,
        file_name: fileName,
        username,
        started_time: now,
      })
      .where('id', '=', row.id)
      .where('run', '=', row.run)
      .executeTakeFirst()
    if (Number(taken.numUpdatedRows) === 0) throw new AppError('report_running')
    return row.id
  }

  return {
    get,
    begin: async (start) => {
      const { sourceId, period, fileName, username, run, now } = start
      try {
        return await insertReturningId(query, 'report_imports', {
          source_id: sourceId,
          from_day: period.from,
          until_day: period.until,
          utc_offset: period.offset,
          file_name: fileName,
          status: 'running',
          run,
          error: '',
          lines: 0,
          summary: JSON.stringify(emptySummary),
          created_time: now,
          started_time: now,
          finished_time: 0,
          username,
        })
      } catch (error) {
        if (isUniqueViolation(error)) return again(start)
        throw error
      }
    },
    finish: (id, run, { lines, compared, summary, listed }, now) =>
      database.transaction(async (trx) => {
        const taken = await trx
          .updateTable('report_imports')
          .set({ status: 'done', error: '', lines: lines.length, summary: JSON.stringify(summary), finished_time: now })
          .where('id', '=', id)
          .where('run', '=', run)
          .executeTakeFirst()
        if (Number(taken.numUpdatedRows) === 0) return false
        await clear(trx, id)
        await calls.clear(id, trx)
        await calls.add(id, listed, trx)
        // A part at a time: building the statements of all lines would keep the thread from calls.
        for (let start = 0; start < lines.length; start += linesAtOnce) {
          const part = lines.slice(start, start + linesAtOnce)
          await database.insertMany(
            'report_lines',
            part.map((line) => lineRow(id, line)),
            { trx },
          )
        }
        const dayRows = compared.map((day) => dayRow(id, day))
        if (dayRows.length > 0) await database.insertMany('report_days', dayRows, { trx })
        return true
      }),
    fail: async (id, run, error, now) => {
      const change = { status: 'failed' as const, error, finished_time: now }
      await query.updateTable('report_imports').set(change).where('id', '=', id).where('run', '=', run).execute()
    },
    page: async ({ p, page_size }) => {
      const [rows, counted] = await Promise.all([
        query
          .selectFrom('report_imports')
          .selectAll()
          .orderBy('id', 'desc')
          .limit(page_size)
          .offset((p - 1) * page_size)
          .execute(),
        query
          .selectFrom('report_imports')
          .select(({ fn }) => fn.countAll().as('total'))
          .executeTakeFirstOrThrow(),
      ])
      return { rows, total: Number(counted.total) }
    },
    days: async (id) => {
      const rows = await query
        .selectFrom('report_days')
        .select('comparison')
        .where('import_id', '=', id)
        .orderBy('id')
        .limit(mostDayRows)
        .execute()
      // Written by this store from the same type.
      return rows.map(({ comparison }) => JSON.parse(comparison) as ReconciledDay)
    },
    lines: async (id, { p, page_size, day, model }) => {
      const fitting = query
        .selectFrom('report_lines')
        .where('import_id', '=', id)
        .$if(day !== undefined, (of) => of.where('day', '=', day ?? 0))
        .$if(model !== undefined, (of) => of.where('model_key', '=', keyOf(model ?? '')))
      const [rows, counted] = await Promise.all([
        fitting
          .selectAll()
          .orderBy('id')
          .limit(page_size)
          .offset((p - 1) * page_size)
          .execute(),
        fitting.select(({ fn }) => fn.countAll().as('total')).executeTakeFirstOrThrow(),
      ])
      return { items: rows.map(shownLine), total: Number(counted.total), page: p, page_size }
    },
    calls: calls.page,
    remove: async (id, trx) => {
      await clear(trx, id)
      await calls.clear(id, trx)
      await trx.deleteFrom('report_imports').where('id', '=', id).execute()
    },
    idsOfSource: async (sourceId) => {
      const rows = await query.selectFrom('report_imports').select('id').where('source_id', '=', sourceId).execute()
      return rows.map(({ id }) => id)
    },
  }
}
