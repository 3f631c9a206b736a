/** Where clients of a dialect put their key besides `Authorization`, which every dialect may use. */
export interface KeyPlaces {
  /** In lower case; read where `Authorization` holds no key. */
  readonly headers: readonly string[]
  /** Part of a path; calls to such paths use `headers` before `Authorization`. */
  readonly firstAt?: string
  /** Name of a query parameter, read last. Upstreams never get it. */
  readonly query?: string
}
