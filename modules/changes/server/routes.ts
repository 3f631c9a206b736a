import { getChanges, getOwnChanges } from '@tollgate/contract'
import type { On } from '#server/http/route.ts'
import type { createChangeReport } from './report.ts'

/** Explained changes: of the whole site for operators, of own calls for users. */
export const changeRoutes = (on: On, report: ReturnType<typeof createChangeReport>): void => {
  on(getChanges, async ({ query }) => ({ data: await report({ all: true }, query) }))
  on(getOwnChanges, async ({ query, caller }) => ({ data: await report({ userId: caller.id }, query) }))
}
