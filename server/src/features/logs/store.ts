import { channelTestLabel, logType, type ValueCounts } from '@tollgate/contract'
import type { Selectable, SelectQueryBuilder } from 'kysely'
import type { Database } from '../../db/database.ts'
import { valuesAlongIndex } from '../../db/dialect.ts'
import { countTogether } from '../../db/facets.ts'
import type { LogsTable, Tables } from '../../db/schema.ts'
import { beginsWith, textMatcher } from '../../db/search.ts'
import { memberText } from '../../db/short-text.ts'
import { type LogDays, noDays } from './days.ts'
import { fits, fitsBesideModel, fitsWithModel, isAfter, type LogCursor, type LogFilter, partsOf } from './filter.ts'
import type { OlderReading } from './older/older-reading.ts'
import { createLogReach, type LogReach, type MostLooked } from './reach/searched-range.ts'
import { shortColumns } from './short-columns.ts'

export type { LogCursor, LogFilter } from './filter.ts'
/** A row as lists read it: long texts are cut, and `cut` is 1 then. */
export type LogRow = Omit<
  Selectable<LogsTable>,
  'provider_request_id' | 'answer_id' | 'session' | 'tags' | 'end_user' | 'provisional'
> & {
  readonly cut?: number
  readonly tags?: string | null | undefined
  readonly end_user?: string | null | undefined
  readonly provisional?: number | null | undefined
}
export type NewLog = Omit<LogRow, 'id' | 'cut' | 'tags' | 'end_user' | 'provisional'>

export interface LogSort {
  readonly column: 'id' | 'quota' | 'prompt_tokens' | 'completion_tokens' | 'use_time'
  readonly descending: boolean
}

/** Start of a page: after a row, or after so many rows. */
export interface LogSlice {
  readonly after?: LogCursor | undefined
  readonly offset: number
  readonly limit: number
}

/** With `reading`, rows that left the table are read for so long as it says; without, all of them or an error. */
export interface LogStore {
  /** Part of a filter's range that lists, counts and sums search. */
  reach(filter: LogFilter): Promise<LogReach>
  /** Newest first, or oldest first. */
  find(filter: LogFilter, slice: LogSlice, order?: LogOrder, reading?: OlderReading): Promise<LogRow[]>
  /** The places of the rows that `find` would answer. */
  places(filter: LogFilter, slice: LogSlice, order?: LogOrder): Promise<LogCursor[]>
  /** The rows at places, in this order; those that are gone are left out. */
  rowsAt(places: readonly LogCursor[]): Promise<LogRow[]>
  /** One row with its whole texts. */
  row(id: number): Promise<LogRow | undefined>
  /** `among` of the newest rows, sorted by another column. */
  findSorted(
    filter: LogFilter,
    sort: LogSort & { readonly among: number },
    slice: LogSlice,
    reading?: OlderReading,
  ): Promise<LogRow[]>
  /** Counts at most `cap` rows. */
  count(filter: LogFilter, cap: number, reading?: OlderReading): Promise<number>
  /** How often each value is among the newest of these rows. */
  values(filter: LogFilter, value: LogValue): Promise<ValueCounts>
  /** Sum of the charges, without channel tests, which are free. */
  quota(filter: LogFilter): Promise<number>
  /** Charged requests and their tokens. */
  load(filter: LogFilter): Promise<{ requests: number; tokens: number }>
  /** The newest rows of an API key. */
  ofToken(token: { id: number; userId: number }, limit: number): Promise<LogRow[]>
  /** Rows whose content begins with a text, among so many of the newest ones. */
  withContent(start: string, among: number, limit: number): Promise<LogRow[]>
  insert(row: NewLog): Promise<void>
}

/** Values by which rows can be counted: columns, and the program that made a call. */
export type LogValue = 'type' | 'model_name' | 'token_name' | 'group' | 'channel_id' | 'user_id' | 'client'
type LogOrder = 'newest' | 'oldest'
type Ids = SelectQueryBuilder<Tables, 'logs', { id: number; createdAt: number }>

const everything: LogFilter = { tokenName: '', model: '', group: '', requestId: '' }
/** More models than these are looked for along the time: the list is dense enough then. */
const mostBranches = 20

