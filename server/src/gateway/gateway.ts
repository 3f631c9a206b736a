import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { ownMember } from '@tollgate/contract/own-member'
import type { Dialect } from '../dialects/dialect.ts'
import { AppError } from '../lib/app-error.ts'
import { newRequestId } from '../lib/ids.ts'
import type { AnswerMemory } from '../lib/memory/answer-memory.ts'
import type { ReservedMemory } from '../lib/memory/reserved-memory.ts'
import type { Secrets } from '../lib/security/secrets.ts'
import type { BatchCalls } from '../relay/batches/batch-calls.ts'
import type { CachedContents } from '../relay/cached-contents/cached-contents.ts'
import type { Client } from '../relay/call.ts'
import { createDirectFence } from '../relay/direct/direct-fence.ts'
import { createFileFence } from '../relay/direct/file-fence.ts'
import type { MadeObjects } from '../relay/direct/ports.ts'
import { failureOf } from '../relay/failure.ts'
import type { SourceVersion } from '../relay/plan/source-version.ts'
import type { Channels, Prices, RelayOptions } from '../relay/ports.ts'
import { programOf } from '../relay/programs/program-of.ts'
import type { RawCalls } from '../relay/raw/raw-call.ts'
import { createSessionHandles } from '../relay/realtime/live/session-handles.ts'
import type { Realtime } from '../relay/realtime/ports.ts'
import type { Relay } from '../relay/relay.ts'
import type { StoredResponseCalls } from '../relay/routing/stored-response-calls.ts'
import type { StoredResponses } from '../relay/routing/stored-responses.ts'
import type { SessionCounts } from '../relay/sessions/session-counts.ts'
import type { StoredObjects } from '../relay/stored/ports.ts'
import type { TaskRelay } from '../relay/tasks/task-relay.ts'
import type { CountTokens } from '../relay/usage/count-tokens.ts'
import { createArrivals } from './arrivals.ts'
import { createAuthentication } from './auth/authentication.ts'
import { createClientSecrets } from './auth/client-secrets.ts'
import { createKeyFinder } from './auth/key-of.ts'
import { createLiveTokens } from './auth/live-tokens.ts'
import { createBodies } from './bodies/bodies.ts'
import type { BodyParser } from './bodies/body-parser.ts'
import { bodyBoundsOf } from './bodies/parsed-body.ts'
import { inFormOf } from './client-forms.ts'
import { createBillingHandler, createKeyUsageHandler } from './handlers/billing.ts'
import { createCachedContentHandler } from './handlers/cached-contents.ts'
import { createClientSecretHandler } from './handlers/client-secrets.ts'
import { createCountHandler } from './handlers/count.ts'
import { type Handler, type RouteOf, withCaller } from './handlers/handler.ts'
import { createLiveListener } from './handlers/live.ts'
import { createLiveTokenHandler } from './handlers/live-tokens.ts'
import { createModelHandler, createModelsHandler } from './handlers/models.ts'
import { createPassthroughHandler } from './handlers/passthrough.ts'
import { createPictureHandler } from './handlers/picture.ts'
import { createRealtimeListener } from './handlers/realtime.ts'
import { createRealtimeCallHandler } from './handlers/realtime-calls.ts'
import { createRelayHandler } from './handlers/relay.ts'
import { createStoredObjectHandler } from './handlers/stored-objects.ts'
import { createStoredResponseHandler } from './handlers/stored-responses.ts'
import { createTaskHandler } from './handlers/tasks.ts'
import { createUnbuiltHandler, refuseUnknown } from './handlers/unknown.ts'
import { createCallPlans } from './plan/call-plans.ts'
import { type CheckPlan, createPlanCheck, type PresentSources } from './plan/plan-check.ts'
import type { GatewayPorts } from './ports.ts'
import { createReceiptHandler, createReceiptKeysHandler } from './receipts/receipt-handlers.ts'
import { type CallReplays, createReplays } from './replays/replays.ts'
import type { RequestContext } from './request-context.ts'
import { ArrayClient } from './response/array-client.ts'
import { answerPreflight, ResponseClient } from './response/response-client.ts'
import { createFailureSender } from './response/send-failure.ts'
import { ShapedClient } from './response/shaped-client.ts'
import { createResponsesSockets } from './responses-socket/listener.ts'
import { createRoutes, type Route } from './routes.ts'
import { openRunningCalls } from './running-calls.ts'
import { openSocketPlaces } from './sockets/socket-places.ts'
import { createStoredTurns } from './stored/stored-turns.ts'
import type { ThoughtMemory } from './thoughts/thought-memory.ts'

