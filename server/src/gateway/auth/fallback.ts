import type { IncomingHttpHeaders } from 'node:http'
import type { RelayCall } from '../../relay/call.ts'
import type { Channels } from '../../relay/ports.ts'
import { traitsOf } from '../../relay/routing/virtual/call-traits.ts'
import { routeOf } from '../../relay/routing/virtual/route-of-call.ts'
import type { RequestContext } from '../request-context.ts'
import { checkChannel, checkModel } from './model-checks.ts'

/** The call with the route of its virtual model, where its model is one. */
export const routedTo = (
  call: RelayCall,
  headers: IncomingHttpHeaders,
  { channels }: { readonly channels: Channels },
): RelayCall => {
  const virtual = channels.snapshot().virtual(call.caller.group, call.model)
  return virtual === undefined ? call : { ...call, route: routeOf(virtual, traitsOf(call, headers)) }
}

/** Names the model that answers where a limit has put it in the place of another. */
const fallbackHeader = 'x-tollgate-fallback-model'

/** How a call that was admitted goes on with another model; `name` is what its client asked for. */
export const fallbackOf =
  (
    context: Pick<RequestContext, 'request' | 'answerHeaders'> & { model: string },
    name: string,
    parts: { readonly channels: Channels },
  ): RelayCall['withModel'] =>
  (known, { model: other, limit }) => {
    const { caller, model } = known
    checkModel(caller, other)
    checkChannel(caller, other, parts.channels)
    context.model = other
    context.answerHeaders?.push(fallbackHeader, other)
    const fallback = { limit, from: model }
    const instead = { model: other, askedName: name, fallback, plan: undefined, route: undefined, withModel: undefined }
    return routedTo({ ...known, ...instead }, context.request.headers, parts)
  }
