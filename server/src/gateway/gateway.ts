import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { errors } from '@tollgate/contract'
import type { Dialect } from '../dialects/dialect.ts'
import type { ErrorFormat } from '../dialects/errors.ts'
import { openaiErrors } from '../dialects/openai-chat/errors.ts'
import { AppError } from '../lib/app-error.ts'
import { newRequestId } from '../lib/ids.ts'
import type { Client } from '../relay/call.ts'
import { type CallFailure, failureOf } from '../relay/failure.ts'
import type { Caller, Channels, RelayOptions } from '../relay/ports.ts'
import type { Realtime } from '../relay/realtime/ports.ts'
import type { Relay } from '../relay/relay.ts'
import type { KeptCalls } from '../relay/routing/kept-calls.ts'
import { failureOfRefusal, TaskRefused } from '../relay/tasks/refusal.ts'
import type { TaskRelay } from '../relay/tasks/task-relay.ts'
import type { CountTokens } from '../relay/usage/count-tokens.ts'
import { admit, admitToPlayground } from './auth/admit.ts'
import { createBodies } from './bodies/bodies.ts'
import type { BodyParser } from './bodies/body-parser.ts'
import { checkModelName } from './bounds/model-name.ts'
import { createEntrance } from './entrance.ts'
import { failureLanguage } from './failures/language.ts'
import { retryAdvice } from './failures/permanent.ts'
import { type BillingQuestion, billingAnswer } from './handlers/billing-answer.ts'
import { listingDialect, modelsOf, printModel, printModels } from './handlers/model-list.ts'
import { sendPicture } from './handlers/picture.ts'
import { createRealtimeDoor } from './handlers/realtime-door.ts'
import { asksUpstream, createTaskDoor, taskRefusal } from './handlers/task-door.ts'
import type { TaskRoute } from './handlers/task-routes.ts'
import type { DoorParts } from './ports.ts'
import { ArrayClient } from './response/array-client.ts'
import { renderFailure } from './response/render-failure.ts'
import { answerPreflight, ResponseClient } from './response/response-client.ts'
import { drawingErrors, songErrors } from './response/task-errors.ts'
import { createRoutes, type Route } from './routes.ts'
import { openUnderWay } from './under-way.ts'
import type { Visit } from './visit.ts'

