import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { ServerOptions, WebSocketServer } from 'ws'
import type { ErrorFormat } from '../../dialects/errors.ts'
import { newRequestId } from '../../lib/ids.ts'
import { onFirstUse, packageOnUse } from '../../lib/on-first-use.ts'
import type { CallFailure } from '../../relay/failure.ts'
import { programOf } from '../../relay/programs/program-of.ts'
import { failureLanguage } from '../failures/language.ts'
import { routedPath, routedQuery } from '../path-aliases.ts'
import type { GatewayPorts } from '../ports.ts'
import type { ArrivedRequest } from '../request-context.ts'
import { renderFailure } from '../response/render-failure.ts'
import { ResponseClient } from '../response/response-client.ts'
import { retryAdvice } from '../response/send-failure.ts'

/** Path and query of a request, as the routes know them. */
export const routedUrl = ({ url = '' }: IncomingMessage): { readonly path: string; readonly query: string } => {
  const mark = url.indexOf('?')
  const fullPath = mark < 0 ? url : url.slice(0, mark)
  const { path } = routedPath(fullPath.endsWith('/') ? fullPath.slice(0, -1) : fullPath)
  return { path, query: mark < 0 ? '' : routedQuery(url.slice(mark)) }
}

/** True for a valid handshake of RFC 6455 §4.1. */
export const isHandshake = ({ headers }: IncomingMessage): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket' &&
  headers['sec-websocket-version'] === '13' &&
  /^[+/0-9A-Za-z]{22}==$/.test(headers['sec-websocket-key'] ?? '')

/** The request context of a WebSocket handshake. */
export const arrivedRequest = (
  request: IncomingMessage,
  { clock, clientAddress }: Pick<GatewayPorts, 'clientAddress'> & { readonly clock: () => number },
): ArrivedRequest => ({
  id: newRequestId(),
  startedAt: clock(),
  request,
  ...routedUrl(request),
  ip: clientAddress(request),
  program: programOf(request.headers),
  caller: undefined,
  model: '',
  stream: true,
})

/** Answers a request for a WebSocket that is refused, on its bare connection. */
export const refuseUpgrade = (
  { request, id }: ArrivedRequest,
  socket: Duplex,
  failure: CallFailure,
  errors: ErrorFormat,
): void => {
  const body = renderFailure(failure, errors, id, failureLanguage(request.headers))
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(socket as Socket)
  response.once('finish', () => socket.end())
  const client = new ResponseClient(response, id)
  const { retryAfter } = failure
  const more = retryAfter === undefined ? [] : ['Retry-After', retryAfter]
  const length = String(Buffer.byteLength(body))
  const head = ['Content-Type', 'application/json; charset=utf-8', 'Content-Length', length]
  client.head(failure.status, [...head, ...more, ...retryAdvice(failure)])
  client.end(body)
}

const webSockets = packageOnUse<typeof import('ws')>('ws')

/** Lazily creates the server object that turns upgraded connections into WebSockets. */
export const openWebSockets = (options: Pick<ServerOptions, 'handleProtocols'> = {}): (() => WebSocketServer) =>
  onFirstUse(
    () =>
      new (webSockets().WebSocketServer)({
        noServer: true,
        clientTracking: false,
        perMessageDeflate: false,
        // `AcceptedSocket` limits messages, with an error in the client's dialect.
        maxPayload: 0,
        ...options,
      }),
  )
