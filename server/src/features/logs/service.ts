import { setTimeout as sleep } from 'node:timers/promises'
import type {
  Language,
  LogEntry,
  LogFacet,
  LogPage,
  LogVolume,
  listLogs,
  QueryOf,
  statLogs,
  ValueCounts,
} from '@tollgate/contract'
import { cappedTotal, mostCounted } from '../../db/capped-total.ts'
import type { ConsoleCaller } from '../../http/route.ts'
import { AppError } from '../../lib/app-error.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import { partsOf } from './filter.ts'
import { type OlderReading, startReading } from './older/older-reading.ts'
import type { LogPlaces, PlaceKeys } from './places/log-places.ts'
import { forOperator, forOwner } from './presentation/present.ts'
import type { LogRetention } from './purges.ts'
import { withNamedCall } from './reach/named-call.ts'
import type { LogReach } from './reach/searched-range.ts'
import { keptDaysOf } from './retained-days.ts'
import type { LogStat } from './stat.ts'
import type { LogCursor, LogFilter, LogRow, LogStore } from './store.ts'

type ListQuery = QueryOf<typeof listLogs>
export type FilterQuery = QueryOf<typeof statLogs>

/** Reader of the log and the language: all rows with operators' fields, or the rows of one user. */
export type LogReader = (
  | { readonly all: true }
  /** `tokenIds` are the keys whose calls may be read; all of the user's where it is left out. */
  | { readonly userId: number; readonly tokenIds?: readonly number[] }
) & {
  /** Chinese where it is left out. */
  readonly language?: Language
}

export interface LogService {
  list(reader: LogReader, query: ListQuery): Promise<LogPage>
  /** One row with its full texts. Throws `not_found`, also for a row of another user. */
  entry(reader: LogReader, id: number): Promise<LogEntry>
  stat(reader: LogReader, query: FilterQuery): Promise<LogStat>
  /** How many requests there are over time, in pieces that suit the range; days begin in `zone`. */
  volume(reader: LogReader, query: FilterQuery & { zone: string }): Promise<LogVolume>
  /** How many rows each value of a filter has, given the other filters. */
  facet(reader: LogReader, query: FilterQuery & { facet: LogFacet }): Promise<ValueCounts>
  /** The newest rows whose type is the keyword; for operators also those whose content begins with it. */
  search(reader: LogReader, keyword: string): Promise<LogEntry[]>
  /** The newest rows of an API key, as its owner sees them. */
  ofToken(token: { id: number; userId: number }, language?: Language): Promise<LogEntry[]>
  /** The rows that fit, newest first, as this reader sees them, in chunks. */
  chunks(reader: LogReader, query: FilterQuery): AsyncIterable<LogEntry[]>
}

/** Most rows that are read to count, for filters with several parts. */
const mostCountedTogether = 1_000
/** So many of the newest rows are put in another order: they lie side by side, those of a filter anywhere. */
const mostSorted = 50_000
const mostSortedOfFilter = 2_000
const mostFound = 100
const mostOfToken = 1_000
/** So many rows are looked for at once, and so many read: whatever else the process does waits for a piece to be done. */
const placesAtOnce = 2_000
const rowsAtOnce = 100
/** Rests between pieces, milliseconds: a file may take its time, calls may not. */
const restMs = 2

export interface LogServiceParts {
  readonly store: LogStore
  readonly stat: (filter: LogFilter) => Promise<LogStat>
  readonly volume: (filter: LogFilter, zone: string) => Promise<LogVolume>
  readonly facet: (filter: LogFilter, facet: LogFacet) => Promise<ValueCounts>
  /** Days that rows of each kind are kept. */
  retention(): LogRetention
  /** True if rows that are so many days old are outside of the table, and found there. */
  isMoved?: ((days: number) => boolean) | undefined
  readonly clock: Clock
  /** Names of the channels that still exist. */
  channelNames(ids: readonly number[]): Promise<ReadonlyMap<number, string>>
  readonly places: LogPlaces
  /** Id of the user who has this name today, cancelled users included. */
  userIdOf(username: string): Promise<number | undefined>
}

/** Administrators read everything, others what is theirs. */
export const ownLogs = ({ id }: Pick<ConsoleCaller, 'id'>): LogReader => ({ userId: id })
export const allLogs: LogReader = { all: true }

