import type { CallPlans } from '../plan/call-plans.ts'
import type { GatewayPorts } from '../ports.ts'
import { sendJson } from '../response/send-failure.ts'
import { type CallerHandler, type Handler, type HandlerParts, type RouteOf, withCaller } from './handler.ts'

/** Calls that modules answer, with a key or with the session of the console. They count for the rate limit like calls of a model. */
export const createModuleCallHandler = (
  parts: HandlerParts & Pick<GatewayPorts, 'publicAddress'> & { readonly plans: Pick<CallPlans, 'admitted'> },
): Handler<RouteOf<'module'>> => {
  const answer: CallerHandler<RouteOf<'module'>> = async (context, { route, params }, caller) => {
    const { rateLimit } = parts.options()
    if (rateLimit.enabled) await parts.authentication.rateLimited(caller, rateLimit)
    let hasFailed = false
    await route.answer({
      context,
      caller,
      params,
      body: () => parts.bodies.paid(context, caller),
      sendJson: (status, body, headers) => sendJson(context.client, status, body, headers),
      address: () => parts.publicAddress(context.request),
      admitted: (name) => parts.plans.admitted(context, caller, { kind: 'session', name }),
      sendFailure(failure) {
        hasFailed = true
        parts.failures.afterRecord(context, () => parts.failures.send(context, failure))
      },
    })
    if (!hasFailed) parts.authentication.succeeded(caller, rateLimit)
  }
  const answerKey = withCaller(parts, answer)
  const answerSession: Handler<RouteOf<'module'>> = async (context, matched) => {
    const user = await parts.sessions.caller(context.request)
    const caller = parts.authentication.ofUser(user, user.group)
    context.caller = caller
    await answer(context, matched, caller)
  }
  return (context, matched) =>
    matched.route.playground ? answerSession(context, matched) : answerKey(context, matched)
}
