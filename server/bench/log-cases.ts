import type { Database } from '../src/db/database.ts'
import { createUsageReport, type ReportQuery } from '../src/features/dashboard/report.ts'
import { openDashboardStore } from '../src/features/dashboard/store.ts'
import { createLogDays } from '../src/features/logs/days.ts'
import { createLogExports } from '../src/features/logs/export.ts'
import { createLogFacets } from '../src/features/logs/facets.ts'
import { openLogPlaces } from '../src/features/logs/places/log-places.ts'
import { openPurgeStore } from '../src/features/logs/purge-store.ts'
import { allLogs, createLogService, type FilterQuery, type LogReader } from '../src/features/logs/service.ts'
import { createLogStat } from '../src/features/logs/stat.ts'
import { openLogStore } from '../src/features/logs/store.ts'
import { createLogVolume } from '../src/features/logs/volume.ts'

export interface LogCase {
  readonly name: string
  /** One per column. */
  readonly works: readonly (() => Promise<unknown>)[]
}

export interface LogGroup {
  readonly title: string
  readonly columns: readonly string[]
  readonly cases: readonly LogCase[]
}

const day = 86_400
const yearDays = 365
const ranges = { today: 1, '7 days': 7, '30 days': 30, 'all time': 0 } as const
const none: FilterQuery = {
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
  type: undefined,
  channel: undefined,
  not: [],
  start_timestamp: undefined,
  end_timestamp: undefined,
  organisation_id: undefined,
  project_id: undefined,
  member_id: undefined,
}

type Filter = readonly [name: string, filter: Partial<FilterQuery>, reader?: LogReader]

/** Common filters, alone and together, with values that are frequent, rare, or never meet. */
const filters: readonly Filter[] = [
  ['no filter', {}],
  ['errors', { type: 5 }],
  ['consumption', { type: 2 }],
  ['busiest user', { username: 'user1' }],
  ['quiet user', { username: 'user1777' }],
  ['model, 11 names fit', { model_name: 'model-2' }],
  ['model, nothing fits', { model_name: 'nothing' }],
  ['one key', { token_name: 'key 3' }],
  ['a name of many keys', { token_name: 'default' }],
  ['channel', { channel: 3 }],
  ['frequent group', { group: 'vip' }],
  ['rare group', { group: 'rare' }],
  ['busiest user + model', { username: 'user1', model_name: 'model-31' }],
  ['busiest user + model never used', { username: 'user1', model_name: 'model-20' }],
  ['quiet user + errors', { username: 'user1777', type: 5 }],
  ['channel + errors', { channel: 7, type: 5 }],
  ['model + errors', { model_name: 'model-31', type: 5 }],
  ['group + model', { group: 'vip', model_name: 'model-31' }],
  ['rare group + model', { group: 'rare', model_name: 'model-31' }],
  ['channel + group that never met', { channel: 39, group: 'rare' }],
  ['key + model', { token_name: 'key 3', model_name: 'model-7' }],
  ['own log, busiest user', {}, { userId: 1 }],
  ['own log + model', { model_name: 'model-31' }, { userId: 1 }],
  ['own log + top-ups', { type: 1 }, { userId: 1 }],
]

const newestIn = async ({ query }: Database): Promise<number> => {
  const newest = query.selectFrom('logs').select('created_at').orderBy('created_at', 'desc').limit(1)
  return (await newest.executeTakeFirst())?.created_at ?? 0
}

