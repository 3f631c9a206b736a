import {
  getOrganisationUsageReport,
  getOwnQuotaData,
  getOwnUsageReport,
  getQuotaData,
  getUsageReport,
} from '@tollgate/contract'
import type { On } from '../../http/route.ts'
import type { QuotaDataService } from './data.ts'
import type { createUsageReport, DashboardScope } from './report.ts'

export interface DashboardRouteParts {
  readonly report: ReturnType<typeof createUsageReport>
  readonly data: QuotaDataService
  /** The figures of an organisation that a person may read. Throws `not_found`. */
  organisationScope(organisationId: number, userId: number): Promise<Exclude<DashboardScope, { all: true }>>
}

/** The dashboard's calls, and those that clients of the reference make. */
export const dashboardRoutes = (on: On, { report, data, organisationScope }: DashboardRouteParts): void => {
  on(getUsageReport, async ({ query }) => ({ data: await report({ all: true }, query) }))
  on(getOwnUsageReport, async ({ query, caller }) => ({ data: await report({ userId: caller.id }, query) }))
  on(getOrganisationUsageReport, async ({ params, query, caller }) => ({
    data: await report(await organisationScope(params.id, caller.id), query),
  }))
  on(getQuotaData, async ({ query }) => ({ data: await data.all(query) }))
  on(getOwnQuotaData, async ({ query, caller }) => ({ data: await data.own(caller.id, query) }))
}
