import type { Database } from '../../../src/db/database.ts'
import { createLogDays } from '../../../src/features/logs/days.ts'
import { createLogExports } from '../../../src/features/logs/export.ts'
import { createLogFacets } from '../../../src/features/logs/facets.ts'
import { openLogPlaces } from '../../../src/features/logs/places/log-places.ts'
import { openPurgeStore } from '../../../src/features/logs/purge-store.ts'
import { createLogPurges, type LogPurges, type LogRetention } from '../../../src/features/logs/purges.ts'
import type { MostLooked } from '../../../src/features/logs/reach/searched-range.ts'
import { logRoutes } from '../../../src/features/logs/routes.ts'
import { createLogService } from '../../../src/features/logs/service.ts'
import { createLogStat } from '../../../src/features/logs/stat.ts'
import { type LogStore, type NewLog, openLogStore } from '../../../src/features/logs/store.ts'
import { createLogVolume } from '../../../src/features/logs/volume.ts'
import { groupCalls } from '../../../src/ledger/apply/call-groups.ts'
import { addUsage } from '../../../src/ledger/usage/hours.ts'
import { usageOf } from '../../../src/ledger/usage/usage-of.ts'
import { AppError } from '../../../src/lib/app-error.ts'
import type { RequestRecord } from '../../../src/relay/ports.ts'
import { testLog } from '../db/rows.ts'
import { type SignedIn, signedIn } from './signed-in.ts'

export const now = 1_900_000_000

let requests = 0

/** A row of its own, changed where a test says so. */
export const logRow = (change: Partial<NewLog> = {}): NewLog => {
  requests += 1
  return { ...testLog(`request-${requests}`), other: '', ...change }
}

export interface TestLogs {
  readonly store: LogStore
  readonly purges: LogPurges
  readonly traces: unknown[]
  readonly admin: SignedIn
  /** User 7. */
  readonly user: SignedIn
  /** Writes rows as people write them, without sums. */
  write(...rows: readonly Partial<NewLog>[]): Promise<void>
  /** Writes rows together with the sums that the ledger keeps of them. */
  charge(...rows: readonly Partial<NewLog>[]): Promise<void>
}

const recordOf = (row: NewLog): RequestRecord => ({
  id: row.request_id,
  at: row.created_at * 1000,
  kind: row.type === 5 ? 'error' : 'charge',
  userId: row.user_id,
  username: row.username,
  tokenId: row.token_id,
  tokenName: row.token_name,
  channelId: row.channel_id,
  model: row.model_name,
  group: row.group,
  quota: row.quota,
  promptTokens: row.prompt_tokens,
  completionTokens: row.completion_tokens,
  useTime: row.use_time,
  isStream: row.is_stream === 1,
  ip: row.ip,
  content: row.content,
  other: {},
  receipt: undefined,
})

/** The log's calls on a database: an administrator (1) and user 7, called alicia today; bob is 9, nobody is called carol. */
export const openTestLogs = async (
  database: Database,
  more: {
    clock?: () => number
    retention?: Partial<LogRetention>
    joined?: (live: LogStore) => LogStore
    most?: MostLooked
    mostPeople?: number
  } = {},
): Promise<TestLogs> => {
  for (const table of ['logs', 'usage_hours', 'usage_days', 'usage_site_days', 'log_purges'] as const) {
    await database.query.deleteFrom(table).execute()
  }
  const clock = more.clock ?? (() => now * 1000)
  const store = openLogStore(database, createLogDays(database), more.most)
  const joined = more.joined?.(store) ?? store
  const traces: unknown[] = []
  const retention = (): LogRetention => ({ charged: 0, failed: 30, other: 0, ...more.retention })
  const purges = createLogPurges({
    store: openPurgeStore({ database, logDatabase: database, clock }),
    failed(error) {
      throw error
    },
    audit: { record: async (trace) => void traces.push(trace) },
    retention,
    clock,
    restMs: 0,
  })
  const parts = {
    logs: createLogService({
      store: joined,
      stat: createLogStat({ store: joined, database, clock }),
      volume: createLogVolume({ store, database, clock }),
      facet: createLogFacets({
        store,
        database,
        clock,
        userNames: async (ids) => new Map(ids.map((id) => [id, `user ${id}`])),
        channelNames: async (ids) => new Map(ids.map((id) => [id, `channel ${id}`])),
        ...(more.mostPeople === undefined ? {} : { mostPeople: more.mostPeople }),
      }),
      retention,
      clock,
      channelNames: async (ids) => new Map(ids.map((id) => [id, `channel ${id}`])),
      places: openLogPlaces(database),
      userIdOf: async (username) => ({ alicia: 7, alice: 8, bob: 9 })[username],
    }),
    exports: createLogExports(() => 500_000),
    purges,
    tokenOf: async ({ authorization = '', key }: { authorization: string | undefined; key: string }) => {
      if (key !== 'good' && authorization !== 'Bearer sk-good') throw new AppError('token_invalid')
      return { id: 3, userId: 7 }
    },
  }
  const write = (...rows: readonly Partial<NewLog>[]): Promise<void> => database.insertMany('logs', rows.map(logRow))
  return {
    store,
    purges,
    traces,
    admin: signedIn((on) => logRoutes(on, parts), { id: 1, username: 'root', role: 10 }),
    user: signedIn((on) => logRoutes(on, parts), { id: 7, username: 'alicia' }),
    write,
    async charge(...changes) {
      const rows = changes.map(logRow)
      await database.insertMany('logs', rows)
      await database.transaction((trx) => addUsage(trx, usageOf(groupCalls(rows.map(recordOf)))))
    },
  }
}
