import type { IncomingMessage } from 'node:http'
import { AppError } from '../../lib/app-error.ts'
import type { RequestContext } from '../request-context.ts'
import { type Handler, type HandlerParts, type RouteOf, withCaller } from './handler.ts'

const asksForSocket = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && /\bwebsocket\b/i.test(headers.upgrade ?? '')

/** Answers unknown paths. */
export const refuseUnknown = ({ request, path }: RequestContext, { socket }: RouteOf<'unknown'>): never => {
  if (socket !== undefined && asksForSocket(request)) throw new AppError(socket)
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
