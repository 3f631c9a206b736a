import { explore, exploreEvents, exploreOwn } from '@tollgate/contract'
import type { On } from '../../http/route.ts'
import type { createExploreEvents } from './events.ts'
import type { createExplore } from './report.ts'

export interface ExploreRouteParts {
  readonly report: ReturnType<typeof createExplore>
  readonly events: ReturnType<typeof createExploreEvents>
}

/** Figures by any two dimensions. */
export const exploreRoutes = (on: On, { report, events }: ExploreRouteParts): void => {
  on(explore, async ({ query }) => ({ data: await report({ all: true }, query) }))
  on(exploreEvents, async ({ query }) => ({ data: await events(query.start_timestamp, query.end_timestamp) }))
  on(exploreOwn, async ({ query, caller }) => ({ data: await report({ userId: caller.id }, query) }))
}
