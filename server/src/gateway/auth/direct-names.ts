import type { AllNames } from '../../relay/named-models/all-names.ts'
import type { Caller, RelayOptions } from '../../relay/ports.ts'
import { checkModelName } from '../bounds/model-name.ts'
import { routeRefusal } from './fence-names.ts'
import { checkModel } from './model-checks.ts'

/** Google and Vertex name models by their whole path. */
const bareModel = (model: string): string => model.replace(/^(?:.*\/)?models\//, '')

/** Holds a direct call to the list of its key. Throws AppError. */
export const checkDirectNames = (
  { models, route }: AllNames,
  caller: Caller,
  options: Pick<RelayOptions, 'modelMembers'>,
): void => {
  for (const model of models) {
    checkModelName(model)
    if (caller.modelLimits?.has(model) !== true) checkModel(caller, bareModel(model))
  }
  const refusal = route === undefined ? undefined : routeRefusal(route, caller, options)
  if (refusal !== undefined) throw refusal
}
