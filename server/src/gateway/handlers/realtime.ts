import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { JsonObject } from '../../dialects/conversation/json.ts'
import { openaiErrors } from '../../dialects/openai-chat/errors.ts'
import { AppError } from '../../lib/app-error.ts'
import type { JsonBounds } from '../../lib/json/json-bounds.ts'
import { type CallFailure, failureOf } from '../../relay/failure.ts'
import type { Realtime } from '../../relay/realtime/ports.ts'
import type { ClientSecrets } from '../auth/client-secrets.ts'
import { realtimeProtocol } from '../auth/key-of.ts'
import type { GatewayPorts } from '../ports.ts'
import type { ArrivedRequest } from '../request-context.ts'
import { RealtimeSocketClient } from '../sockets/socket-client.ts'
import type { SocketPlaces } from '../sockets/socket-places.ts'
import { arrivedRequest, isHandshake, openWebSockets, refuseUpgrade, routedUrl } from '../sockets/upgrades.ts'
import { type SessionCallParts, sessionCall, sessionListener } from './session-call.ts'

export interface RealtimeListenerParts extends GatewayPorts, SessionCallParts {
  readonly realtime: Realtime
  readonly clientSecrets: ClientSecrets
  readonly places: SocketPlaces
  readonly bounds: JsonBounds
  /** Delays the end of the process until the session has ended. */
  readonly track: (call: Promise<void>) => void
}

export interface RealtimeListener {
  takes(request: IncomingMessage): boolean
  open(request: IncomingMessage, socket: Duplex, head: Buffer): void
}

/** Session settings of the address (platform.openai.com/docs/guides/realtime-transcription). Throws AppError('invalid_text_request'). */
const settingsIn = (query: string): JsonObject => {
  const parameters = new URLSearchParams(query)
  if (parameters.has('call_id')) {
    const detail = 'a call over WebRTC cannot be joined here: its events go to the client that opened it'
    throw new AppError('invalid_text_request', { params: { detail } })
  }
  return parameters.get('intent') === 'transcription' ? { type: 'transcription' } : {}
}

/** Accepts realtime sessions; refusals come before the WebSocket handshake. */
export const createRealtimeListener = (parts: RealtimeListenerParts): RealtimeListener => {
  const { realtime, authentication, track } = parts
  const sockets = openWebSockets({
    handleProtocols: (offered) => (offered.has(realtimeProtocol) ? realtimeProtocol : false),
  })

  const have = async (context: ArrivedRequest, client: RealtimeSocketClient): Promise<CallFailure | undefined> => {
    const secret = parts.clientSecrets.usedIn(context)
    const caller = await authentication.callerOf(context, secret?.sent)
    context.caller = caller
    const { rateLimit } = parts.options()
    await authentication.rateLimited(caller, rateLimit)
    const call = sessionCall(context, caller, secret?.session ?? settingsIn(context.query), parts)
    client.admit(parts.places.take(caller))
    client.whenAccepted(() => authentication.succeeded(caller, rateLimit))
    return realtime.answer(call, client, sessionListener(context, call, secret, parts))
  }

  const serve = async (context: ArrivedRequest, socket: Duplex, head: Buffer): Promise<void> => {
    const client = new RealtimeSocketClient({
      ...context,
      socket,
      head,
      sockets,
      bounds: parts.bounds,
      maxRequestBytes: parts.maxRequestBytes,
      messageMs: parts.messageMs,
    })
    const failure = await have(context, client).catch(async (thrown: unknown) => {
      const error = thrown instanceof AppError ? thrown : new AppError('internal_error', { cause: thrown })
      const why = failureOf(error)
      await authentication.noteRefusal(context, thrown, why)
      return why
    })
    if (failure === undefined || client.gone) return
    try {
      refuseUpgrade(context, client.back(), failure, openaiErrors)
    } catch (error) {
      // The failure has its record.
      parts.log('recorded_answer_unsent', { request_id: context.id, error })
      socket.destroy()
    }
  }

  return {
    takes: (request) => request.method === 'GET' && routedUrl(request).path === '/v1/realtime' && isHandshake(request),
    open(request, socket, head) {
      const context = arrivedRequest(request, parts)
      track(serve(context, socket, head))
    },
  }
}
