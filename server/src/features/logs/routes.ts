import {
  clearLogs,
  countLogs,
  countOwnLogs,
  exportLogs,
  exportOwnLogs,
  getLog,
  getLogClearing,
  getLogVolume,
  getOwnLog,
  getOwnLogVolume,
  listLogs,
  listOwnLogs,
  listTokenLogs,
  searchLogs,
  searchOwnLogs,
  statLogs,
  statOwnLogs,
} from '@tollgate/contract'
import type { On } from '../../http/route.ts'
import type { LogExports } from './export.ts'
import type { LogPurges } from './purges.ts'
import { allLogs, type LogService, ownLogs } from './service.ts'

export interface LogRouteParts {
  readonly logs: LogService
  readonly exports: LogExports
  readonly purges: Pick<LogPurges, 'state' | 'clear'>
  /** The API key that was sent, if it may be used from this address. Throws AppError as the relay does. */
  tokenOf(sent: { authorization: string | undefined; key: string; ip: string }): Promise<{ id: number; userId: number }>
}

/** The calls for the usage log. */
export const logRoutes = (on: On, { logs, exports, purges, tokenOf }: LogRouteParts): void => {
  on(listLogs, async ({ query, language }) => ({ data: await logs.list({ ...allLogs, language }, query) }))
  on(listOwnLogs, async ({ query, caller, language }) => ({
    data: await logs.list({ ...ownLogs(caller), language }, query),
  }))
  on(getLog, async ({ params, language }) => ({ data: await logs.entry({ ...allLogs, language }, params.id) }))
  on(getOwnLog, async ({ params, caller, language }) => ({
    data: await logs.entry({ ...ownLogs(caller), language }, params.id),
  }))
  on(statLogs, async ({ query, language }) => ({ data: await logs.stat({ ...allLogs, language }, query) }))
  on(statOwnLogs, async ({ query, caller, language }) => ({
    data: await logs.stat({ ...ownLogs(caller), language }, query),
  }))
  on(getLogVolume, async ({ query, language }) => ({ data: await logs.volume({ ...allLogs, language }, query) }))
  on(getOwnLogVolume, async ({ query, caller, language }) => ({
    data: await logs.volume({ ...ownLogs(caller), language }, query),
  }))
  on(countLogs, async ({ query, language }) => ({ data: await logs.facet({ ...allLogs, language }, query) }))
  on(countOwnLogs, async ({ query, caller, language }) => ({
    data: await logs.facet({ ...ownLogs(caller), language }, query),
  }))
  on(searchLogs, async ({ query, language }) => ({ data: await logs.search({ ...allLogs, language }, query.keyword) }))
  on(searchOwnLogs, async ({ query, caller, language }) => ({
    data: await logs.search({ ...ownLogs(caller), language }, query.keyword),
  }))
  on(listTokenLogs, async ({ query, header, ip, language }) => {
    const token = await tokenOf({ authorization: header('authorization'), key: query.key, ip })
    return { data: await logs.ofToken(token, language) }
  })
  on(exportLogs, ({ query, caller, language }) => {
    const how = { format: query.format, columns: query.columns, operator: true }
    return { file: exports.file(caller.id, logs.chunks({ ...allLogs, language }, query), how) }
  })
  on(exportOwnLogs, ({ query, caller, language }) => {
    const how = { format: query.format, columns: query.columns, operator: false }
    return { file: exports.file(caller.id, logs.chunks({ ...ownLogs(caller), language }, query), how) }
  })
  on(getLogClearing, async ({ query }) => ({ data: await purges.state(query.target_timestamp) }))
  on(clearLogs, async ({ query, caller, ip }) => ({
    data: await purges.clear({ id: caller.id, username: caller.username, ip }, query.target_timestamp),
  }))
}
