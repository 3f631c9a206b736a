import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { Fetch } from './request-context.ts'

const isBelow = (path: string, root: string): boolean => path === root || path.startsWith(`${root}/`)

/** Carries the console's API, SCIM and the site on a `node:http` server: the listener for everything that the relay's gateway leaves. */
export const createConsoleListener = (parts: {
  api: { readonly fetch: Fetch }
  /** Identity providers; their paths belong to the site where nothing serves them. */
  scim?: { readonly fetch: Fetch }
  site: { readonly fetch: Fetch }
}): ((request: IncomingMessage, response: ServerResponse) => void) => {
  const listener = getRequestListener(
    (request, { incoming }) => {
      const { pathname } = new URL(request.url)
      const isScim = parts.scim !== undefined && isBelow(pathname.toLowerCase(), '/scim')
      const app = isBelow(pathname, '/api') ? parts.api : ((isScim ? parts.scim : undefined) ?? parts.site)
      return app.fetch(request, { address: incoming.socket.remoteAddress })
    },
    { overrideGlobalObjects: false },
  )
  return (request, response) => void listener(request, response)
}