/** The usage log. */
export const createLogService = ({
  store,
  stat,
  volume,
  facet,
  retention,
  isMoved = () => false,
  clock,
  channelNames,
  places,
  userIdOf,
}: LogServiceParts): LogService => {
  /** A name is resolved to its present user id: renamed users keep their history; a reused name does not show old rows. */
  const filterFor = async (reader: LogReader, query: FilterQuery): Promise<LogFilter> =>
    withNamedCall(await readableFilter(reader, query), (each) => store.count(each, 1, startReading()))

  const readableFilter = async (reader: LogReader, query: FilterQuery): Promise<LogFilter> => {
    const filter = filterOf(query)
    if ('userId' in reader) {
      const not = filter.not?.filter((part) => part !== 'username' && part !== 'channel')
      const { userId, tokenIds } = reader
      return { ...filter, userId, ...(tokenIds && { tokenIds }), channel: undefined, providerRequestId: '', not }
    }
    const { organisation_id: organisation, project_id: project, member_id: member } = query
    const isOfPlace = organisation !== undefined || project !== undefined || member !== undefined
    const username = query.username.trim()
    const ofPlace = isOfPlace ? ofKeys(filter, await places.keysOf({ organisation, project, member })) : filter
    if (username === '') return ofPlace
    return { ...ofPlace, not: filter.not, userId: (await userIdOf(username)) ?? noUserId }
  }

  const shown = async (reader: LogReader, rows: readonly LogRow[]): Promise<LogEntry[]> => {
    const { language = 'zh' } = reader
    if ('userId' in reader) return rows.map((row) => forOwner(row, language))
    const [names, placeOfKey] = await Promise.all([
      channelNames(distinct(rows.map((row) => row.channel_id))),
      places.ofKeys(distinct(rows.map((row) => row.token_id))),
    ])
    return rows.map((row) => forOperator(row, names.get(row.channel_id) ?? '', language, placeOfKey.get(row.token_id)))
  }

  const newest = async (filter: LogFilter, { p, page_size, after, sort }: ListQuery, reading: OlderReading) => {
    const place = placeOf(after)
    const slice = { after: place, offset: (p - 1) * page_size, limit: page_size }
    const most = partsOf(filter) > 1 ? mostCountedTogether : mostCounted
    const seen = await store.reach(filter)
    // A later page goes on below the row that it comes after.
    const own = place === undefined ? seen : await store.reach({ ...filter, to: place.createdAt })
    const [rows, counted] = await Promise.all([
      store.find(own.filter, slice, sort?.descending === false ? 'oldest' : 'newest', reading),
      store.count(seen.filter, most + 1, reading),
    ])
    const last = rows.at(-1)
    const more = sort === undefined && last !== undefined && rows.length === page_size
    return {
      rows,
      counted,
      most,
      isAtLeast: seen.from !== undefined,
      // Rows further back do not matter to a page that is full.
      ...(more ? { next: `${last.created_at}.${last.id}` } : lookedFrom(own)),
    }
  }

  const sorted = async (
    filter: LogFilter,
    sort: NonNullable<ListQuery['sort']>,
    { p, page_size }: ListQuery,
    reading: OlderReading,
  ) => {
    const most = partsOf(filter) === 0 ? mostSorted : mostSortedOfFilter
    const seen = await store.reach(filter)
    const [rows, counted] = await Promise.all([
      store.findSorted(
        seen.filter,
        { ...sort, among: most },
        { offset: (p - 1) * page_size, limit: page_size },
        reading,
      ),
      store.count(seen.filter, most + 1, reading),
    ])
    const isAtLeast = seen.from !== undefined
    return { rows, counted, most, isAtLeast, ...(counted > most ? { sorted_among: most } : lookedFrom(seen)) }
  }

  return {
    async list(reader, query) {
      const filter = await filterFor(reader, query)
      const { sort } = query
      const byTime = sort === undefined || sort.column === 'id'
      const reading = startReading()
      const { rows, counted, most, isAtLeast, ...more } = byTime
        ? await newest(filter, query, reading)
        : await sorted(filter, sort, query, reading)
      return {
        items: await shown(reader, rows),
        ...cappedTotal(counted, most),
        ...(isAtLeast ? { total_capped: true } : {}),
        page: query.p,
        page_size: query.page_size,
        ...(reading.months.size === 0 ? {} : { archive: { months: reading.months.size, problem: reading.problem } }),
        kept_days: keptDaysOf(retention(), filter, unixSeconds(clock), isMoved),
        ...more,
      }
    },
    async entry(reader, id) {
      const row = await store.row(id)
      const isReadable = row !== undefined && (!('userId' in reader) || row.user_id === reader.userId)
      const [entry] = isReadable ? await shown(reader, [row]) : []
      if (entry === undefined) throw new AppError('not_found', { details: { log: id } })
      return entry
    },
    async stat(reader, query) {
      return stat(await filterFor(reader, query))
    },
    async volume(reader, query) {
      return volume(await filterFor(reader, query), query.zone)
    },
    async facet(reader, query) {
      return facet(await filterFor(reader, query), query.facet)
    },
    async search(reader, keyword) {
      if (keyword === '') return []
      const type = /^\d{1,9}$/.test(keyword) ? Number(keyword) : 0
      const filter = await filterFor(reader, { ...everything, type })
      const ofType =
        type === 0 ? [] : await store.find(filter, { offset: 0, limit: mostFound }, 'newest', startReading())
      const withContent = 'userId' in reader ? [] : await store.withContent(keyword, mostSorted, mostFound)
      const found = [...new Map([...ofType, ...withContent].map((row) => [row.id, row])).values()]
      return shown(reader, found.sort(byNewest).slice(0, mostFound))
    },
    ofToken: async (token, language = 'zh') =>
      (await store.ofToken(token, mostOfToken)).map((row) => forOwner(row, language)),
    async *chunks(reader, query) {
      const filter = await filterFor(reader, query)
      let seen = await store.reach(filter)
      for (let after: LogCursor | undefined; ; ) {
        const places = await store.places(seen.filter, { after, offset: 0, limit: placesAtOnce })
        for (let start = 0; start < places.length; start += rowsAtOnce) {
          const rows = await store.rowsAt(places.slice(start, start + rowsAtOnce))
          if (rows.length > 0) yield await shown(reader, rows)
          await sleep(restMs)
        }
        after = places.at(-1)
        if (places.length === placesAtOnce) continue
        // A file is whole: it goes on where a list would end.
        if (seen.from === undefined || seen.from <= 1) return
        seen = await store.reach({ ...filter, to: seen.from - 1 })
        after = undefined
      }
    },
  }
}

