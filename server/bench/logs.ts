import { existsSync } from 'node:fs'
import type { Database, DatabaseAddress } from '../src/db/database.ts'
import { migrate } from '../src/db/migrate.ts'
import { openDatabase } from '../src/db/open.ts'
import { createLogDays } from '../src/features/logs/days.ts'
import { allLogs, createLogService, type LogService, type Reader } from '../src/features/logs/service.ts'
import { createLogStat } from '../src/features/logs/stat.ts'
import { openLogStore } from '../src/features/logs/store.ts'
import { fillWithLogs } from './many-logs.ts'

/** Measures the log page on many rows: `BENCH_LOG_ROWS` in `BENCH_LOG_URL` (a file, or postgres://…), made when it is empty. */
const rows = Number(process.env.BENCH_LOG_ROWS ?? 1_000_000)
const url = process.env.BENCH_LOG_URL ?? `/tmp/tollgate-logs-${rows}.db`
const repeats = 7
const days = 365
const dayMs = 86_400_000

const addressOf = (place: string): DatabaseAddress =>
  place.startsWith('postgres') ? { engine: 'postgres', url: place } : { engine: 'sqlite', url: place }

const filled = async (): Promise<Database> => {
  const isNew = url.startsWith('postgres') || !existsSync(url)
  const database = await openDatabase(addressOf(url))
  await migrate(database)
  const empty = (await database.query.selectFrom('logs').select('id').limit(1).executeTakeFirst()) === undefined
  if (isNew && empty) {
    console.log(`Filling ${url} with ${rows} rows`)
    await fillWithLogs(database, { rows, end: Math.floor(Date.now() / 1000), days })
  }
  return database
}

const newestIn = async (database: Database): Promise<number> => {
  const row = await database.query
    .selectFrom('logs')
    .select('created_at')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.created_at ?? 0
}

/** Median and longest of some runs in milliseconds; the first one stands apart, since it may read from the disk. */
const timed = async (work: () => Promise<unknown>): Promise<{ first: number; median: number; longest: number }> => {
  const times: number[] = []
  for (let run = 0; run < repeats; run += 1) {
    const started = performance.now()
    await work()
    times.push(performance.now() - started)
  }
  const [first = 0, ...rest] = times
  const sorted = rest.toSorted((left, right) => left - right)
  return { first, median: sorted[Math.floor(sorted.length / 2)] ?? 0, longest: sorted.at(-1) ?? 0 }
}

const report = async (name: string, work: () => Promise<unknown>): Promise<void> => {
  const { first, median, longest } = await timed(work)
  const cell = (ms: number): string => ms.toFixed(1).padStart(10)
  console.log(`${name.padEnd(58)}${cell(first)}${cell(median)}${cell(longest)}`)
}

const database = await filled()
const newest = await newestIn(database)
const clock = (): number => newest * 1000
const store = openLogStore(database, createLogDays(database))
const logs: LogService = createLogService({
  store,
  stat: createLogStat({ store, database, clock }),
  channelNames: async (ids) => new Map(ids.map((id) => [id, `channel ${id}`])),
  userIdOf: async (name) => Number(name.slice('user'.length)) || undefined,
})

const none = { username: '', token_name: '', model_name: '', group: '', request_id: '', channel: undefined }
const ranges = { today: 1, '7 days': 7, '30 days': 30, 'all time': 0 } as const
const rangeOf = (range: keyof typeof ranges) => ({
  start_timestamp: ranges[range] === 0 ? undefined : newest - (ranges[range] * dayMs) / 1000,
  end_timestamp: newest + 3600,
})

const filters: readonly (readonly [string, object, Reader?])[] = [
  ['no filter', {}],
  ['type = error', { type: 5 }],
  ['type = consumption', { type: 2 }],
  ['busiest user', { username: 'user1' }],
  ['quiet user', { username: 'user1777' }],
  ['model (contains, 11 names)', { model_name: 'model-2' }],
  ['model that does not exist', { model_name: 'nothing' }],
  ['token of one user', { token_name: 'key 3' }],
  ['token name of many', { token_name: 'default' }],
  ['channel', { channel: 3 }],
  ['rare group', { group: 'rare' }],
  ['group', { group: 'vip' }],
  ['busiest user + model', { username: 'user1', model_name: 'model-31' }],
  ['busiest user + model never used', { username: 'user1', model_name: 'model-20' }],
  ['quiet user + errors', { username: 'user1777', type: 5 }],
  ['channel + errors', { channel: 7, type: 5 }],
  ['model + errors', { model_name: 'model-31', type: 5 }],
  ['group + model', { group: 'vip', model_name: 'model-31' }],
  ['channel + group that never met', { channel: 39, group: 'rare' }],
  ['token + model', { token_name: 'key 3', model_name: 'model-7' }],
  ['own log of the busiest user', {}, { userId: 1 }],
  ['own log of a quiet user', {}, { userId: 1778 }],
  ['own log + model', { model_name: 'model-31' }, { userId: 1 }],
  ['own log + errors', { type: 5 }, { userId: 1 }],
]

console.log(
  `${'first page and count, ms'.padEnd(58)}${'first'.padStart(10)}${'median'.padStart(10)}${'longest'.padStart(10)}`,
)
for (const [name, filter, reader = allLogs] of filters) {
  for (const range of Object.keys(ranges) as (keyof typeof ranges)[]) {
    const query = { ...none, ...filter, ...rangeOf(range), p: 1, page_size: 20, sort: undefined, after: undefined }
    await report(`${name}, ${range}`, () => logs.list(reader, query as never))
  }
}
await database.close()
