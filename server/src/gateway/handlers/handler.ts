import type { Caller, RelayOptions } from '../../relay/ports.ts'
import type { Authentication } from '../auth/authentication.ts'
import type { Bodies } from '../bodies/bodies.ts'
import type { GatewayPorts } from '../ports.ts'
import type { RequestContext } from '../request-context.ts'
import type { FailureSender } from '../response/send-failure.ts'
import type { Route } from '../routes.ts'

export type RouteOf<Kind extends Route['kind']> = Extract<Route, { kind: Kind }>

/** Answers one kind of route. Throws where the call is refused without a record. Not async, so that a cached key costs no microtask. */
export type Handler<R extends Route> = (context: RequestContext, route: R) => Promise<void> | undefined

/** The same for authenticated callers. */
export type CallerHandler<R extends Route> = (
  context: RequestContext,
  route: R,
  caller: Caller,
) => Promise<void> | undefined

/** Parts that all handlers use. */
export interface HandlerParts extends GatewayPorts {
  readonly authentication: Authentication
  readonly bodies: Bodies
  readonly failures: FailureSender
  readonly options: () => RelayOptions
}

/** Authenticates the request before its handler. */
export const withCaller =
  <R extends Route>({ authentication }: Pick<HandlerParts, 'authentication'>, handle: CallerHandler<R>): Handler<R> =>
  (context, route) => {
    const caller = authentication.callerOf(context)
    // Synchronous for a cached key, which nearly every one is.
    if (caller instanceof Promise) {
      return caller.then((late) => {
        context.caller = late
        return handle(context, route, late)
      })
    }
    context.caller = caller
    return handle(context, route, caller)
  }
