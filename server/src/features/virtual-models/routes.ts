import { explainRoute, listVirtualModels, readHedging } from '@tollgate/contract'
import type { On } from '../../http/route.ts'
import { explainRouteOf, type RouteExplanationParts } from './explain.ts'
import { type HedgingParts, readHedgingOf } from './hedging.ts'
import type { LiveVirtualModels } from './live-virtual-models.ts'

export interface VirtualModelRouteParts {
  readonly models: Pick<LiveVirtualModels, 'list'>
  readonly explanation: RouteExplanationParts
  readonly hedging: HedgingParts
}

/** Routes of virtual models, for operators. */
export const virtualModelRoutes = (on: On, { models, explanation, hedging }: VirtualModelRouteParts): void => {
  on(listVirtualModels, async () => ({ data: await models.list() }))
  on(readHedging, async ({ query }) => ({ data: await readHedgingOf(query.days, hedging) }))
  on(explainRoute, async ({ query }) => ({ data: await explainRouteOf(query, explanation) }))
}
