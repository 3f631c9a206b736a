import type { FeatureKit } from '../../app/parts.ts'
import { namesOf } from '../../db/names/stored-names.ts'
import { createQuotaData } from './data.ts'
import { createUsageReport } from './report.ts'
import { dashboardRoutes } from './routes.ts'
import { openDashboardStore } from './store.ts'

/** Joins the dashboard. */
export const joinDashboard = (
  { database, options, clock, on }: FeatureKit,
  { organisationScope }: Pick<Parameters<typeof dashboardRoutes>[1], 'organisationScope'>,
): void => {
  const names = namesOf(database)
  dashboardRoutes(on, {
    report: createUsageReport({
      store: openDashboardStore(database),
      database,
      enabled: () => options.get('DataExportEnabled'),
      refreshMinutes: () => options.get('DataExportInterval'),
      ...names,
      clock,
    }),
    data: createQuotaData(database, names.userIdOf),
    organisationScope,
  })
}
