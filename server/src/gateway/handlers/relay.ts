import { errors } from '@tollgate/contract'
import { isObject, type JsonObject, textIn } from '../../dialects/conversation/json.ts'
import { AppError } from '../../lib/app-error.ts'
import type { RelayCall } from '../../relay/call.ts'
import { failureOf } from '../../relay/failure.ts'
import type { Caller } from '../../relay/ports.ts'
import type { Relay } from '../../relay/relay.ts'
import { admit, admitToPlayground } from '../auth/admit.ts'
import type { AdmitParts } from '../auth/admit-parts.ts'
import { type DeadlineCalls, deadlineHeader } from '../deadlines/deadline-calls.ts'
import type { CallerUser } from '../ports.ts'
import type { RequestContext } from '../request-context.ts'
import { sendJson } from '../response/send-failure.ts'
import type { BackgroundCalls } from '../stored/background-calls.ts'
import { RecordingClient } from '../stored/recording-client.ts'
import type { StoredTurn, StoredTurns } from '../stored/stored-turns.ts'
import { streamEvents } from '../stored/stream-events.ts'
import { rememberingClient, withRecalled } from '../thoughts/remembered-call.ts'
import type { ThoughtMemory } from '../thoughts/thought-memory.ts'
import { type Handler, type HandlerParts, type RouteOf, withCaller } from './handler.ts'

export interface RelayHandlerParts extends HandlerParts, AdmitParts {
  /** Absent where answers come at once alone. */
  readonly background?: BackgroundCalls | undefined
  /** Absent where calls have no deadlines. */
  readonly deadlines?: DeadlineCalls | undefined
  readonly relay: Relay
  readonly turns: StoredTurns
  readonly thoughts: ThoughtMemory
}

/** A turn with a stored answer, and the client that collects it. */
const recordedTurn = ({ client }: RequestContext, turn: StoredTurn) => ({
  turn,
  client: new RecordingClient(client, turn.rules.collect()),
})

const namesDeadline = ({ body: { metadata } }: RelayCall): boolean => isObject(metadata) && 'deadline' in metadata

const isAboutSession = ({ code }: AppError): boolean =>
  /^(not_signed_in|access_token_invalid|user_id_header_\w+|user_banned|permission_denied|cross_origin)$/.test(code)

/** Answers a call of an authenticated caller. `sent` is its body; absent where it is still to be read from the request. */
export type AnswerCall = (context: RequestContext, caller: Caller, sent?: Buffer) => Promise<void>

export const createAnswerCall = (parts: RelayHandlerParts): AnswerCall => {
  const { relay, authentication, bodies, failures, background, deadlines } = parts

  /** The response of a call whose answer is to come later, as it stands now; undefined for every other call. */
  const queued = (
    context: RequestContext,
    caller: Caller,
    { model, body }: RelayCall,
    turn: StoredTurn,
  ): Promise<JsonObject> | undefined => {
    if (body.background !== true || background === undefined || turn.rules.kind !== 'response') return undefined
    if (!parts.turns.stores(turn, caller)) return undefined
    const call = { context, caller, turn, model }
    return Promise.resolve(relay.assertCanPay(caller)).then(() => background.queue(call))
  }

  return async (context, caller, sent) => {
    const options = parts.options()
    if (options.rateLimit.enabled && context.isCounted !== true) {
      await authentication.rateLimited(caller, options.rateLimit)
      context.isCounted = true
    }
    const admitted = admit(context, caller, sent ?? (await bodies.paid(context, caller)), parts)
    const { call: received, turn } = admitted instanceof Promise ? await admitted : admitted
    const { headers } = context.request
    if (caller.deadlineOnly === true && deadlines !== undefined) {
      const { body, model } = received
      deadlines.assertStated({ headers, body, model, at: context.startedAt, lane: context.lane })
    }
    const later = turn === undefined ? undefined : queued(context, caller, received, turn)
    if (later !== undefined && turn !== undefined) {
      const response = await later
      const id = textIn(response.id)
      if (!received.stream || background === undefined || id === undefined)
        sendJson(context.client, 200, JSON.stringify(response))
      else await streamEvents(context.client, (signal) => background.events({ id, owner: turn.owner }, -1, signal))
      return
    }
    // Thoughts belong to tools, which a plain call has none of.
    const isPlain = received.plain !== undefined
    // A plain body has no metadata.
    const isTimed =
      headers[deadlineHeader] !== undefined || context.lane !== undefined || (!isPlain && namesDeadline(received))
    const timed = isTimed && deadlines !== undefined ? deadlines.timed(received, headers, context.lane) : received
    const recalled = isPlain ? timed : withRecalled(timed, parts.thoughts)
    const call = recalled instanceof Promise ? await recalled : recalled
    const recorded = turn !== undefined && parts.turns.stores(turn, caller) ? recordedTurn(context, turn) : undefined
    const own = recorded?.client ?? context.client
    const client = isPlain ? own : rememberingClient(own, call, parts.thoughts)
    const failure = await relay.answer(call, client, (why) => failures.print(context, why))
    failures.afterRecord(context, () => {
      if (failure !== undefined) failures.send(context, failure)
      else authentication.succeeded(caller, options.rateLimit)
      const answer = failure === undefined ? recorded?.client.answer() : undefined
      if (answer !== undefined && recorded !== undefined) parts.turns.store(recorded.turn, answer, caller)
    })
  }
}

/** Calls that are made at upstreams over HTTP; those of the console's playground come with a session, all others with a key. */
export const createRelayHandler = (parts: RelayHandlerParts, answerCall: AnswerCall): Handler<RouteOf<'relay'>> => {
  const { relay, authentication, failures } = parts

  /** Without a session the console gets its own envelope. */
  const refuseSession = async (context: RequestContext, error: AppError): Promise<void> => {
    await authentication.noteRefusal(context, error, failureOf(error))
    const status = errors[error.code].status === 401 ? 401 : 200
    const body = JSON.stringify({ success: false, message: error.textIn('zh') })
    failures.afterRecord(context, () => sendJson(context.client, status, body))
  }

  const answerUser = async (context: RequestContext, user: CallerUser): Promise<void> => {
    const call = await withRecalled(await admitToPlayground(context, user, parts), parts.thoughts)
    const client = rememberingClient(context.client, call, parts.thoughts)
    const failure = await relay.answer(call, client, (why) => failures.print(context, why))
    if (failure !== undefined) failures.afterRecord(context, () => failures.send(context, failure))
  }

  const answerPlayground = async (context: RequestContext): Promise<void> => {
    try {
      const user = await parts.sessions.caller(context.request)
      await answerUser(context, user)
    } catch (error) {
      if (!(error instanceof AppError) || !isAboutSession(error)) throw error
      await refuseSession(context, error)
    }
  }

  const answerKey = withCaller<RouteOf<'relay'>>(parts, (context, _, caller) => answerCall(context, caller))
  return (context, route) => (route.playground ? answerPlayground(context) : answerKey(context, route))
}
