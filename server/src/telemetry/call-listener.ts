import type { RelayChannel, RequestRecord, UpstreamFailure } from '../relay/ports.ts'

/** A request to the relay that is over, whatever came of it. */
export interface EndedRequest {
  /** The kind of its route, e.g. `relay` or `models`. */
  readonly kind: string
  readonly status: number
  /** Milliseconds. */
  readonly tookMs: number
}

/** One request to an upstream that is over. */
export interface EndedAttempt {
  readonly channel: RelayChannel
  /** Failure that counts against the channel; undefined if the channel answered. */
  readonly failure: UpstreamFailure | undefined
  readonly model: string
  /** Milliseconds. */
  readonly tookMs: number
  /** Milliseconds to the first content of a stream, -1 where nothing was streamed. */
  readonly firstContentMs: number
}

/** Gets news of calls as they end, on the request path: each method returns at once and throws nothing. */
export interface CallListener {
  readonly requestEnded?: ((request: EndedRequest) => void) | undefined
  readonly attemptEnded: (attempt: EndedAttempt) => void
  /** A call was charged, or its failure recorded; `times` of a record says for how many calls it stands. */
  readonly callRecorded: (record: RequestRecord) => void
}

/** One listener for several; the only one as it is. */
export const joinListeners = (listeners: readonly CallListener[]): CallListener | undefined => {
  const [first, ...others] = listeners
  if (first === undefined || others.length === 0) return first
  const requestListeners = listeners.flatMap(({ requestEnded }) => requestEnded ?? [])
  return {
    requestEnded:
      requestListeners.length === 0
        ? undefined
        : (request) => {
            for (const requestEnded of requestListeners) requestEnded(request)
          },
    attemptEnded(attempt) {
      for (const listener of listeners) listener.attemptEnded(attempt)
    },
    callRecorded(record) {
      for (const listener of listeners) listener.callRecorded(record)
    },
  }
}
