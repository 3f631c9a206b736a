import { createBoundedCache } from '../lib/caches/bounded-cache.ts'
import { routedPath, routedQuery } from './path-aliases.ts'
import { namedRoute, type Route, type Routes } from './routes.ts'

/**
 * Queries that official packages send with every call: Anthropic's for its beta API, and Google's for streams of events. They name no key, no
 * model and no other method, so that nothing is looked for in them.
 */
export const usualQueries: ReadonlySet<string> = new Set(['', '?beta=true', '?alt=sse'])

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
/** Addresses with the name of a model, as Google's packages call them, and the longest that is remembered, in UTF-16 units. */
const mostNamed = 500
const longestNamed = 200

export const createArrivals = ({ routeOf, isRelayPath }: Pick<Routes, 'routeOf' | 'isRelayPath'>): Arrivals => {
  const posted = new Map<string, Arrival>()
  const named = createBoundedCache<string, Arrival>({ entries: mostNamed })

  const remember = (url: string, arrival: Arrival): void => {
    const { path, query, route } = arrival
    if (route.kind !== 'relay' || !usualQueries.has(query)) return
    if (url !== path + query || route.model !== '') {
      if (url.length <= longestNamed) named.set(url, arrival)
    } else if (posted.size < mostKnown) posted.set(url, arrival)
  }

  const read = (method: string, url: string): Arrival | undefined => {
    const mark = url.indexOf('?')
    const fullPath = mark < 0 ? url : url.slice(0, mark)
    if (!isRelayPath(fullPath)) return undefined
    const { path, deployment } = routedPath(fullPath.endsWith('/') ? fullPath.slice(0, -1) : fullPath)
    const route = namedRoute(routeOf(method, path), deployment)
    const sent = mark < 0 ? '' : url.slice(mark)
    const arrival = { path, query: route.kind === 'passthrough' ? sent : routedQuery(sent), route }
    if (method === 'POST') remember(url, arrival)
    return arrival
  }

  return {
    of: (method, url) => (method === 'POST' ? (posted.get(url) ?? named.get(url)) : undefined) ?? read(method, url),
  }
}
