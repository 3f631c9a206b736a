import { exploreEvents } from '@tollgate/contract'
import type { createSiteEvents } from '#server/features/audit/site-events.ts'
import type { On } from '#server/http/route.ts'

/** Changes of channels and prices beside the figures. */
export const eventRoutes = (on: On, events: ReturnType<typeof createSiteEvents>): void => {
  on(exploreEvents, async ({ query }) => ({ data: await events(query.start_timestamp, query.end_timestamp) }))
}
