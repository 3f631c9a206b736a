import type { IncomingMessage } from 'node:http'
import { AppError } from '../../lib/app-error.ts'
import type { RequestContext } from '../request-context.ts'
import { type Handler, type HandlerParts, type RouteOf, withCaller } from './handler.ts'

/** Whether a client asks for `/v1/responses` over a WebSocket, as Codex does first; on 426 it uses POST at once. */
const isResponsesSocket = ({ method, headers }: IncomingMessage, path: string): boolean =>
  method === 'GET' && path === '/v1/responses' && /\bwebsocket\b/i.test(headers.upgrade ?? '')

/** Paths that nobody answers. */
export const refuseUnknown = ({ request, path }: RequestContext): never => {
  if (isResponsesSocket(request, path)) throw new AppError('responses_socket_not_implemented')
  throw new AppError('invalid_url', { params: { method: request.method ?? '', path } })
}

/** Calls of known APIs that are not built; most are refused only to callers with a good key. */
export const createUnbuiltHandler = (parts: HandlerParts): Handler<RouteOf<'unbuilt'>> => {
  const refuseCaller = withCaller<RouteOf<'unbuilt'>>(parts, (_, { code }) => {
    throw new AppError(code)
  })
  return (context, route) => {
    if (route.open) throw new AppError(route.code)
    return refuseCaller(context, route)
  }
}
