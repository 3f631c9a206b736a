import type { CallPlans } from '../plan/call-plans.ts'
import type { GatewayPorts } from '../ports.ts'
import { sendJson } from '../response/send-failure.ts'
import { type Handler, type HandlerParts, type RouteOf, withCaller } from './handler.ts'

/** Calls that modules answer. They count for the rate limit like calls of a model. */
export const createModuleCallHandler = (
  parts: HandlerParts & Pick<GatewayPorts, 'publicAddress'> & { readonly plans: Pick<CallPlans, 'admitted'> },
): Handler<RouteOf<'module'>> =>
  withCaller(parts, async (context, { route, params }, caller) => {
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
  })