/** Numbers of something, each once; 0 stands for nothing. */
const distinct = (ids: readonly number[]): number[] => [...new Set(ids.filter((id) => id > 0))]

const lookedFrom = ({ from }: LogReach): { looked_from?: number } => (from === undefined ? {} : { looked_from: from })

/** No user has this id. */
const noUserId = 0

/** Calls with some keys: along the index over users where one wallet pays for all of them. */
const ofKeys = (filter: LogFilter, { ids, wallets }: PlaceKeys): LogFilter => {
  const [wallet = noUserId, ...others] = wallets
  const not = filter.not?.filter((part) => part !== 'username')
  return others.length > 0 ? { ...filter, tokenIds: ids } : { ...filter, tokenIds: ids, userId: wallet, not }
}

const byNewest = (left: LogRow, right: LogRow): number => right.created_at - left.created_at || right.id - left.id

const placeOf = (cursor: string | undefined): LogCursor | undefined => {
  if (cursor === undefined) return undefined
  const [createdAt, id] = cursor.split('.').map(Number)
  return createdAt === undefined || id === undefined ? undefined : { createdAt, id }
}

const everything: FilterQuery = {
  username: '',
  token_name: '',
  model_name: '',
  group: '',
  request_id: '',
  provider_request_id: '',
  session: '',
  tag: '',
  end_user: '',
  provisional: '',
  end: '',
  client: '',
  min_quota: undefined,
  channel: undefined,
  start_timestamp: undefined,
  end_timestamp: undefined,
  organisation_id: undefined,
  project_id: undefined,
  member_id: undefined,
  not: [],
}

const turnable = ['username', 'token_name', 'channel', 'group', 'model_name'] as const

const filterOf = (query: FilterQuery): LogFilter => ({
  type: query.type,
  from: query.start_timestamp,
  to: query.end_timestamp,
  tokenName: query.token_name.trim(),
  model: query.model_name.trim(),
  channel: query.channel,
  group: query.group.trim(),
  requestId: query.request_id.trim(),
  providerRequestId: query.provider_request_id.trim(),
  session: query.session,
  tag: query.tag,
  endUser: query.end_user,
  provisional: query.provisional,
  end: query.end,
  client: query.client,
  minQuota: query.min_quota,
  not: turnable.filter((part) => query.not.includes(part)),
})
