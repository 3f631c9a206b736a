import { randomUUID } from 'node:crypto'
import {
  type BodyOf,
  type DataOf,
  type getReportImport,
  type importReport,
  type Language,
  mostReportDays,
  mostReportMegabytes,
  type Page,
  type ReconciledCall,
  type ReportImport,
  type ReconciliationLine as ShownLine,
} from '@tollgate/contract'
import type { Database } from '#server/db/database.ts'
import type { Actor } from '#server/http/actor.ts'
import { AppError } from '#server/lib/app-error.ts'
import { type Clock, unixSeconds } from '#server/lib/clock.ts'
import { printedError, readError } from '#server/lib/json/stored-error.ts'
import type { Log } from '#server/lib/log.ts'
import { type AskedCalls, askCalls } from './calls/ask-calls.ts'
import type { CallFilter } from './calls/call-store.ts'
import { type CallMatch, openCallMatcher } from './calls/match-calls.ts'
import type { ReadOwnCalls } from './calls/own-calls.ts'
import { compareReport, summaryOf } from './compare/compare.ts'
import { type ImportProblem, type ImportRow, isInterrupted, shownImport } from './import-row.ts'
import type { ImportStore, LineFilter } from './import-store.ts'
import type { ListCostOf } from './list-cost.ts'
import type { ReadOwnUsage } from './own-usage.ts'
import type { AuditTrail } from './ports.ts'
import { dayOf, daySeconds, hourSeconds, type Period, type ReportLine } from './report.ts'
import { type ReportSourceRow, shownSource } from './source-store.ts'
import { createFindJson, createGetJson, type GetJsonParts } from './sources/get-json.ts'
import { callsApiOf, reportApiOf, reportFileOf } from './sources/index.ts'
import type { Sources } from './sources-service.ts'

export interface ImportsParts {
  readonly database: Database
  readonly sources: Sources
  readonly store: ImportStore
  readonly ask: GetJsonParts
  readonly ownUsage: ReadOwnUsage
  readonly ownCalls: ReadOwnCalls
  readonly listCostOf: ListCostOf
  readonly audit: AuditTrail
  readonly log: Pick<Log, 'warn'>
  readonly clock: Clock
}

/** Days as a report counts them. */
type Zoned = Period & {
  /** Hours by which they begin before those of UTC. */
  readonly offset: number
}

type Asked = BodyOf<typeof importReport>

/** The lines of a report; with calls where the provider was asked about these alone. */
type Brought = Pick<AskedCalls, 'lines'> & Partial<AskedCalls>

/** The moments of the period, `until` not included. */
const spanOf = ({ from, until, offset }: Zoned) => {
  const start = from - offset * hourSeconds
  return { from: start, until: start + until - from + daySeconds }
}

/** Seconds around the period in which the log may have calls that the report places within it. */
const matchMargin = 3_600

const megabyte = 1024 * 1024

const longestError = 4_000

/** Text of a failure; internal errors are replaced by a general one, since their texts do not help readers. */
const storedFailure = (error: unknown): string =>
  printedError(error instanceof AppError ? error : new AppError('internal_error'), longestError)

const problemIn = (row: ImportRow, language: Language, now: number): ImportProblem => {
  const stored =
    row.error === '' && isInterrupted(row, now) ? storedFailure(new AppError('report_interrupted')) : row.error
  const { text, ...fields } = readError(stored, language)
  return { error: text, ...fields }
}

const periodError = (): AppError => new AppError('report_period', { params: { days: mostReportDays } })

const checkedPeriod = (from: number, until: number): Period => {
  const period = { from: dayOf(from), until: dayOf(until) }
  const days = (period.until - period.from) / daySeconds + 1
  if (days < 1 || days > mostReportDays) throw periodError()
  return period
}

const periodOf = (lines: readonly ReportLine[]): Period => {
  const [first] = lines
  if (first === undefined) throw new AppError('report_empty')
  const [from, until] = lines.reduce(([low, high], { day }) => [Math.min(low, day), Math.max(high, day)] as const, [
    first.day,
    first.day,
  ] as const)
  return checkedPeriod(from, until)
}

