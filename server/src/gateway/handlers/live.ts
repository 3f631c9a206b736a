import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { JsonObject } from '../../dialects/conversation/json.ts'
import { constrainedSetup, resumedHandle } from '../../dialects/gemini/live/live-token.ts'
import { AppError } from '../../lib/app-error.ts'
import type { JsonBounds } from '../../lib/json/json-bounds.ts'
import { type CallFailure, failureOf } from '../../relay/failure.ts'
import type { Caller } from '../../relay/ports.ts'
import type { Realtime } from '../../relay/realtime/ports.ts'
import type { Relay } from '../../relay/relay.ts'
import type { LiveTokens, LiveTokenUse } from '../auth/live-tokens.ts'
import { failureLanguage } from '../failures/language.ts'
import type { GatewayPorts } from '../ports.ts'
import type { ArrivedRequest } from '../request-context.ts'
import { closeReason } from '../response/render-failure.ts'
import type { Routes } from '../routes.ts'
import { LiveClient } from '../sockets/live-client.ts'
import { RealtimeSocketClient } from '../sockets/socket-client.ts'
import type { SocketPlaces } from '../sockets/socket-places.ts'
import { arrivedRequest, isHandshake, openWebSockets, refuseUpgrade, routedUrl } from '../sockets/upgrades.ts'
import { closeCodeOf, type LiveCallParts, liveCall, liveListener, setupIn } from './live-call.ts'

export interface LiveListenerParts extends GatewayPorts, LiveCallParts {
  readonly realtime: Realtime
  readonly liveTokens: LiveTokens
  readonly relay: Pick<Relay, 'assertCanPay'>
  readonly places: SocketPlaces
  readonly bounds: JsonBounds
  readonly routeOf: Routes['routeOf']
  /** Delays the end of the process until the session has ended. */
  readonly track: (call: Promise<void>) => void
}

export interface LiveListener {
  takes(request: IncomingMessage): boolean
  open(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Closes sockets that have not begun a session yet. */
  leave(): void
}

interface Admitted {
  readonly caller: Caller
  readonly token: LiveTokenUse | undefined
}

const asFailure = (thrown: unknown): CallFailure =>
  failureOf(thrown instanceof AppError ? thrown : new AppError('internal_error', { cause: thrown }))

/** Accepts sessions of Gemini Live. A bad key is refused before the WebSocket handshake; other errors become the reason of the close. */
export const createLiveListener = (parts: LiveListenerParts): LiveListener => {
  const { realtime, authentication, track, routeOf } = parts
  const sockets = openWebSockets()

  const clients = new Set<LiveClient>()

  const routeFor = (request: IncomingMessage) => routeOf('GET', routedUrl(request).path)

  const admit = async (context: ArrivedRequest, client: RealtimeSocketClient): Promise<Admitted> => {
    const token = parts.liveTokens.usedIn(context)
    const caller = await authentication.callerOf(context, token?.sent)
    context.caller = caller
    await authentication.rateLimited(caller, parts.options().rateLimit)
    // The session is paid later; a client that cannot pay for anything gets no socket.
    await parts.relay.assertCanPay(caller)
    client.admit(parts.places.take(caller))
    return { caller, token }
  }

  /** The setup of a session: that of the client, or the one that its browser key prescribes. */
  const setupFor = (message: string, token: LiveTokenUse | undefined): JsonObject => {
    const asked = setupIn(message)
    if (token === undefined) return asked
    const setup = constrainedSetup(asked, token)
    // Resuming a session does not count as a new use.
    if (resumedHandle(setup) === undefined) token.begin(parts.clock())
    else token.checkLife(parts.clock())
    return setup
  }

  const have = async (
    context: ArrivedRequest,
    { caller, token }: Admitted,
    client: LiveClient,
  ): Promise<CallFailure | undefined> => {
    try {
      const call = liveCall(context, caller, setupFor(await client.setup, token), parts)
      return await realtime.answer(call, client, liveListener(context, call, token, parts))
    } catch (thrown) {
      const failure = asFailure(thrown)
      if (!client.gone) await authentication.noteRefusal(context, thrown, failure)
      return failure
    }
  }

  const serve = async (context: ArrivedRequest, waiting: RealtimeSocketClient): Promise<void> => {
    let admitted: Admitted
    try {
      admitted = await admit(context, waiting)
    } catch (thrown) {
      const failure = asFailure(thrown)
      await authentication.noteRefusal(context, thrown, failure)
      const route = routeFor(context.request)
      if (!waiting.gone && route.kind === 'live') refuseUpgrade(context, waiting.back(), failure, route.errors)
      return
    }
    if (waiting.gone) return
    const { caller } = admitted
    const client = new LiveClient(waiting, () => authentication.succeeded(caller, parts.options().rateLimit))
    clients.add(client)
    const failure = await have(context, admitted, client)
    clients.delete(client)
    if (failure === undefined) return
    const reason = closeReason(failure, context.id, failureLanguage(context.request.headers))
    client.refuse(closeCodeOf(failure), reason)
  }

  return {
    takes: (request) => request.method === 'GET' && routeFor(request).kind === 'live' && isHandshake(request),
    open(request, socket, head) {
      const context = arrivedRequest(request, parts)
      const client = new RealtimeSocketClient({
        ...context,
        socket,
        head,
        sockets,
        bounds: parts.bounds,
        maxRequestBytes: parts.maxRequestBytes,
        messageMs: parts.messageMs,
        takesBinary: true,
      })
      const failed = (error: unknown): void => {
        parts.log('recorded_answer_unsent', { request_id: context.id, error })
        socket.destroy()
      }
      track(serve(context, client).catch(failed))
    },
    leave() {
      for (const client of clients) client.leave()
    },
  }
}
