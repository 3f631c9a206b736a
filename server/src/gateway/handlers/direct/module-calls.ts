import { AppError } from '../../../lib/app-error.ts'
import type { DirectPlan } from '../../../relay/plan/call-plan.ts'
import { checkModel, checkModelName } from '../../auth/model-checks.ts'
import type { DirectCalls } from '../../module-calls.ts'
import type { CallPlans } from '../../plan/call-plans.ts'
import type { RequestContext } from '../../request-context.ts'
import { sendJson } from '../../response/send-failure.ts'
import type { HandlerParts, RouteOf } from '../handler.ts'

export interface DirectModuleParts {
  /** Absent where no module answers any. */
  readonly directCalls?: DirectCalls | undefined
}

type Parts = HandlerParts & DirectModuleParts & { readonly plans: Pick<CallPlans, 'admitted'> }
type DirectRoute = RouteOf<'passthrough'>

/** Direct calls that a module answers, for keys that may make them. Names of models are those that the provider reads. */
export const createDirectModuleCalls = ({ directCalls, ...parts }: Parts) => ({
  takes: ({ method, path }: DirectRoute, { channel }: DirectPlan): boolean =>
    directCalls?.takes({ channel, method, path }) === true,
  /** False where the module leaves the call to the relay. Throws AppError. */
  async answer(
    context: RequestContext,
    { path }: DirectRoute,
    { caller, held, channel }: DirectPlan,
  ): Promise<boolean> {
    if (directCalls === undefined) return false
    const { rateLimit } = parts.options()
    let hasFailed = false
    const answered = await directCalls.answer({
      context,
      caller: held,
      params: [],
      channel,
      path,
      body: () => parts.bodies.paid(context, caller),
      sendJson: (status, body, headers) => sendJson(context.client, status, body, headers),
      address: () => parts.publicAddress(context.request),
      admitted(name) {
        checkModelName(name)
        checkModel(caller, name)
        const plan = parts.plans.admitted(context, held, { kind: 'written', name })
        if (plan.virtual !== undefined) throw new AppError('virtual_model_not_here', { params: { model: name } })
        return plan
      },
      sendFailure(failure) {
        hasFailed = true
        parts.failures.afterRecord(context, () => parts.failures.send(context, failure))
      },
    })
    if (answered && !hasFailed) parts.authentication.succeeded(caller, rateLimit)
    return answered
  },
})
