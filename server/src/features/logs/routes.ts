import { listLogs, listOwnLogs, statLogs, statOwnLogs } from '@tollgate/contract'
import type { On } from '../../http/route.ts'
import type { LogService } from './service.ts'

/** The console's calls for the usage log. */
export const logRoutes = (on: On, logs: LogService): void => {
  on(listLogs, async ({ query }) => ({ data: await logs.list(query) }))
  on(listOwnLogs, async ({ query, caller }) => ({ data: await logs.listOwn(caller.id, query) }))
  on(statLogs, async ({ query }) => ({ data: await logs.stat(query) }))
  on(statOwnLogs, async ({ query, caller }) => ({ data: await logs.statOwn(caller.id, query) }))
}