export interface GatewayParts extends DoorParts {
  /** The dialects that clients may speak. */
  readonly dialects: readonly Dialect[]
  readonly relay: Relay
  readonly counting: CountTokens
  readonly keptCalls: KeptCalls
  readonly tasks: TaskRelay
  readonly realtime: Realtime
  readonly channels: Channels
  readonly options: () => RelayOptions
  readonly parser: BodyParser
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

export interface Gateway {
  /** Takes a request whose path is the relay's; false leaves it to the console. */
  handle(request: IncomingMessage, response: ServerResponse): boolean
  /** Whether a request for a WebSocket is for `upgrade`; others are answered like requests that ask for none. */
  takesUpgrade(request: IncomingMessage): boolean
  /** Takes a connection that becomes a WebSocket. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Ends sessions, which would go on for hours: `soon` when nothing of a response is missing, or at once. */
  endSessions(how: 'soon' | 'now'): void
  /** Resolves when no call is under way, not even one whose client has left. */
  over(): Promise<void>
  close(): Promise<void>
}

const jsonHead = (body: string | Buffer, more: readonly string[] = []): string[] => [
  'Content-Type',
  'application/json; charset=utf-8',
  'Content-Length',
  String(Buffer.byteLength(body)),
  ...more,
]

const retryAfter = ({ retryAfter }: CallFailure): string[] =>
  retryAfter === undefined ? [] : ['Retry-After', retryAfter]

/** A status of 426 must name a protocol that the address does take (RFC 9110, 15.5.22). */
const upgradeHeader = ({ status, code }: CallFailure): string[] => {
  if (status !== 426) return []
  return ['Upgrade', code === 'responses_socket_not_implemented' ? 'HTTP/1.1' : 'websocket']
}

/** Whether a client asks for `/v1/responses` over a WebSocket, as Codex does first; on 426 it uses POST at once. */
const isResponsesSocket = ({ method, headers }: IncomingMessage, path: string): boolean =>
  method === 'GET' && path === '/v1/responses' && /\bwebsocket\b/i.test(headers.upgrade ?? '')

const answerJson = (client: Client, status: number, body: string, more?: readonly string[]): void => {
  client.head(status, jsonHead(body, more))
  client.end(body)
}

const isSpeech = (route: Route): boolean => route.kind === 'relay' && route.endpoint === 'speech'

const isPlayground = (route: Route): boolean => route.kind === 'relay' && route.playground

/** The playground is called by the console, which reads the console's envelope when nobody is signed in. */
const consoleAnswer = (error: AppError): { status: number; body: string } => ({
  status: errors[error.code].status === 401 ? 401 : 200,
  body: JSON.stringify({ success: false, message: error.textIn('zh') }),
})

const isAboutSession = ({ code }: AppError): boolean =>
  /^(not_signed_in|access_token_invalid|user_id_header_\w+|user_banned|permission_denied|cross_origin)$/.test(code)

const wantsList = (route: Route, query: string): boolean =>
  route.kind === 'relay' && route.stream && route.dialect?.paths.asksForList(query) === true

export const createGateway = (parts: GatewayParts): Gateway => {
  const { relay, channels, clock } = parts
  const bodies = createBodies(parts)
  const admitParts = { ...parts, bodies }
  const taskDoor = createTaskDoor(admitParts)
  const underWay = openUnderWay()
  const entrance = createEntrance(parts)
  const realtimeDoor = createRealtimeDoor({ ...parts, entrance, underWay })
  const { dialects } = parts
  const { routeOf, isRelayPath } = createRoutes(dialects)

  /** In the format that the client of this request reads. */
  const errorsOf = ({ route, request }: Visit): ErrorFormat => {
    if (route.kind === 'relay' || route.kind === 'unbuilt' || route.kind === 'unknown') return route.errors
    if (route.kind === 'count') return route.dialect.errors
    if (route.kind === 'drawing') return drawingErrors
    if (route.kind === 'song') return songErrors
    if (route.kind !== 'models' && route.kind !== 'model') return openaiErrors
    return listingDialect(route.dialect, request.headers, dialects)?.errors ?? openaiErrors
  }

  /** A failure in the format and the language of its client. */
  const printed = (visit: Visit, failure: CallFailure): string =>
    renderFailure(failure, errorsOf(visit), visit.id, failureLanguage(visit.request.headers))

  const tell = (visit: Visit, failure: CallFailure): void => {
    const { client } = visit
    if (client.gone) return
    const body = failure.printed ?? printed(visit, failure)
    if (client.begun && failure.passed) client.end()
    // Half a sound must not look like a whole one.
    else if (client.begun && isSpeech(visit.route)) visit.request.socket.destroy()
    else if (client.begun) client.end(errorsOf(visit).event(body))
    else
      answerJson(client, failure.status, body, [
        ...retryAfter(failure),
        ...upgradeHeader(failure),
        ...retryAdvice(failure),
      ])
  }

  /** The call has its record: what goes wrong now is logged, never recorded, and breaks the connection. */
  const afterRecord = (visit: Visit, send: () => void): void => {
    try {
      send()
    } catch (error) {
      parts.log('recorded_answer_unsent', { request_id: visit.id, error })
      visit.client.abandon()
    }
  }

  const answerRelay = async (visit: Visit, caller: Caller): Promise<void> => {
    const options = parts.options()
    const limited = entrance.rateLimited(caller, options.rateLimit)
    if (limited !== undefined) await limited
    const admitted = admit(visit, caller, await bodies.paid(visit, caller), admitParts)
    const call = admitted instanceof Promise ? await admitted : admitted
    const failure = await relay.answer(call, visit.client, (why) => printed(visit, why))
    afterRecord(visit, () => {
      if (failure !== undefined) tell(visit, failure)
      else entrance.succeeded(caller, options.rateLimit)
    })
  }

  const answerPlayground = async (visit: Visit): Promise<void> => {
    const user = await parts.sessions.caller(visit.request)
    const call = await admitToPlayground(visit, user, admitParts)
    const failure = await relay.answer(call, visit.client, (why) => printed(visit, why))
    if (failure !== undefined) afterRecord(visit, () => tell(visit, failure))
  }

  const answerModel = ({ client, request }: Visit, caller: Caller, route: Extract<Route, { kind: 'model' }>): void => {
    const dialect = listingDialect(route.dialect, request.headers, dialects)
    checkModelName(route.model)
    if (!modelsOf(caller, channels.snapshot()).includes(route.model)) {
      throw new AppError('model_not_found', { params: { model: route.model } })
    }
    answerJson(client, 200, printModel(dialect, route.model))
  }

  const answerModels = (
    { client, request }: Visit,
    caller: Caller,
    { dialect }: Extract<Route, { kind: 'models' }>,
  ): void => {
    const names = modelsOf(caller, channels.snapshot())
    answerJson(client, 200, printModels(listingDialect(dialect, request.headers, dialects), names))
  }

  const answerCount = async (visit: Visit, caller: Caller): Promise<void> => {
    await entrance.rateLimited(caller, parts.options().rateLimit)
    const call = await admit(visit, caller, await bodies.free(visit), admitParts)
    answerJson(visit.client, 200, JSON.stringify(await parts.counting.count(call)))
  }

  const answerBilling = async ({ client, ip }: Visit, caller: Caller, question: BillingQuestion): Promise<void> => {
    if (!(await parts.mayAsk(ip))) throw new AppError('too_many_requests')
    answerJson(client, 200, JSON.stringify(billingAnswer(question, await parts.accountOf(caller))))
  }

  const answerPicture = async ({ client, ip, request }: Visit, mjId: string): Promise<void> => {
    if (!(await parts.mayAsk(ip))) throw new AppError('too_many_requests')
    const wrong = (status: number, error: string): void => answerJson(client, status, JSON.stringify({ error }))
    try {
      const picture = await parts.drawingPicture(mjId)
      if (picture === undefined) return wrong(400, 'midjourney_task_not_found')
      await sendPicture(picture, client)
    } catch (error) {
      parts.log('task_picture_unavailable', { mj_id: mjId, error })
      if (!client.begun) wrong(500, 'http_get_image_failed')
      // Half a picture must not look like a whole one.
      else request.destroy()
    }
  }

  const answerTask = async (visit: Visit, caller: Caller, route: TaskRoute): Promise<void> => {
    const { rateLimit } = parts.options()
    const counts = asksUpstream(route)
    if (counts) await entrance.rateLimited(caller, parts.options().rateLimit)
    const answer = await taskDoor.answer(visit, caller, route)
    if ('failure' in answer) return afterRecord(visit, () => tell(visit, answer.failure))
    const { status, bytes } = answer
    const head = jsonHead(bytes)
    afterRecord(visit, () => {
      if (counts && status < 400) entrance.succeeded(caller, rateLimit)
      if (visit.client.gone) return
      visit.client.head(status, head)
      visit.client.end(bytes)
    })
  }

  const answerKept = async (visit: Visit, caller: Caller, route: Extract<Route, { kind: 'kept' }>): Promise<void> => {
    await entrance.rateLimited(caller, parts.options().rateLimit)
    const failure = await parts.keptCalls.pass({ ...route, query: visit.query, caller }, visit.client)
    if (failure !== undefined) tell(visit, failure)
  }

  const lead = (visit: Visit): Promise<void> | void => {
    const { route, request, path } = visit
    if (route.kind === 'unknown') {
      if (isResponsesSocket(request, path)) throw new AppError('responses_socket_not_implemented')
      throw new AppError('invalid_url', { params: { method: request.method ?? '', path } })
    }
    if (route.kind === 'unbuilt' && route.open) throw new AppError(route.code)
    if (route.kind === 'picture') return answerPicture(visit, route.mjId)
    if (route.kind === 'relay' && route.playground) return answerPlayground(visit)
    const caller = entrance.callerOf(visit)
    return caller instanceof Promise ? caller.then((late) => leadCaller(visit, late)) : leadCaller(visit, caller)
  }

  const leadCaller = (visit: Visit, caller: Caller): Promise<void> | void => {
    const { route } = visit
    visit.caller = caller
    if (route.kind === 'models') return answerModels(visit, caller, route)
    if (route.kind === 'model') return answerModel(visit, caller, route)
    if (route.kind === 'count') return answerCount(visit, caller)
    if (route.kind === 'drawing' || route.kind === 'song') return answerTask(visit, caller, route)
    if (route.kind === 'kept') return answerKept(visit, caller, route)
    if (route.kind === 'billing') return answerBilling(visit, caller, route.question)
    if (route.kind === 'unbuilt') throw new AppError(route.code)
    if (route.kind === 'realtime') throw new AppError('upgrade_required')
    return answerRelay(visit, caller)
  }

  const refuse = async (visit: Visit, thrown: unknown): Promise<void> => {
    const error = thrown instanceof AppError ? thrown : new AppError('internal_error', { cause: thrown })
    const failure = failureOf(error)
    await entrance.noteRefusal(visit, thrown, failure)
    afterRecord(visit, () => {
      if (!isPlayground(visit.route) || !isAboutSession(error)) return tell(visit, failure)
      const { status, body } = consoleAnswer(error)
      answerJson(visit.client, status, body)
    })
  }

  /** In its platform's own words. Questions are not worth a record. */
  const refuseTask = async (visit: Visit, route: TaskRoute, { refusal }: TaskRefused): Promise<void> => {
    const { caller, client } = visit
    if (caller !== undefined && route.call === 'submit')
      await relay.refuse({ ...visit, caller }, failureOfRefusal(refusal))
    const { status, bytes } = taskRefusal(route, refusal)
    afterRecord(visit, () => {
      if (client.gone) return
      client.head(status, jsonHead(bytes))
      client.end(bytes)
    })
  }

  const stopped = (visit: Visit, error: unknown): Promise<void> => {
    const { route } = visit
    const isTask = route.kind === 'drawing' || route.kind === 'song'
    return isTask && error instanceof TaskRefused ? refuseTask(visit, route, error) : refuse(visit, error)
  }

  // Not async, because that would be one wait more for each call.
  const serve = (visit: Visit): Promise<void> => {
    try {
      const led = lead(visit)
      return led instanceof Promise ? led.catch((error: unknown) => stopped(visit, error)) : Promise.resolve()
    } catch (error) {
      return stopped(visit, error)
    }
  }

  return {
    handle(request, response) {
      const url = request.url ?? '/'
      const mark = url.indexOf('?')
      const asked = mark < 0 ? url : url.slice(0, mark)
      if (!isRelayPath(asked)) return false
      const id = newRequestId()
      if (request.method === 'OPTIONS') {
        answerPreflight(request, response, id)
        return true
      }
      const path = asked.endsWith('/') ? asked.slice(0, -1) : asked
      const query = mark < 0 ? '' : url.slice(mark)
      const route = routeOf(request.method ?? '', path)
      const client = new ResponseClient(response, id)
      const visit = {
        id,
        startedAt: clock(),
        request,
        client: wantsList(route, query) ? new ArrayClient(client) : client,
        path,
        query,
        ip: parts.clientAddress(request),
        route,
        caller: undefined,
        model: '',
        stream: false,
      }
      underWay.add(serve(visit))
      return true
    },
    takesUpgrade: realtimeDoor.takes,
    upgrade: realtimeDoor.open,
    endSessions: parts.realtime.leave,
    over: underWay.over,
    close: parts.parser.close,
  }
}
