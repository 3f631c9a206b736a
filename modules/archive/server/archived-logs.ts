import { channelTestLabel, logType } from '@tollgate/contract'
import type { SelectQueryBuilder } from 'kysely'
import { z } from 'zod'
import type { Tables } from '#server/db/schema.ts'
import { fits, isAfter, type LogCursor, type LogFilter, partsOf } from '#server/features/logs/filter.ts'
import type { OlderReading } from '#server/features/logs/older/older-reading.ts'
import { shortColumns } from '#server/features/logs/short-columns.ts'
import type { LogRow, LogSlice, LogSort } from '#server/features/logs/store.ts'
import type { CellRow, Parquet } from '#server/lib/parquet/parquet.ts'
import { archiveColumnNames } from './archive-columns.ts'
import type { ArchiveFiles } from './archive-files.ts'
import type { ArchivePart, ArchiveParts } from './archive-parts.ts'
import { archiveQuery, statementOn } from './archive-query.ts'

export type LogOrder = 'newest' | 'oldest'

/** Rows of the log in files. All of them throw where a file or DuckDB is missing. */
export interface ArchivedLogs {
  /** Files that hold rows of a filter's range, the newest first; their months are noted in `reading`. */
  partsOf(filter: Pick<LogFilter, 'from' | 'to'>, reading?: OlderReading): Promise<readonly ArchivePart[]>
  places(filter: LogFilter, slice: LogSlice, order: LogOrder, reading?: OlderReading): Promise<LogCursor[]>
  rowsAt(places: readonly LogCursor[]): Promise<LogRow[]>
  /** One row with its whole texts. */
  row(id: number): Promise<LogRow | undefined>
  /** Places of `among` of the newest rows, sorted by another column, with that column. */
  sorted(
    filter: LogFilter,
    sort: LogSort & { readonly among: number },
    most: number,
    reading?: OlderReading,
  ): Promise<LogRow[]>
  /** Rows that are in files alone, at most `cap`. */
  count(filter: LogFilter, cap: number, reading?: OlderReading): Promise<number>
  /** Sum of the charges, without channel tests. */
  quota(filter: LogFilter): Promise<number>
}

type Logs = SelectQueryBuilder<Tables, 'logs', unknown>

/** So many files are read by one statement: time is looked at in between. */
const filesAtOnce = 8
const longestMs = 60_000

const whole = z.number()
const text = z.string()
const rowShape = z.object({
  id: whole,
  user_id: whole,
  created_at: whole,
  type: whole,
  content: text,
  username: text,
  token_name: text,
  token_id: whole,
  model_name: text,
  quota: whole,
  prompt_tokens: whole,
  completion_tokens: whole,
  use_time: whole,
  is_stream: whole,
  channel_id: whole,
  group: text,
  request_id: text,
  ip: text,
  other: text,
  cut: whole.default(0),
  tags: text.nullish(),
  end_user: text.nullish(),
  provisional: whole.nullish(),
})
const placeShape = z.object({ id: whole, createdAt: whole })
const countShape = z.object({ rows: whole })
const quotaShape = z.object({ quota: whole.nullable() })

