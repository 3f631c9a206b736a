import type { Log, listLogs, Page, QueryOf, statLogs } from '@tollgate/contract'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import { forOperator, forOwner } from './present.ts'
import type { LogFilter, LogRow, LogStore } from './store.ts'

type ListQuery = QueryOf<typeof listLogs>
type StatQuery = QueryOf<typeof statLogs>

export interface LogStat {
  readonly quota: number
  /** Requests and tokens of the last 60 seconds. */
  readonly rpm: number
  readonly tpm: number
}

export interface LogService {
  list(query: ListQuery): Promise<Page<Log>>
  /** Rows of one user, without what only the operator may know; filters by user and channel do not count. */
  listOwn(userId: number, query: ListQuery): Promise<Page<Log>>
  stat(query: StatQuery): Promise<LogStat>
  statOwn(userId: number, query: StatQuery): Promise<LogStat>
}

/** Counting stops here: a reader does not page through more, and it would cost a whole scan. */
const mostCounted = 10_000
const minute = 60

export interface LogServiceParts {
  readonly store: LogStore
  /** Names of the channels that still exist. */
  channelNames(ids: readonly number[]): Promise<ReadonlyMap<number, string>>
  /** Who is called so today, cancelled users included. */
  userIdOf(username: string): Promise<number | undefined>
  readonly clock: Clock
}

/** The usage log (server reference §5.13). */
export const createLogService = ({ store, channelNames, userIdOf, clock }: LogServiceParts): LogService => {
  const page = async (
    filter: LogFilter,
    query: ListQuery,
    present: (rows: readonly LogRow[]) => Promise<Log[]>,
  ): Promise<Page<Log>> => {
    const slice = { offset: (query.p - 1) * query.page_size, limit: query.page_size }
    const [rows, counted] = await Promise.all([
      store.find(filter, query.sort, slice),
      store.count(filter, mostCounted + 1),
    ])
    const capped = counted > mostCounted
    return {
      items: await present(rows),
      total: Math.min(counted, mostCounted),
      page: query.p,
      page_size: query.page_size,
      ...(capped ? { total_capped: true } : {}),
    }
  }

  const named = async (rows: readonly LogRow[]): Promise<Log[]> => {
    const names = await channelNames([...new Set(rows.map((row) => row.channel_id).filter((id) => id > 0))])
    return rows.map((row) => forOperator(row, names.get(row.channel_id) ?? ''))
  }

  const stat = async (filter: LogFilter): Promise<LogStat> => {
    const lastMinute = { ...filter, from: unixSeconds(clock) - minute, to: undefined }
    const [quota, load] = await Promise.all([store.quota(filter), store.load(lastMinute)])
    return { quota, rpm: load.requests, tpm: load.tokens }
  }

  /** A name means who has it today, by id: renamed users keep their history, and a freed name shows nobody else's (§12.2). */
  const operatorFilter = async (query: StatQuery): Promise<LogFilter> => {
    const filter = filterOf(query)
    const userId = filter.username === '' ? undefined : await userIdOf(filter.username)
    return userId === undefined ? filter : { ...filter, userId, username: '' }
  }

  return {
    list: async (query) => page(await operatorFilter(query), query, named),
    listOwn: (userId, query) =>
      page({ ...filterOf(query), userId, username: '', channel: undefined }, query, async (rows) => rows.map(forOwner)),
    stat: async (query) => stat(await operatorFilter(query)),
    // By id, not by name: a freed user name must not show somebody else's numbers (server reference §12.2).
    statOwn: (userId, query) => stat({ ...filterOf(query), userId, username: '' }),
  }
}

const filterOf = (query: StatQuery): LogFilter => ({
  type: query.type,
  from: query.start_timestamp,
  to: query.end_timestamp,
  username: query.username.trim(),
  tokenName: query.token_name.trim(),
  model: query.model_name.trim(),
  channel: query.channel,
  group: query.group.trim(),
  requestId: query.request_id.trim(),
})
