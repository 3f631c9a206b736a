import type { Dialect } from '../../dialects/dialect.ts'
import { AppError } from '../../lib/app-error.ts'
import type { Channels } from '../../relay/ports.ts'
import { withAliases } from '../auth/model-names.ts'
import { checkModelName } from '../bounds/model-name.ts'
import { sendJson } from '../response/send-failure.ts'
import { type Handler, type HandlerParts, type RouteOf, withCaller } from './handler.ts'
import { type DeprecatedModel, deprecationOf, listingDialect, modelsOf, printModel, printModels } from './model-list.ts'

export interface ModelHandlerParts extends HandlerParts {
  readonly dialects: readonly Dialect[]
  readonly channels: Channels
  readonly clock: () => number
}

/** What lists say of models that are about to end. An alias ends with its model. */
const endsFor =
  ({ modelEnd, options, clock }: ModelHandlerParts, group: string) =>
  (name: string): DeprecatedModel | undefined =>
    deprecationOf(modelEnd?.(options().modelAliases.get(group)?.get(name) ?? name), clock())

/** The models that a caller may use. */
export const createModelsHandler = (parts: ModelHandlerParts): Handler<RouteOf<'models'>> =>
  withCaller(parts, ({ client, request }, { dialect }, caller) => {
    const names = withAliases(modelsOf(caller, parts.channels.snapshot()), caller.group, parts.options())
    sendJson(
      client,
      200,
      printModels(listingDialect(dialect, request.headers, parts.dialects), names, endsFor(parts, caller.group)),
    )
    return undefined
  })

/** One of them. */
export const createModelHandler = (parts: ModelHandlerParts): Handler<RouteOf<'model'>> =>
  withCaller(parts, ({ client, request }, { dialect, model }, caller) => {
    checkModelName(model)
    const names = withAliases(modelsOf(caller, parts.channels.snapshot()), caller.group, parts.options())
    if (!names.includes(model)) {
      throw new AppError('model_not_found', { params: { model } })
    }
    sendJson(
      client,
      200,
      printModel(listingDialect(dialect, request.headers, parts.dialects), model, endsFor(parts, caller.group)),
    )
    return undefined
  })
