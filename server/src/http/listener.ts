import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { Fetch } from './request-context.ts'

const isBelow = (path: string, root: string): boolean => path === root || path.startsWith(`${root}/`)

/** Calls below a path, in capital or small letters, that are none of the console's API. */
export interface ServedPath {
  /** E.g. `/metrics`. */
  readonly path: string
  readonly fetch: Fetch
}

/** Carries the console's API, the paths of modules and the site on a `node:http` server: the listener for everything that the relay's gateway leaves. */
export const createConsoleListener = (parts: {
  api: { readonly fetch: Fetch }
  /** Of modules; a path that none of them serves belongs to the site. */
  served?: readonly ServedPath[]
  site: { readonly fetch: Fetch }
}): ((request: IncomingMessage, response: ServerResponse) => void) => {
  const listener = getRequestListener(
    (request, { incoming }) => {
      const { pathname } = new URL(request.url)
      const served = (): ServedPath | undefined =>
        parts.served?.find(({ path }) => isBelow(pathname.toLowerCase(), path))
      const app = isBelow(pathname, '/api') ? parts.api : (served() ?? parts.site)
      return app.fetch(request, { address: incoming.socket.remoteAddress })
    },
    { overrideGlobalObjects: false },
  )
  return (request, response) => void listener(request, response)
}