export const createArchivedLogs = ({
  parts,
  files,
  parquet,
}: {
  readonly parts: ArchiveParts
  readonly files: ArchiveFiles
  readonly parquet: Parquet
}): ArchivedLogs => {
  const logs = (filter: LogFilter): Logs => archiveQuery.selectFrom('logs').where(fits(filter, 'postgres'))

  const ask = async (
    some: readonly ArchivePart[],
    query: Logs,
    reading?: OlderReading,
  ): Promise<readonly CellRow[]> => {
    const paths = await Promise.all(some.map(({ name }) => files.pathOf(name)))
    const { sql, values } = statementOn(paths, query)
    const timeoutMs = reading === undefined ? longestMs : Math.max(1, reading.until - performance.now())
    return parquet.run(sql, { values, timeoutMs })
  }

  /** Several files at a time until `isEnough`; what is beyond the time of `reading` is left out, which it says. */
  const inTurns = async (
    all: readonly ArchivePart[],
    read: (some: readonly ArchivePart[]) => Promise<void>,
    isEnough: (next: ArchivePart | undefined) => boolean,
    reading?: OlderReading,
  ): Promise<void> => {
    for (let start = 0; start < all.length && !isEnough(all[start]); start += filesAtOnce) {
      if (reading !== undefined && performance.now() >= reading.until) {
        reading.problem = 'too_long'
        return
      }
      try {
        await read(all.slice(start, start + filesAtOnce))
      } catch (error) {
        if (reading === undefined || performance.now() < reading.until) throw error
        reading.problem = 'too_long'
        return
      }
    }
  }

  const within: ArchivedLogs['partsOf'] = async (filter, reading) => {
    const found = await parts.within(filter)
    for (const { month } of found) reading?.months.add(month)
    return found
  }

  /** Reads only rows that are no longer in the database: of a file that is being archived, those that are deleted. */
  const onceEach = async (
    all: readonly ArchivePart[],
    query: Logs,
    read: (some: readonly ArchivePart[], query: Logs) => Promise<void>,
    reading?: OlderReading,
  ): Promise<void> => {
    const never = (): boolean => false
    const finished = all.filter(({ finished_time: at }) => at > 0)
    await inTurns(finished, (some) => read(some, query), never, reading)
    for (const part of all.filter(({ finished_time: at }) => at === 0)) {
      const { deleted_until: at, deleted_id: id } = part
      const deleted = query.where((eb) =>
        eb.or([eb('created_at', '<', at), eb.and([eb('created_at', '=', at), eb('id', '<=', id)])]),
      )
      await inTurns([part], (some) => read(some, deleted), never, reading)
    }
  }

  return {
    partsOf: within,

    async places(filter, { after, offset, limit }, order, reading) {
      const bound =
        after === undefined ? filter : { ...filter, to: Math.min(filter.to || after.createdAt, after.createdAt) }
      const newestFirst = await within(bound, reading)
      const direction = order === 'newest' ? 'desc' : 'asc'
      const turn = order === 'newest' ? 1 : -1
      const all = order === 'newest' ? newestFirst : newestFirst.toSorted((a, b) => a.first_time - b.first_time)
      const most = limit + (after === undefined ? offset : 0)
      const isBeyond = (place: LogCursor, next: ArchivePart): boolean =>
        order === 'newest' ? place.createdAt > next.last_time : place.createdAt < next.first_time
      let found: LogCursor[] = []
      const query = (after === undefined ? logs(bound) : logs(bound).where(isAfter(after)))
        .select(['logs.id', 'logs.created_at as createdAt'])
        .orderBy('created_at', direction)
        .orderBy('id', direction)
        .limit(most)
      await inTurns(
        all,
        async (some) => {
          const more = (await ask(some, query, reading)).map((row) => placeShape.parse(row))
          found = [...found, ...more]
            .sort((left, right) => turn * (right.createdAt - left.createdAt || right.id - left.id))
            .slice(0, most)
        },
        (next) => {
          const last = found.at(-1)
          return found.length >= most && last !== undefined && next !== undefined && isBeyond(last, next)
        },
        reading,
      )
      return found.slice(most - limit)
    },

    async rowsAt(places) {
      if (places.length === 0) return []
      const times = places.map(({ createdAt }) => createdAt)
      const [from, to] = [Math.min(...times), Math.max(...times)]
      const ids = places.map(({ id }) => id)
      const rows: LogRow[] = []
      const query = archiveQuery
        .selectFrom('logs')
        .where('created_at', '>=', from)
        .where('created_at', '<=', to)
        .where('id', 'in', ids)
        .select(shortColumns)
      await inTurns(
        await within({ from, to }),
        async (some) => void rows.push(...(await ask(some, query)).map((row) => rowShape.parse(row))),
        () => rows.length >= ids.length,
      )
      return rows
    },

    async row(id) {
      let found: LogRow | undefined
      const query = archiveQuery.selectFrom('logs').where('id', '=', id).select(archiveColumnNames)
      await inTurns(
        await parts.ofRow(id),
        async (some) => {
          const [row] = await ask(some, query)
          if (row !== undefined) found = rowShape.parse(row)
        },
        () => found !== undefined,
      )
      return found
    },

    async sorted(filter, { column, descending, among }, most, reading) {
      const newest = logs(filter).selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc').limit(among)
      const direction = descending ? 'desc' : 'asc'
      const query = archiveQuery
        .selectFrom(newest.as('logs'))
        .select(shortColumns)
        .orderBy(column, direction)
        .orderBy('id', direction)
        .limit(most)
      const all = await within(filter, reading)
      // So many files hold more rows than are sorted.
      const some = all.slice(0, filesAtOnce * filesAtOnce)
      if (some.length === 0) return []
      return (await ask(some, query as unknown as Logs, reading)).map((row) => rowShape.parse(row))
    },

    async count(filter, cap, reading) {
      const all = await within(filter, reading)
      const isAll = ({ first_time, last_time, finished_time }: ArchivePart): boolean =>
        finished_time > 0 &&
        partsOf(filter) === 0 &&
        first_time >= (filter.from || 0) &&
        last_time <= (filter.to || Number.MAX_SAFE_INTEGER)
      let counted = all.filter(isAll).reduce((sum, { rows }) => sum + rows, 0)
      const count = async (some: readonly ArchivePart[], rows: Logs): Promise<void> => {
        if (counted >= cap) return
        const limited = rows
          .select('logs.id')
          .limit(Math.max(0, cap - counted))
          .as('counted')
        const query = archiveQuery.selectFrom(limited).select(({ fn }) => fn.countAll().as('rows'))
        const [row] = await ask(some, query as unknown as Logs, reading)
        counted += countShape.parse(row).rows
      }
      await onceEach(
        all.filter((part) => !isAll(part)),
        logs(filter),
        count,
        reading,
      )
      return Math.min(cap, counted)
    },

    async quota(filter) {
      let sum = 0
      const charges = logs({ ...filter, type: logType.consume })
        .where((eb) => eb.not(eb.and([eb('token_id', '=', 0), eb('token_name', '=', channelTestLabel)])))
        .select(({ fn }) => fn.sum<number>('quota').as('quota'))
      await onceEach(await within(filter), charges, async (some, query) => {
        const [row] = await ask(some, query)
        sum += quotaShape.parse(row).quota ?? 0
      })
      return sum
    },
  }
}
