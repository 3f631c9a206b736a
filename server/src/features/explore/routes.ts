import { explore, exploreEvents, exploreOrganisation, exploreOwn } from '@tollgate/contract'
import type { On } from '../../http/route.ts'
import type { createExploreEvents } from './events.ts'
import type { createExplore } from './report.ts'
import type { OrganisationScope } from './scope.ts'

export interface ExploreRouteParts {
  readonly report: ReturnType<typeof createExplore>
  readonly events: ReturnType<typeof createExploreEvents>
  /** Part of an organisation that a person may read. Throws `not_found`. */
  organisationScope(organisationId: number, userId: number): Promise<OrganisationScope>
}

/** Figures by any two dimensions. */
export const exploreRoutes = (on: On, { report, events, organisationScope }: ExploreRouteParts): void => {
  on(explore, async ({ query }) => ({ data: await report({ all: true }, query) }))
  on(exploreEvents, async ({ query }) => ({ data: await events(query.start_timestamp, query.end_timestamp) }))
  on(exploreOrganisation, async ({ params, query, caller }) => ({
    data: await report({ organisation: await organisationScope(params.id, caller.id) }, query),
  }))
  on(exploreOwn, async ({ query, caller }) => ({ data: await report({ userId: caller.id }, query) }))
}