/** The calls of log page and dashboard, as the console makes them, on a filled database. */
export const logCases = async (database: Database) => {
  const newest = await newestIn(database)
  const clock = (): number => newest * 1000
  const names = async (ids: readonly number[]) => new Map(ids.map((id) => [id, String(id)]))
  const store = openLogStore(database, createLogDays(database))
  const logs = createLogService({
    store,
    stat: createLogStat({ store, database, clock }),
    volume: createLogVolume({ store, database, clock }),
    facet: createLogFacets({ store, database, clock, userNames: names, channelNames: names }),
    retention: () => ({ charged: 0, failed: 0, other: 0 }),
    clock,
    channelNames: names,
    places: openLogPlaces(database),
    userIdOf: async (name) => Number(name.slice('user'.length)) || undefined,
  })
  const purges = openPurgeStore({ database, logDatabase: database, clock: Date.now })
  const report = createUsageReport({
    store: openDashboardStore(database),
    database,
    enabled: () => true,
    refreshMinutes: () => 5,
    userNames: names,
    channelNames: names,
    tokenNames: async (ids) => new Map(ids.map((id) => [id, { name: String(id), owner: '' }])),
    clock,
  })

  const inRange = (filter: Partial<FilterQuery>, range: keyof typeof ranges): FilterQuery => ({
    ...none,
    ...filter,
    start_timestamp: ranges[range] === 0 ? undefined : newest - ranges[range] * day,
    end_timestamp: newest + 3_600,
  })
  const columns = Object.keys(ranges) as (keyof typeof ranges)[]
  const list = (reader: LogReader, query: FilterQuery, more: Partial<Parameters<typeof logs.list>[1]> = {}) =>
    logs.list(reader, { ...query, p: 1, page_size: 20, sort: undefined, after: undefined, ...more })

  const dearest = { sort: { column: 'quota', descending: true } } as const

  const perRange = (
    name: string,
    work: (query: FilterQuery) => Promise<unknown>,
    filter: Partial<FilterQuery> = {},
  ) => ({
    name,
    works: columns.map((range) => () => work(inRange(filter, range))),
  })

  /** The page after a row in the middle of the range, as the console gets there by turning pages. */
  const halfway = (query: FilterQuery): Promise<unknown> => {
    const middle = Math.floor(((query.start_timestamp ?? newest - yearDays * day) + newest) / 2)
    return list(allLogs, query, { p: 401, after: `${middle}.1` })
  }

  const reportFor = (days: number, more: Partial<ReportQuery>): Promise<unknown> =>
    report(
      { all: true },
      {
        start_timestamp: newest - days * day,
        end_timestamp: newest,
        granularity: 'day',
        metric: 'quota',
        by: 'model',
        zone: 'Asia/Shanghai',
        ...more,
      },
    )
  const dashboardDays = [1, 7, 30, 90, 365]
  const perDays = (name: string, more: Partial<ReportQuery> = {}): LogCase => ({
    name,
    works: dashboardDays.map((days) => () => reportFor(days, more)),
  })

  const groups: readonly LogGroup[] = [
    {
      title: 'First page with its count',
      columns,
      cases: filters.map(([name, filter, reader = allLogs]) => perRange(name, (query) => list(reader, query), filter)),
    },
    {
      title: 'Other reads of the log',
      columns,
      cases: [
        perRange('dearest first', (query) => list(allLogs, query, dearest)),
        perRange('dearest of a model', (query) => list(allLogs, query, dearest), { model_name: 'model-31' }),
        perRange('dearest of a rare group', (query) => list(allLogs, query, dearest), { group: 'rare' }),
        perRange('dearest of group + model', (query) => list(allLogs, query, dearest), {
          group: 'rare',
          model_name: 'model-31',
        }),
        perRange('page 401, turned to', halfway),
        perRange('page 401, turned to, model', halfway, { model_name: 'model-31' }),
        perRange('page 500 by number', (query) => list(allLogs, query, { p: 500 })),
        perRange('page 100,000 by number', (query) => list(allLogs, query, { p: 100_000 })),
        perRange('sums in the header', (query) => logs.stat(allLogs, query)),
        perRange('sums, model', (query) => logs.stat(allLogs, query), { model_name: 'model-31' }),
        perRange('sums, rare group', (query) => logs.stat(allLogs, query), { group: 'rare' }),
        perRange('volume', (query) => logs.volume(allLogs, { ...query, zone: 'Asia/Shanghai' })),
        perRange('volume, model', (query) => logs.volume(allLogs, { ...query, zone: 'Asia/Shanghai' }), {
          model_name: 'model-31',
        }),
        perRange('values of a filter, types', (query) => logs.facet(allLogs, { ...query, facet: 'type' })),
        perRange('… models', (query) => logs.facet(allLogs, { ...query, facet: 'model_name' })),
        perRange('… keys', (query) => logs.facet(allLogs, { ...query, facet: 'token_name' })),
        perRange('… users of a group', (query) => logs.facet(allLogs, { ...query, facet: 'username' }), {
          group: 'vip',
        }),
        perRange('sums, user + model', (query) => logs.stat(allLogs, query), {
          username: 'user1',
          model_name: 'model-3',
        }),
        perRange('sums, channel', (query) => logs.stat(allLogs, query), { channel: 3 }),
        perRange('sums, own log', (query) => logs.stat({ userId: 1 }, query)),
      ],
    },
    {
      title: 'Reads without a range',
      columns: [''],
      cases: [
        { name: 'log of a key', works: [() => logs.ofToken({ id: 1, userId: 1 })] },
        { name: 'log of a key that was never used', works: [() => logs.ofToken({ id: 9_999, userId: 1 })] },
        { name: 'search for a content', works: [() => logs.search(allLogs, '模型')] },
        { name: 'search for a content, nothing fits', works: [() => logs.search(allLogs, 'nothing')] },
        { name: 'rows to clear', works: [() => purges.count({ type: 0, before: newest - (yearDays / 2) * day })] },
      ],
    },
    {
      title: 'Dashboard',
      columns: dashboardDays.map((days) => `${days} days`),
      cases: [
        perDays('by model'),
        perDays('by model, of a channel', { channel: 3 }),
        perDays('by model, of a user', { user: 1 }),
        perDays('by channel', { by: 'channel' }),
        perDays('by group', { by: 'group' }),
        perDays('by user', { by: 'user' }),
        perDays('by key', { by: 'token' }),
      ],
    },
  ]

  /** Exports until so many rows have been read. */
  const exported = async (most: number): Promise<{ count: number; bytes: number }> => {
    let count = 0
    const chunks = async function* () {
      for await (const rows of logs.chunks(allLogs, none)) {
        count += rows.length
        yield rows
        if (count >= most) return
      }
    }
    let bytes = 0
    const { parts } = createLogExports(() => 500_000).file(1, chunks(), { format: 'csv', operator: true })
    for await (const part of parts) bytes += part.length
    return { count, bytes }
  }

  return { groups, exported }
}
