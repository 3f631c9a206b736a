import type { Client } from './client.ts'
import type { RelayChannel, RequestRecord } from './ports.ts'
import type { Headers } from './upstream/upstream.ts'

/** A request as it goes to an upstream. */
export interface SentRequest {
  readonly channel: RelayChannel
  /** Cut out of everything that is stored. */
  readonly key: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  readonly unsupported: readonly string[]
}

/** What comes back for one request to an upstream. */
export interface AttemptCapture {
  head(status: number, headers: Headers): void
  data(chunk: Buffer): void
}

/**
 * Writes down the bytes of one call, up to a bound. Calls that are not inspected have none, so each step asks once whether there is
 * one. Every method returns at once and throws nothing.
 */
export interface CallCapture {
  /** True once it is sure that the call is inspected: its record says so. */
  readonly taken: boolean
  /** The same client, whose answer is written down as it goes out. */
  tap(client: Client): Client
  /** undefined where this upstream is not inspected. */
  sent(request: SentRequest): AttemptCapture | undefined
  /** What the call came to. */
  recorded(record: RequestRecord): void
  /** The call is over; the failure is what its client still gets. */
  ended(failure: { readonly status: number; readonly body: string } | undefined): void
}
