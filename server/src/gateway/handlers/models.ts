import type { Dialect } from '../../dialects/dialect.ts'
import { AppError } from '../../lib/app-error.ts'
import type { FileFence } from '../../relay/direct/file-fence.ts'
import type { Caller, Channels } from '../../relay/ports.ts'
import { checkModelName } from '../auth/model-checks.ts'
import { withAliases } from '../auth/model-names.ts'
import { sendJson } from '../response/send-failure.ts'
import { type Handler, type HandlerParts, type RouteOf, withCaller } from './handler.ts'
import { type DeprecatedModel, deprecationOf, listingDialect, modelsOf, printModel, printModels } from './model-list.ts'

export interface ModelHandlerParts extends HandlerParts {
  readonly dialects: readonly Dialect[]
  readonly channels: Channels
  readonly clock: () => number
  readonly files: Pick<FileFence, 'modelsFor'>
}

/** Deprecation of the models of a group. An alias ends with its model. */
const endsFor =
  ({ modelEnd, options, clock }: ModelHandlerParts, group: string) =>
  (name: string): DeprecatedModel | undefined =>
    deprecationOf(modelEnd?.(options().modelAliases.get(group)?.get(name) ?? name), clock())

/** Calls `answer` with the names of the models that a caller may use; synchronous where none of them is a caller's own fine-tuned model. */
const withModels = (
  parts: ModelHandlerParts,
  caller: Caller,
  answer: (names: readonly string[]) => void,
): Promise<void> | undefined => {
  const offered = modelsOf(caller, parts.channels.snapshot())
  const named = (models: readonly string[]): void => answer(withAliases(models, caller.group, parts.options()))
  const models = parts.files.modelsFor(caller, offered)
  if (models instanceof Promise) return models.then(named)
  named(models)
  return undefined
}

/** The models that a caller may use. */
export const createModelsHandler = (parts: ModelHandlerParts): Handler<RouteOf<'models'>> =>
  withCaller(parts, ({ client, request, query }, { dialect }, caller) =>
    withModels(parts, caller, (names) => {
      const inDialect = listingDialect(dialect, request.headers, parts.dialects)
      sendJson(
        client,
        200,
        printModels(inDialect, names, endsFor(parts, caller.group), { query, headers: request.headers }),
      )
    }),
  )

/** One model that the caller may use. */
export const createModelHandler = (parts: ModelHandlerParts): Handler<RouteOf<'model'>> =>
  withCaller(parts, ({ client, request }, { dialect, model }, caller) => {
    checkModelName(model)
    return withModels(parts, caller, (names) => {
      if (!names.includes(model)) throw new AppError('model_not_found', { params: { model } })
      const inDialect = listingDialect(dialect, request.headers, parts.dialects)
      sendJson(client, 200, printModel(inDialect, model, endsFor(parts, caller.group), request.headers))
    })
  })
