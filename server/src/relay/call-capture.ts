import type { Client } from './client.ts'
import type { RelayChannel, RequestRecord } from './ports.ts'
import type { Headers } from './upstream/upstream.ts'

/** A request to an upstream, as it is sent. */
export interface SentRequest {
  readonly channel: RelayChannel
  /** Cut out of everything that is stored. */
  readonly key: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  readonly unsupported: readonly string[]
}

/** Recorder of the response to one upstream request. */
export interface AttemptCapture {
  head(status: number, headers: Headers): void
  data(chunk: Buffer): void
}

/**
 * Records the bytes of one call, up to a limit. Calls that are not inspected have none, so each step tests for it once. Methods return
 * at once and never throw.
 */
export interface CallCapture {
  /** True once the call is certain to be inspected, which its record then states. */
  readonly taken: boolean
  /** Wraps the client so that its answer is recorded. */
  tap(client: Client): Client
  /** undefined where this upstream is not inspected. */
  sent(request: SentRequest): AttemptCapture | undefined
  /** Adds the record of the call. */
  recorded(record: RequestRecord): void
  /** Ends the capture; `failure` is the error that the client still gets. */
  ended(failure: { readonly status: number; readonly body: string } | undefined): void
}
