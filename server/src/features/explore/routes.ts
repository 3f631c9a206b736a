import { explore, exploreOwn } from '@tollgate/contract'
import type { On } from '../../http/route.ts'
import type { createExplore } from './report.ts'

export interface ExploreRouteParts {
  readonly report: ReturnType<typeof createExplore>
}

/** Figures by any two dimensions. */
export const exploreRoutes = (on: On, { report }: ExploreRouteParts): void => {
  on(explore, async ({ query }) => ({ data: await report({ all: true }, query) }))
  on(exploreOwn, async ({ query, caller }) => ({ data: await report({ userId: caller.id }, query) }))
}
