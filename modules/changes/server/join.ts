import type { JoinModule } from '#server/app/modules/module-kit.ts'
import { namesOf } from '#server/db/names/stored-names.ts'
import { createSiteEvents } from '#server/features/audit/site-events.ts'
import { createCallMedian } from './call-median.ts'
import { createChangeReport } from './report.ts'
import { callRoutes, changeRoutes, sessionRoutes } from './routes.ts'
import { createSessionMedian } from './session-median.ts'
import { weightsAt } from './weights.ts'

/** Joins explained changes to the ledger's sums, the present prices and the audit log. */
export const join: JoinModule = ({ database, logDatabase, options, prices, clock, on }) => {
  const names = namesOf(database)
  const report = createChangeReport({
    database,
    enabled: () => options.get('DataExportEnabled'),
    weightsOf: weightsAt(prices),
    events: createSiteEvents(database, names.channelNames),
    ...names,
    clock,
  })
  changeRoutes(on, report)
  callRoutes(on, createCallMedian({ database: logDatabase, clock }))
  sessionRoutes(on, createSessionMedian(database))
  return {}
}
