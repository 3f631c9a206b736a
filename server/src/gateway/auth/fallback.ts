import type { IncomingHttpHeaders } from 'node:http'
import type { RelayCall } from '../../relay/call.ts'
import type { CallPlan } from '../../relay/plan/call-plan.ts'
import { traitsOf } from '../../relay/routing/virtual/call-traits.ts'
import { routeOf } from '../../relay/routing/virtual/route-of-call.ts'
import type { CallPlans } from '../plan/call-plans.ts'
import type { RequestContext } from '../request-context.ts'

/** The call with the route of its virtual model, where its plan names one. */
export const routedTo = (
  call: RelayCall,
  headers: IncomingHttpHeaders,
  { virtual }: Pick<CallPlan, 'virtual'>,
): RelayCall => (virtual === undefined ? call : { ...call, route: routeOf(virtual, traitsOf(call, headers)) })

/** Names the model that answers where a limit has put it in the place of another. */
const fallbackHeader = 'x-tollgate-fallback-model'

/** Builds an admitted call for another model; `name` is the client's name of it. */
export const fallbackOf =
  (
    context: Pick<RequestContext, 'request' | 'answerHeaders' | 'startedAt'> & { model: string },
    name: string,
    { plans }: { readonly plans: Pick<CallPlans, 'admitted'> },
  ): RelayCall['withModel'] =>
  (known, { model: other, limit }) => {
    const { caller, model } = known
    const { startedAt } = context
    const plan = plans.admitted({ startedAt, model }, caller, { kind: 'written', name: other })
    context.model = other
    context.answerHeaders?.push(fallbackHeader, other)
    const fallback = { limit, from: model }
    const instead = { model: other, askedName: name, fallback, plan, route: undefined, withModel: undefined }
    return routedTo({ ...known, ...instead }, context.request.headers, plan)
  }
