import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { Fetch } from './request-context.ts'

const isApi = (path: string): boolean => path === '/api' || path.startsWith('/api/')

/** Carries the console's API and its site on a `node:http` server: the listener for everything the relay's door leaves. */
export const createConsoleListener = (parts: {
  api: { readonly fetch: Fetch }
  site: { readonly fetch: Fetch }
}): ((request: IncomingMessage, response: ServerResponse) => void) => {
  const listener = getRequestListener(
    (request, { incoming }) => {
      const door = isApi(new URL(request.url).pathname) ? parts.api : parts.site
      return door.fetch(request, { address: incoming.socket.remoteAddress })
    },
    { overrideGlobalObjects: false },
  )
  return (request, response) => void listener(request, response)
}
