import { namesOf } from '../db/names/stored-names.ts'
import { statementRoutes } from '../features/statements/routes.ts'
import type { On } from '../http/route.ts'
import type { AccountSide } from './console-accounts.ts'
import type { SharedParts } from './parts.ts'

/** Joins the monthly statements to the ledger's sums. */
export const joinStatements = (
  { database, logDatabase, options, clock }: SharedParts,
  { showUser }: Pick<AccountSide, 'showUser'>,
  on: On,
): void =>
  statementRoutes(on, {
    database,
    logDatabase,
    show: showUser,
    tokenNames: namesOf(database).tokenNames,
    quotaPerUnit: () => options.get('QuotaPerUnit'),
    clock,
  })
