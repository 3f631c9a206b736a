import { getOwnQuotaData, getOwnUsageReport, getQuotaData, getUsageReport } from '@tollgate/contract'
import type { On } from '../../http/route.ts'
import type { QuotaDataService } from './data.ts'
import type { createUsageReport } from './report.ts'

export interface DashboardRouteParts {
  readonly report: ReturnType<typeof createUsageReport>
  readonly data: QuotaDataService
}

/** The dashboard's calls, and those that clients of the reference make. */
export const dashboardRoutes = (on: On, { report, data }: DashboardRouteParts): void => {
  on(getUsageReport, async ({ query }) => ({ data: await report({ all: true }, query) }))
  on(getOwnUsageReport, async ({ query, caller }) => ({ data: await report({ userId: caller.id }, query) }))
  on(getQuotaData, async ({ query }) => ({ data: await data.all(query) }))
  on(getOwnQuotaData, async ({ query, caller }) => ({ data: await data.own(caller.id, query) }))
}
