import type { JoinModule } from '#server/app/modules/module-kit.ts'
import { namesOf } from '#server/db/names/stored-names.ts'
import { statementRoutes } from './routes.ts'

/** Joins the monthly statements to the ledger's sums. */
export const join: JoinModule = ({ on, database, logDatabase, options, clock, showUser }) => {
  statementRoutes(on, {
    database,
    logDatabase,
    show: showUser,
    tokenNames: namesOf(database).tokenNames,
    quotaPerUnit: () => options.get('QuotaPerUnit'),
    clock,
  })
  return {}
}