/** Imports reports and compares them with the log. An import goes on after its call was answered. */
export const createImports = (parts: ImportsParts) => {
  const { database, sources, store, ownUsage, listCostOf, audit, log, clock } = parts
  const running = new Set<Promise<void>>()

  const existing = async (id: number): Promise<ImportRow> => {
    const row = await store.get(id)
    if (row === undefined) throw new AppError('not_found')
    return row
  }

  const linesOfFile = async (source: ReportSourceRow, text: string): Promise<readonly ReportLine[]> => {
    const { kind, settings } = shownSource(source)
    const read = reportFileOf(kind)
    if (read === undefined) throw new AppError('invalid_parameter')
    if (Buffer.byteLength(text) > mostReportMegabytes * megabyte) {
      throw new AppError('report_too_large', { params: { megabytes: mostReportMegabytes } })
    }
    return read(text, settings)
  }

  const askApi = async (source: ReportSourceRow, period: Zoned): Promise<Brought> => {
    const { kind, settings, base_url, channel_ids } = shownSource(source)
    const calls = callsApiOf(kind)
    if (calls !== undefined) {
      const key = sources.keyOf(source)
      const { rest } = parts.ask
      const find = createFindJson(parts.ask, key)
      const access = { baseUrl: base_url || calls.baseUrl, key, find, rest, seconds: () => unixSeconds(clock) }
      return askCalls(calls, access, parts.ownCalls(channel_ids, spanOf(period)), period.offset)
    }
    const api = reportApiOf(kind)
    if (api === undefined) throw new AppError('report_source_file')
    const key = sources.keyOf(source)
    const access = { baseUrl: base_url || api.baseUrl, key, settings, get: createGetJson(parts.ask, key) }
    return { lines: await api.read(access, period) }
  }

  const ownOf = (source: ReportSourceRow, { from, until }: Period, { calls }: Brought) =>
    calls?.filter(({ failed }) => !failed) ??
    ownUsage(shownSource(source).channel_ids, { from: from - daySeconds, until: until + daySeconds })

  const compare = async (source: ReportSourceRow, period: Zoned, brought: Brought) => {
    const { lines } = brought
    const own = await ownOf(source, period, brought)
    return compareReport({ lines, own, listCostOf, offset: period.offset }, period)
  }

  /** Line by line, where the report names single calls; undefined where it does not. */
  const match = async (
    source: ReportSourceRow,
    period: Zoned,
    { lines, calls, left }: Brought,
  ): Promise<CallMatch | undefined> => {
    const span = spanOf(period)
    const matcher = openCallMatcher(lines, span, listCostOf)
    if (matcher === undefined) return undefined
    if (calls !== undefined) {
      matcher.look(calls)
      const { counts, listed } = matcher.end()
      return { counts: { ...counts, ...left }, listed }
    }
    const wider = { from: span.from - matchMargin, until: span.until + matchMargin }
    for await (const calls of parts.ownCalls(shownSource(source).channel_ids, wider)) matcher.look(calls)
    return matcher.end()
  }

  /** Reads what is still to be read, compares it, and writes down how that ended. Never throws. */
  const carryOut = async (
    begun: { readonly id: number; readonly run: string },
    source: ReportSourceRow,
    period: Zoned,
    read: () => Promise<Brought>,
  ): Promise<void> => {
    try {
      const brought = await read()
      const compared = await compare(source, period, brought)
      const matched = await match(source, period, brought)
      const summary = summaryOf(
        compared.map(({ day }) => day),
        matched?.counts ?? null,
      )
      const result = { lines: brought.lines, compared, summary, listed: matched?.listed ?? [] }
      await store.finish(begun.id, begun.run, result, unixSeconds(clock))
    } catch (error) {
      log.warn('report_import_failed', { import: begun.id, source: source.id, error })
      await store.fail(begun.id, begun.run, storedFailure(error), unixSeconds(clock)).catch((late: unknown) => {
        log.warn('report_import_not_written', { import: begun.id, error: late })
      })
    }
  }

  const shown = (row: ImportRow, source: ReportSourceRow, language: Language): ReportImport => {
    const now = unixSeconds(clock)
    return shownImport(row, shownSource(source), problemIn(row, language, now), now)
  }

  return {
    /** Answers when the import has begun; a file has been read by then. Throws AppError. */
    start: async ({ ip, ...by }: Actor, asked: Asked): Promise<{ id: number }> => {
      const source = await sources.existing(asked.source_id)
      const { file } = asked
      if (file === undefined && reportFileOf(shownSource(source).kind) !== undefined) {
        throw new AppError('report_source_file')
      }
      const ofFile = file === undefined ? undefined : await linesOfFile(source, file.text)
      if (ofFile === undefined && (asked.from === undefined || asked.until === undefined)) throw periodError()
      const days = ofFile === undefined ? checkedPeriod(asked.from ?? 0, asked.until ?? 0) : periodOf(ofFile)
      const period = { ...days, offset: asked.utc_offset ?? shownSource(source).settings.utc_offset }
      const run = randomUUID()
      const start = { sourceId: source.id, period, fileName: file?.name ?? '', username: by.username, run }
      const id = await store.begin({ ...start, now: unixSeconds(clock) })
      const facts = { source_id: source.id, ...period, file_name: file?.name ?? '' }
      await audit.record({
        actor: by,
        action: 'report_import.create',
        object: 'report_import',
        objectId: id,
        after: facts,
        ip,
      })
      const read = async () => (ofFile === undefined ? askApi(source, period) : { lines: ofFile })
      const work = carryOut({ id, run }, source, period, read).finally(() => running.delete(work))
      running.add(work)
      return { id }
    },

    page: async (query: { p: number; page_size: number }, language: Language): Promise<Page<ReportImport>> => {
      const { rows, total } = await store.page(query)
      const known = new Map((await parts.sources.rows()).map((source) => [source.id, source] as const))
      const items = rows.flatMap((row) => {
        const source = known.get(row.source_id)
        return source === undefined ? [] : [shown(row, source, language)]
      })
      return { items, total, page: query.p, page_size: query.page_size }
    },

    get: async (id: number, language: Language): Promise<DataOf<typeof getReportImport>> => {
      const row = await existing(id)
      const source = await sources.existing(row.source_id)
      return { ...shown(row, source, language), days: await store.days(id) }
    },

    lines: async (id: number, filter: LineFilter): Promise<Page<ShownLine>> => {
      await existing(id)
      return store.lines(id, filter)
    },

    calls: async (id: number, filter: CallFilter): Promise<Page<ReconciledCall>> => {
      await existing(id)
      return store.calls(id, filter)
    },

    remove: async ({ ip, ...by }: Actor, id: number): Promise<void> => {
      const row = await existing(id)
      await database.transaction(async (trx) => {
        await store.remove(id, trx)
        const before = { source_id: row.source_id, from: row.from_day, until: row.until_day, lines: row.lines }
        await audit.record(
          { actor: by, action: 'report_import.delete', object: 'report_import', objectId: id, before, ip },
          trx,
        )
      })
    },

    /** Lets imports end that are under way. */
    close: async (): Promise<void> => {
      await Promise.all(running)
    },
  }
}

export type Imports = ReturnType<typeof createImports>