export interface GatewayParts extends GatewayPorts {
  /** The dialects that clients may speak. */
  readonly dialects: readonly Dialect[]
  readonly relay: Relay
  readonly counting: CountTokens
  readonly storedResponseCalls: StoredResponseCalls
  readonly storedResponses: Pick<StoredResponses, 'isNoted' | 'find' | 'keyHashOf'>
  readonly storedObjects: StoredObjects
  /** Owners of the objects that calls have made in the accounts of channels: files, batches, stored responses. */
  readonly madeObjects: MadeObjects
  readonly thoughts: ThoughtMemory
  /** Number of sessions that each browser key has opened. */
  readonly sessionCounts: Pick<SessionCounts, 'sum' | 'calledForGood'>
  readonly secrets: Pick<Secrets, 'encrypt' | 'decrypt'>
  readonly tasks: TaskRelay
  readonly rawCalls: RawCalls
  /** Absent where nothing follows batches of direct calls. */
  readonly batchCalls?: BatchCalls | undefined
  readonly cachedContents: CachedContents
  readonly realtime: Realtime
  readonly channels: Channels
  readonly options: () => RelayOptions
  readonly prices: Prices
  /** The same options and prices, read from what they are made of each time; absent where `options` and `prices` are. */
  readonly present?: PresentSources | undefined
  /** Bumped when options, channels or prices are replaced. */
  readonly sources: SourceVersion
  readonly parser: BodyParser
  readonly keptMemory: ReservedMemory
  /** Accounts for answers that their clients have not read yet; absent where nothing is counted. */
  readonly answerMemory?: AnswerMemory | undefined
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Called at the end of a request, with the status of its answer; must return at once and not throw. */
  readonly requestEnded?: ((context: RequestContext, status: number) => void) | undefined
}

export interface Gateway {
  /** Takes a request whose path is the relay's; false leaves it to the console. */
  handle(request: IncomingMessage, response: ServerResponse): boolean
  /** True if `upgrade` takes this WebSocket request; others are answered like plain requests. */
  takesUpgrade(request: IncomingMessage): boolean
  /** Takes a connection that becomes a WebSocket. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Ends WebSocket sessions, which may last for hours: `soon` lets a response finish first, `now` does not. */
  endSessions(how: 'soon' | 'now'): void
  /** Repeats captured calls. */
  readonly replays: CallReplays
  readonly checkPlan: CheckPlan
  /** Resolves when no call is running, including those whose client has disconnected. */
  over(): Promise<void>
  /** Number of running calls. */
  readonly running: number
  close(): Promise<void>
}

/** Sessions over a WebSocket cannot be had over plain HTTP. */
const refusePlain = (): never => {
  throw new AppError('upgrade_required')
}

type Handlers = { readonly [Kind in Route['kind']]: Handler<RouteOf<Kind>> }

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
  const routes = createRoutes(parts.dialects)
  const { routeOf } = routes
  const arrivals = createArrivals(routes)
  const runningCalls = openRunningCalls()
  const { track, over } = runningCalls
  const { requestEnded, tracing } = parts
  const keys = createKeyFinder(parts.dialects)
  const bounds = bodyBoundsOf(parts.dialects)
  const authentication = createAuthentication({ ...parts, keys })
  const failures = createFailureSender(parts)
  const turns = createStoredTurns(parts)
  const bodies = createBodies({ ...parts, bounds })
  const clientSecrets = createClientSecrets(parts.secrets, keys)
  const liveTokens = createLiveTokens(parts.secrets, parts.sessionCounts)
  const sessionHandles = createSessionHandles(parts.secrets)
  // Messages of WebSockets are as large as bodies.
  const maxRequestBytes = Math.min(parts.maxRequestBytes, parts.keptMemory.largest)
  const places = openSocketPlaces(parts.keptMemory)
  const ofSessions = { clientSecrets, liveTokens, sessionHandles, places }
  const plans = createCallPlans(parts)
  const directFence = createDirectFence(parts)
  const files = createFileFence(parts)
  const shared = {
    ...parts,
    plans,
    directFence,
    files,
    maxRequestBytes,
    keys,
    bodies,
    authentication,
    failures,
    turns,
    ...ofSessions,
  }
  const realtime = createRealtimeListener({ ...shared, bounds, track })
  const responses = createResponsesSockets({ ...shared, bounds, track })
  const live = createLiveListener({ ...shared, bounds, routeOf, track })
  const socketListeners = [realtime, responses, live]
  const tasks = createTaskHandler(shared)
  const replays = createReplays({ ...shared, routes, track })

  /** One handler for each kind of route. */
  const handlers: Handlers = {
    relay: createRelayHandler(shared),
    models: createModelsHandler(shared),
    model: createModelHandler(shared),
    count: createCountHandler(shared),
    stored_response: createStoredResponseHandler(shared),
    stored_object: createStoredObjectHandler(shared),
    cached_content: createCachedContentHandler(shared),
    billing: createBillingHandler(shared),
    key_usage: createKeyUsageHandler(shared),
    receipt: createReceiptHandler(shared),
    receipt_keys: createReceiptKeysHandler(shared),
    passthrough: createPassthroughHandler(shared),
    picture: createPictureHandler(shared),
    drawing: tasks,
    song: tasks,
    realtime: withCaller(shared, refusePlain),
    live: withCaller(shared, refusePlain),
    realtime_call: createRealtimeCallHandler(shared),
    client_secret: createClientSecretHandler(shared),
    live_token: createLiveTokenHandler(shared),
    unbuilt: createUnbuiltHandler(shared),
    unknown: refuseUnknown,
  }

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
      parts.realtime.leave(how)
      responses.leave(how)
      live.leave()
    },
    replays,
    checkPlan: createPlanCheck({ ...parts, authentication, plans, present: parts.present ?? parts }),
    over,
    get running() {
      return runningCalls.running
    },
    close: parts.parser.close,
  }
}
