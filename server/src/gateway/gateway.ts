import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { ownMember } from '@tollgate/contract/own-member'
import { AppError } from '../lib/app-error.ts'
import { newRequestId } from '../lib/ids.ts'
import type { Client } from '../relay/call.ts'
import { failureOf } from '../relay/failure.ts'
import { programOf } from '../relay/programs/program-of.ts'
import { createArrivals } from './arrivals.ts'
import { inFormOf } from './client-forms.ts'
import type { GatewayParts } from './gateway-parts.ts'
import { openGatewayShared } from './gateway-shared.ts'
import type { Handler, RouteOf } from './handlers/handler.ts'
import { createLiveListener } from './handlers/live.ts'
import { createRealtimeListener } from './handlers/realtime.ts'
import { createAnswerCall } from './handlers/relay.ts'
import { type BatchedCalls, createBatchedCalls } from './own-calls/batched-calls.ts'
import { createOwnCalls, type OwnCalls } from './own-calls/own-calls.ts'
import { withRepeats } from './own-calls/repeated-calls.ts'
import { type CheckPlan, createPlanCheck } from './plan/plan-check.ts'
import { type CallReplays, createReplays } from './replays/replays.ts'
import type { RequestContext } from './request-context.ts'
import { ArrayClient } from './response/array-client.ts'
import { answerPreflight, ResponseClient } from './response/response-client.ts'
import { ShapedClient } from './response/shaped-client.ts'
import { createResponsesSockets } from './responses-socket/listener.ts'
import { createHandlers } from './route-handlers.ts'
import { createRoutes, type Route } from './routes.ts'
import { openRunningCalls } from './running-calls.ts'

export interface Gateway {
  /** Takes a request whose path is the relay's; false leaves it to the console. */
  handle(request: IncomingMessage, response: ServerResponse): boolean
  /** True if `upgrade` takes this WebSocket request; others are answered like plain requests. */
  takesUpgrade(request: IncomingMessage): boolean
  /** Takes a connection that becomes a WebSocket. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /**
   * The process begins to end: modules begin no more calls of their own, and WebSocket sessions, which may last for hours, end. `soon`
   * lets a response finish first, `now` does not.
   */
  endSessions(how: 'soon' | 'now'): void
  /** Repeats captured calls. */
  readonly replays: CallReplays
  /** Makes calls for keys whose clients have left. */
  readonly ownCalls: OwnCalls
  /** Calls that are lines of batches which providers run. */
  readonly batchedCalls: BatchedCalls
  /** Absent where calls have no deadlines. */
  readonly deadlines: GatewayParts['deadlines']
  readonly checkPlan: CheckPlan
  /** Resolves when no call is running, including those whose client has disconnected. */
  over(): Promise<void>
  /** Number of running calls. */
  readonly running: number
  close(): Promise<void>
}

const wantsList = (route: Route, query: string): boolean =>
  route.kind === 'relay' && route.stream && route.dialect?.paths.asksForList(query) === true

/** The client as the relay writes to it; some routes convert the answer into another shape first. */
const clientFor = (route: Route, query: string, client: Client): Client => {
  if (route.kind === 'relay' && !route.stream && route.shape === undefined) return client
  if (wantsList(route, query)) return new ArrayClient(client)
  return route.kind === 'relay' && route.shape !== undefined ? new ShapedClient(client, route.shape) : client
}

/** Value of a header that is sent at most once; undefined otherwise. */
const headerOf = ({ headers }: IncomingMessage, name: string): string | undefined => {
  const value = ownMember(headers, name)
  return typeof value === 'string' ? value : undefined
}

export const createGateway = (parts: GatewayParts): Gateway => {
  const { clock } = parts
  const routes = createRoutes(parts.dialects, parts.moduleRoutes)
  const { routeOf } = routes
  const arrivals = createArrivals(routes)
  const runningCalls = openRunningCalls()
  const { track, over } = runningCalls
  const { requestEnded, tracing } = parts
  const shared = openGatewayShared(parts)
  const { authentication, failures, plans } = shared
  const realtime = createRealtimeListener({ ...shared, track })
  const responses = createResponsesSockets({ ...shared, track })
  const live = createLiveListener({ ...shared, routeOf, track })
  const socketListeners = [realtime, responses, live]
  const replays = createReplays({ ...shared, routes, track })

  const answerCall = createAnswerCall(shared)
  const ending = new AbortController()
  const ofOwnCalls = { ...shared, routes, track, ending: ending.signal }
  const ownCalls = withRepeats(createOwnCalls({ ...ofOwnCalls, answer: answerCall }), ofOwnCalls)
  const batchedCalls = createBatchedCalls(ofOwnCalls, parts.batchLines)
  const handlers = createHandlers(shared, answerCall)

  const dispatch = <Kind extends Route['kind']>(
    context: RequestContext,
    route: RouteOf<Kind>,
  ): Promise<void> | undefined => {
    const handle = handlers[route.kind] as Handler<RouteOf<Kind>>
    return handle(context, route)
  }

  const refuse = async (context: RequestContext, thrown: unknown): Promise<void> => {
    const error = thrown instanceof AppError ? thrown : new AppError('internal_error', { cause: thrown })
    const failure = failureOf(error)
    await authentication.noteRefusal(context, thrown, failure)
    failures.afterRecord(context, () => failures.send(context, failure))
  }

  const finish = (context: RequestContext, status: number): void => {
    requestEnded?.(context, status)
    context.requestTrace?.ended(status)
  }

  // Not async: that would add one microtask to each call.
  const serve = (context: RequestContext): Promise<void> => {
    try {
      const handled = dispatch(context, context.route)
      return handled === undefined ? Promise.resolve() : handled.catch((error: unknown) => refuse(context, error))
    } catch (error) {
      return refuse(context, error)
    }
  }

  return {
    handle(request, response) {
      const method = request.method ?? ''
      const arrival = arrivals.of(method, request.url ?? '/')
      if (arrival === undefined) return false
      const id = newRequestId()
      if (request.method === 'OPTIONS') {
        answerPreflight(request, response, id)
        return true
      }
      const { path, query } = arrival
      const route = inFormOf(arrival.route, request.headers)
      const client = new ResponseClient(response, id, parts.answerMemory)
      const startedAt = clock()
      const requestTrace = tracing?.begin({
        id,
        startedAt,
        method,
        kind: route.kind,
        path,
        header: (name) => headerOf(request, name),
      })
      const context: RequestContext = {
        id,
        startedAt,
        request,
        client: clientFor(route, query, client),
        answerHeaders: client.headers,
        path,
        query,
        ip: parts.clientAddress(request),
        program: programOf(request.headers),
        route,
        caller: undefined,
        model: '',
        stream: false,
        requestTrace,
      }
      const call = serve(context)
      if (requestEnded === undefined && requestTrace === undefined) track(call, context)
      else
        track(
          call.then(() => finish(context, response.statusCode)),
          context,
        )
      return true
    },
    takesUpgrade: (request) => socketListeners.some((listener) => listener.takes(request)),
    upgrade(request, socket, head) {
      socketListeners.find((listener) => listener.takes(request))?.open(request, socket, head)
    },
    endSessions(how) {
      ending.abort()
      parts.realtime.leave(how)
      responses.leave(how)
      live.leave()
    },
    replays,
    ownCalls,
    batchedCalls,
    deadlines: parts.deadlines,
    checkPlan: createPlanCheck({ ...parts, authentication, plans, present: parts.present ?? parts }),
    over,
    get running() {
      return runningCalls.running
    },
    close: parts.parser.close,
  }
}
