import { listUsageSinks } from '@tollgate/contract'
import type { On } from '../../http/route.ts'
import type { UsageSinks } from './usage-sinks.ts'

/** How far the sinks of usage are, for administrators. */
export const usageSinkRoutes = (on: On, sinks: Pick<UsageSinks, 'states'>): void => {
  on(listUsageSinks, async () => ({ data: await sinks.states() }))
}
