import {
  createVirtualModel,
  deleteVirtualModel,
  explainRoute,
  listVirtualModels,
  previewVirtualModel,
  readHedging,
  updateVirtualModel,
} from '@tollgate/contract'
import type { On } from '../../http/route.ts'
import { explainRouteOf, type RouteExplanationParts } from './explain.ts'
import { type HedgingParts, readHedgingOf } from './hedging.ts'
import type { openRulePreview } from './preview.ts'
import type { VirtualModels } from './virtual-models.ts'

export interface VirtualModelRouteParts {
  readonly models: VirtualModels
  readonly preview: ReturnType<typeof openRulePreview>
  readonly explanation: RouteExplanationParts
  readonly hedging: HedgingParts
}

/** Routes of virtual models, for operators. */
export const virtualModelRoutes = (on: On, { models, preview, explanation, hedging }: VirtualModelRouteParts): void => {
  on(listVirtualModels, async () => ({ data: await models.list() }))
  on(createVirtualModel, async ({ body, caller, ip }) => ({
    data: await models.create(body, { id: caller.id, username: caller.username, ip }),
  }))
  on(updateVirtualModel, async ({ params, body, caller, ip }) => ({
    data: await models.update(params.id, body, { id: caller.id, username: caller.username, ip }),
  }))
  on(deleteVirtualModel, async ({ params, caller, ip }) => {
    await models.remove(params.id, { id: caller.id, username: caller.username, ip })
    return {}
  })
  on(previewVirtualModel, async ({ body }) => ({ data: await preview(body) }))
  on(readHedging, async ({ query }) => ({ data: await readHedgingOf(query.days, hedging) }))
  on(explainRoute, async ({ query }) => ({ data: await explainRouteOf(query, explanation) }))
}
