import {
  compareCall,
  compareOwnCall,
  compareOwnSession,
  compareSession,
  getChanges,
  getOwnChanges,
} from '@tollgate/contract'
import type { On } from '#server/http/route.ts'
import type { createCallMedian } from './call-median.ts'
import type { createChangeReport } from './report.ts'
import type { createSessionMedian } from './session-median.ts'

/** Explained changes: of the whole site for operators, of own calls for users. */
export const changeRoutes = (on: On, report: ReturnType<typeof createChangeReport>): void => {
  on(getChanges, async ({ query }) => ({ data: await report({ all: true }, query) }))
  on(getOwnChanges, async ({ query, caller }) => ({ data: await report({ userId: caller.id }, query) }))
}

/** Calls beside the median of their models. */
export const callRoutes = (on: On, compare: ReturnType<typeof createCallMedian>): void => {
  on(compareCall, async ({ query }) => ({ data: await compare(query.request_id) }))
  on(compareOwnCall, async ({ query, caller }) => ({ data: await compare(query.request_id, caller.id) }))
}

/** Sessions beside the median of those of their users. */
export const sessionRoutes = (on: On, compare: ReturnType<typeof createSessionMedian>): void => {
  on(compareSession, async ({ query }) => ({ data: await compare(query.session) }))
  on(compareOwnSession, async ({ query, caller }) => ({ data: await compare(query.session, caller.id) }))
}
