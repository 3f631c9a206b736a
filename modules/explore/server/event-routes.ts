import { exploreEvents } from '@tollgate/contract'
import type { On } from '#server/http/route.ts'
import type { createExploreEvents } from './events.ts'

/** Changes of channels and prices beside the figures. */
export const eventRoutes = (on: On, events: ReturnType<typeof createExploreEvents>): void => {
  on(exploreEvents, async ({ query }) => ({ data: await events(query.start_timestamp, query.end_timestamp) }))
}
