import { routedPath, routedQuery } from './path-aliases.ts'
import { namedRoute, type Route, type Routes } from './routes.ts'

/** Route of a request, by its method and address. */
export interface Arrival {
  /** As the routes know it. */
  readonly path: string
  /** With its question mark, or empty; without what is the gateway's alone. */
  readonly query: string
  readonly route: Route
}

/** Reads the addresses of requests. */
export interface Arrivals {
  /** undefined where the path is not the relay's. */
  of(method: string, url: string): Arrival | undefined
}

/** Addresses without a name in them: nearly every call has one of a few. */
const mostKnown = 100

export const createArrivals = ({ routeOf, isRelayPath }: Pick<Routes, 'routeOf' | 'isRelayPath'>): Arrivals => {
  const posted = new Map<string, Arrival>()

  const read = (method: string, url: string): Arrival | undefined => {
    const mark = url.indexOf('?')
    const fullPath = mark < 0 ? url : url.slice(0, mark)
    if (!isRelayPath(fullPath)) return undefined
    const { path, deployment } = routedPath(fullPath.endsWith('/') ? fullPath.slice(0, -1) : fullPath)
    const route = namedRoute(routeOf(method, path), deployment)
    const sent = mark < 0 ? '' : url.slice(mark)
    const arrival = { path, query: route.kind === 'passthrough' ? sent : routedQuery(sent), route }
    const isFixed = method === 'POST' && url === path && route.kind === 'relay' && route.model === ''
    if (isFixed && posted.size < mostKnown) posted.set(url, arrival)
    return arrival
  }

  return { of: (method, url) => (method === 'POST' ? posted.get(url) : undefined) ?? read(method, url) }
}