/** The log table, which may live in a database of its own. */
export const openLogStore = (database: Database, days: LogDays = noDays, most?: MostLooked): LogStore => {
  const { query, engine } = database
  const charges = (filter: LogFilter) =>
    query.selectFrom('logs').where(fits({ ...filter, type: logType.consume }, engine))

  const modelsOf = async (model: string): Promise<readonly string[] | undefined> => {
    const names = (await valuesAlongIndex(query, 'logs', 'model_name')).filter(textMatcher(model))
    return names.length > mostBranches ? undefined : names
  }

  /**
   * Queries that together find the rows of a filter, each along one index; with `looks`, along its leaders. A model is an exact name in each of them, so
   * that its index gives the newest rows at once. None when no model has such a name.
   */
  const branchesOf = async (filter: LogFilter, looks?: boolean): Promise<readonly Ids[]> => {
    const ids = (): Ids => query.selectFrom('logs').select(['logs.id', 'logs.created_at as createdAt'])
    if (filter.model === '') return [ids().where(fitsBesideModel(filter, engine, looks))]
    if (filter.not?.includes('model_name')) return [ids().where(fits(filter, engine))]
    const names = await modelsOf(filter.model)
    if (names === undefined) return [ids().where(fits(filter, engine))]
    return names.map((name) => ids().where(fitsWithModel(filter, name, engine, looks)))
  }

  const rowsAt = async (places: readonly { id: number }[]): Promise<LogRow[]> => {
    if (places.length === 0) return []
    const wanted = places.map(({ id }) => id)
    const rows = await query.selectFrom('logs').select(shortColumns).where('id', 'in', wanted).execute()
    const byId = new Map(rows.map((row) => [row.id, row]))
    return wanted.flatMap((id) => byId.get(id) ?? [])
  }

  // SQLite begins where the first of several bounds says, so there may be one only.
  const boundBy = (filter: LogFilter, after: LogCursor | undefined): LogFilter =>
    after === undefined ? filter : { ...filter, to: Math.min(filter.to || after.createdAt, after.createdAt) }

  const along = (branch: Ids, { after }: LogSlice, direction: 'asc' | 'desc'): Ids =>
    (after === undefined ? branch : branch.where(isAfter(after)))
      .orderBy('created_at', direction)
      .orderBy('id', direction)

  /** Places of the first rows of some filters, as many as the slice asks for; no row fits two of them. */
  const placesIn = async (filters: readonly LogFilter[], slice: LogSlice, order: LogOrder): Promise<LogCursor[]> => {
    const bound = filters.map((filter) => boundBy(filter, slice.after))
    const branches = (await Promise.all(bound.map((filter) => branchesOf(filter)))).flat()
    const direction = order === 'newest' ? 'desc' : 'asc'
    const [only] = branches
    if (only !== undefined && branches.length === 1) {
      return along(only, slice, direction).limit(slice.limit).offset(slice.offset).execute()
    }
    const most = slice.limit + slice.offset
    const found = await Promise.all(branches.map((branch) => along(branch, slice, direction).limit(most).execute()))
    const turn = order === 'newest' ? 1 : -1
    const sorted = found.flat().sort((left, right) => turn * (right.createdAt - left.createdAt || right.id - left.id))
    return sorted.slice(slice.offset, most)
  }

  /** The same day by day, where the sums know on which days to look. */
  const placesByDay = async (filter: LogFilter, slice: LogSlice): Promise<LogCursor[]> => {
    const most = slice.limit + slice.offset
    const found: LogCursor[] = []
    for await (const stretches of days.spans(boundBy(filter, slice.after), mostBranches)) {
      const parts = stretches.map((stretch) => ({ ...filter, ...stretch }))
      found.push(...(await placesIn(parts, { ...slice, offset: 0, limit: most - found.length }, 'newest')))
      if (found.length >= most) break
    }
    return found.slice(slice.offset)
  }

  const places: LogStore['places'] = (filter, slice, order = 'newest') => {
    const own = { ...slice, offset: slice.after === undefined ? slice.offset : 0 }
    return order === 'newest' && days.help(filter) ? placesByDay(filter, own) : placesIn([filter], own, order)
  }

  const find: LogStore['find'] = async (filter, slice, order) => rowsAt(await places(filter, slice, order))

  /** So many of the newest rows: along the time where all fit, else wherever a filter finds them. */
  const newestOf = async (filter: LogFilter, among: number) => {
    const rows = query.selectFrom('logs')
    if (partsOf(filter) === 0) {
      return rows.where(fits(filter, engine)).orderBy('created_at', 'desc').orderBy('id', 'desc').limit(among)
    }
    const found = await places(filter, { offset: 0, limit: among })
    const ids = found.map(({ id }) => id)
    return ids.length === 0 ? undefined : rows.where('id', 'in', ids)
  }

  const countRows = async (filter: LogFilter, cap: number): Promise<number> => {
    let counted = 0
    for (const branch of await branchesOf(filter)) {
      if (counted >= cap) return counted
      const some = branch.clearSelect().select('logs.id')
      const row = await query
        .selectFrom(some.limit(cap - counted).as('counted'))
        .select(({ fn }) => fn.countAll().as('rows'))
        .executeTakeFirstOrThrow()
      counted += Number(row.rows)
    }
    return counted
  }

  const oldest = async (): Promise<number> => {
    const first = query.selectFrom('logs').select('created_at').orderBy('created_at').orderBy('id').limit(1)
    return (await first.executeTakeFirst())?.created_at ?? 0
  }

  /** Whole days as the sums have them, rows at the edges. */
  const countByDay = async (filter: LogFilter, cap: number): Promise<number> => {
    if (!filter.type) {
      // Each kind is kept for a time of its own.
      const charged = await countByDay({ ...filter, type: logType.consume }, cap)
      if (charged >= cap) return charged
      return charged + (await countByDay({ ...filter, type: logType.error }, cap - charged))
    }
    const { whole, edges } = await days.split(filter, await oldest())
    let counted = whole === undefined ? 0 : await days.count(filter, whole, cap)
    for (const edge of edges) {
      if (counted < cap) counted += await countRows({ ...filter, ...edge }, cap - counted)
    }
    return counted
  }

  return {
    reach: createLogReach({ database, help: days.help, modelsOf, most }),
    find,
    places,
    rowsAt,
    row: (id) => query.selectFrom('logs').selectAll().where('id', '=', id).executeTakeFirst(),
    async findSorted(filter, { column, descending, among }, { offset, limit }) {
      const direction = descending ? 'desc' : 'asc'
      const newest = await newestOf(filter, among)
      if (newest === undefined) return []
      const sorted = query.selectFrom(newest.select(['logs.id', column]).as('newest')).select('id')
      const ordered = sorted.orderBy(column, direction).orderBy('id', direction)
      return rowsAt(await ordered.limit(limit).offset(offset).execute())
    },
    count: (filter, cap) => (days.help(filter) ? countByDay(filter, cap) : countRows(filter, cap)),
    async values(filter, value) {
      const branches = await branchesOf(filter, value === 'client' || undefined)
      const rows = branches.map((branch) =>
        branch
          .clearSelect()
          .select(
            value === 'client' ? memberText(engine, 'logs.other', 'client').as('value') : `logs.${value} as value`,
          ),
      )
      return countTogether(
        database,
        rows.map((found) => found.orderBy('created_at', 'desc').orderBy('id', 'desc')),
      )
    },
    async quota(filter) {
      const branches = await branchesOf({ ...filter, type: logType.consume })
      const found = branches.map((branch) =>
        branch
          .clearSelect()
          .where((eb) => eb.not(eb.and([eb('token_id', '=', 0), eb('token_name', '=', channelTestLabel)])))
          .select(({ fn }) => fn.sum('quota').as('quota'))
          .executeTakeFirstOrThrow(),
      )
      return (await Promise.all(found)).reduce((sum, { quota }) => sum + Number(quota ?? 0), 0)
    },
    async load(filter) {
      const row = await charges(filter)
        .select(({ fn }) => [
          fn.countAll().as('requests'),
          fn.sum('prompt_tokens').as('prompt'),
          fn.sum('completion_tokens').as('completion'),
        ])
        .executeTakeFirstOrThrow()
      return { requests: Number(row.requests), tokens: Number(row.prompt ?? 0) + Number(row.completion ?? 0) }
    },
    ofToken: ({ id, userId }, limit) => find({ ...everything, userId, tokenId: id }, { offset: 0, limit }),
    withContent: (start, among, limit) =>
      query
        .selectFrom(
          query
            .selectFrom('logs')
            .select(shortColumns)
            .orderBy('created_at', 'desc')
            .orderBy('id', 'desc')
            .limit(among)
            .as('logs'),
        )
        .selectAll()
        .where(beginsWith('content', start))
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),
    async insert(row) {
      if (row.model_name !== '') await days.note(row)
      await database.insertMany('logs', [row])
    },
  }
}
