import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** Functions that a `node:http` server calls with requests. */
export interface RequestListeners {
  readonly listener: (request: IncomingMessage, response: ServerResponse) => void
  /** True if a request that asks for a WebSocket gets one; the listener answers the others. */
  readonly takesUpgrade: (request: IncomingMessage) => boolean
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
}

/** The target without the base path; as it came where a proxy has taken the path away already. */
const stripped = (target: string, basePath: string): string => {
  if (!target.startsWith(basePath)) return target
  const rest = target.slice(basePath.length)
  if (rest === '') return '/'
  if (rest.startsWith('?')) return `/${rest}`
  return rest.startsWith('/') ? rest : target
}

/** The same listeners for a site below a base path: they see each request as if the site stood at the root of its host. */
export const atBasePath = (
  basePath: string,
  { listener, takesUpgrade, upgrade }: RequestListeners,
): RequestListeners => {
  const strip = (request: IncomingMessage): void => {
    request.url = stripped(request.url ?? '/', basePath)
  }
  return {
    listener(request, response) {
      strip(request)
      listener(request, response)
    },
    // `node:http` hands a request that it takes to `upgrade`, and one that it refuses to the listener.
    takesUpgrade(request) {
      strip(request)
      return takesUpgrade(request)
    },
    upgrade,
  }
}
