import { getFigures, getOrganisationFigures, getOwnFigures } from '@tollgate/contract'
import type { On } from '../../http/route.ts'
import type { createFigureReport } from './report.ts'
import type { OrganisationScope } from './scope.ts'

export interface FigureRouteParts {
  readonly report: ReturnType<typeof createFigureReport>
  /** The part of an organisation that a person may read. Throws `not_found`. */
  organisationScope(organisationId: number, userId: number): Promise<OrganisationScope>
}

/** Figures by any two dimensions. */
export const figureRoutes = (on: On, { report, organisationScope }: FigureRouteParts): void => {
  on(getFigures, async ({ query }) => ({ data: await report({ all: true }, query) }))
  on(getOrganisationFigures, async ({ params, query, caller }) => ({
    data: await report({ organisation: await organisationScope(params.id, caller.id) }, query),
  }))
  on(getOwnFigures, async ({ query, caller }) => ({ data: await report({ userId: caller.id }, query) }))
}
