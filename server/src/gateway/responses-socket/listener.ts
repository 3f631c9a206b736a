import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Dialect } from '../../dialects/dialect.ts'
import { AppError } from '../../lib/app-error.ts'
import type { JsonBounds } from '../../lib/json/json-bounds.ts'
import { failureOf } from '../../relay/failure.ts'
import type { GatewayPorts } from '../ports.ts'
import type { ArrivedRequest } from '../request-context.ts'
import { RealtimeSocketClient } from '../sockets/socket-client.ts'
import type { SocketPlaces } from '../sockets/socket-places.ts'
import { arrivedRequest, isHandshake, openWebSockets, refuseUpgrade, routedUrl } from '../sockets/upgrades.ts'
import { SocketSession, type SocketSessionParts } from './socket-session.ts'

export interface ResponsesSocketParts extends SocketSessionParts, GatewayPorts {
  readonly dialects: readonly Dialect[]
  readonly bounds: JsonBounds
  readonly places: SocketPlaces
}

export interface ResponsesSocketListener {
  takes(request: IncomingMessage): boolean
  open(request: IncomingMessage, socket: Duplex, head: Buffer): void
  leave(how: 'soon' | 'now'): void
}

/** Sockets of one key at a time; an agent has one for each conversation. */
const mostSocketsOfKey = 64
/** As at OpenAI (developers.openai.com/api/docs/guides/websocket-mode). */
const longestMs = 60 * 60_000
const path = '/v1/responses'

/** Listens for responses over WebSockets. The sessions' calls are tracked one by one, so an idle socket keeps no process alive. */
export const createResponsesSockets = (parts: ResponsesSocketParts): ResponsesSocketListener => {
  const { authentication } = parts
  const dialect = parts.dialects.find(({ paths }) => `POST ${path}` in paths.exact)
  const sockets = openWebSockets()
  const sessions = new Set<SocketSession>()
  let leaving = false

  const begin = async (context: ArrivedRequest, client: RealtimeSocketClient, speaks: Dialect): Promise<void> => {
    const caller = await authentication.callerOf(context)
    context.caller = caller
    if (leaving) throw new AppError('shutting_down')
    if (caller.deadlineOnly === true) parts.deadlines?.assertStated()
    await authentication.rateLimited(caller, parts.options().rateLimit)
    await parts.relay.assertCanPay(caller)
    if (client.gone) return
    client.admit(parts.places.take(caller, mostSocketsOfKey))
    const timer = setTimeout(() => session.leave('soon'), longestMs).unref()
    const over = (): void => {
      clearTimeout(timer)
      sessions.delete(session)
    }
    const session = new SocketSession(context, caller, { dialect: speaks, over }, parts)
    sessions.add(session)
    session.begin(client.accept(session))
  }

  return {
    takes: (request) =>
      dialect !== undefined && request.method === 'GET' && routedUrl(request).path === path && isHandshake(request),

    open(request, socket, head) {
      if (dialect === undefined) return
      const context = arrivedRequest(request, parts)
      const client = new RealtimeSocketClient({
        ...context,
        socket,
        head,
        sockets,
        bounds: parts.bounds,
        maxRequestBytes: parts.maxRequestBytes,
        messageMs: parts.messageMs,
      })
      const refused = async (thrown: unknown): Promise<void> => {
        const error = thrown instanceof AppError ? thrown : new AppError('internal_error', { cause: thrown })
        const failure = failureOf(error)
        await authentication.noteRefusal(context, thrown, failure)
        if (!client.gone) refuseUpgrade(context, client.back(), failure, dialect.errors)
      }
      parts.track(begin(context, client, dialect).catch(refused))
    },

    leave(how) {
      leaving = true
      for (const session of [...sessions]) session.leave(how)
    },
  }
}
