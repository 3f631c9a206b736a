/** The error of a failed call, with what the client may see. */
export interface ClientError {
  readonly status: number
  readonly type: string
  /** As the upstream wrote it: text, a number or null. */
  readonly code: unknown
  readonly param: unknown
  /** Refused before it reached the relay. */
  readonly early: boolean
  /** Set where the error is ours; absent where an upstream named it. */
  readonly english?: string
  /** Seconds, or a date, after which the same call may pass. */
  readonly retryAfter?: string | undefined
}

/** How the clients of an API read errors. */
export interface ErrorFormat {
  /** The body of an answer. `message` is for people. */
  body(error: ClientError, message: string): unknown
  /** The last event of a stream that broke off, from the JSON text of `body`. */
  event(body: string): string
}
