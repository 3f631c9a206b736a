import { routedModel } from '../../billing/routed-model.ts'
import { madeModelOf } from '../../relay/direct/created-models.ts'
import { isFenced } from '../../relay/direct/direct-fence.ts'
import { reachableBy } from '../../relay/direct/file-fence.ts'
import type { CallPlan } from '../../relay/plan/call-plan.ts'
import type { Caller, Channels, Prices, RelayOptions } from '../../relay/ports.ts'
import { scopeOf } from '../../relay/reader.ts'
import { candidateTable } from '../../relay/routing/candidate-tiers.ts'
import { servingTo } from '../../relay/routing/channel-fence.ts'
import { checkChannel, checkModel } from '../auth/model-checks.ts'
import { meantModel, modelEndOf } from '../auth/model-names.ts'
import { checkModelName } from '../bounds/model-name.ts'

export interface CallPlanParts {
  readonly channels: Channels
  readonly options: () => RelayOptions
  readonly prices: Prices
}

/**
 * The plan of a caller's calls for a name at a moment (milliseconds since 1970). Throws AppError where the caller may not call the model,
 * as every call does.
 */
export const compilePlan = (caller: Caller, name: string, now: number, parts: CallPlanParts): CallPlan => {
  const options = parts.options()
  checkModelName(name)
  const model = meantModel(name, caller.group, now, options)
  checkModel(caller, model)
  checkChannel(caller, model, parts.channels)
  const snapshot = parts.channels.snapshot()
  const virtual = snapshot.virtual(caller.group, model)
  const serving = servingTo(caller, routedModel(model), snapshot)
  const { group, acceptsUnpricedModels: acceptsUnpriced } = caller
  // The end first: a price that begins between the two questions only ends the plan too early.
  const priceEnds = parts.prices.until?.(model, group) ?? Number.POSITIVE_INFINITY
  const hasPrice = virtual === undefined || virtual.ownPrice
  return Object.freeze({
    caller,
    name,
    model,
    options,
    snapshot,
    serving,
    table: candidateTable(serving),
    virtual,
    fencesObjects: madeModelOf(name) !== undefined || reachableBy({ caller, model, virtual }, snapshot).some(isFenced),
    scope: scopeOf(caller),
    price: hasPrice ? parts.prices.of(model, group, { acceptsUnpriced }) : undefined,
    until: Math.min(priceEnds, modelEndOf(name, group, now, options)),
  })
}
