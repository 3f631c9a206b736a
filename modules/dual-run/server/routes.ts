import { getDualRun, getDualRunSums, listDualRuns } from '@tollgate/contract'
import type { On } from '#server/http/route.ts'
import type { DualRuns } from './dual-runs.ts'

/** Routes for the results of a second gateway; for root. */
export const dualRunRoutes = (on: On, runs: Pick<DualRuns, 'list' | 'sums' | 'find'>): void => {
  on(listDualRuns, async ({ query }) => ({ data: await runs.list(query) }))
  on(getDualRunSums, async () => ({ data: await runs.sums() }))
  on(getDualRun, async ({ params }) => ({ data: await runs.find(params.id) }))
}
