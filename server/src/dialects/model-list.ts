import type { IncomingHttpHeaders } from 'node:http'

/** How a dialect lists models. Clients of several dialects ask for them at OpenAI's address; their headers tell them apart. */
export interface ModelList {
  /** True if the headers of a client at OpenAI's address are this dialect's. */
  isAskedFor(headers: IncomingHttpHeaders): boolean
  entry(name: string): object
  /** The page that the query names; the whole list where it names none. */
  list(names: readonly string[], query: URLSearchParams): object
}
