import type { RelayCall } from '#server/relay/call.ts'
import type { CallCapture } from '#server/relay/call-capture.ts'
import type { Client } from '#server/relay/client.ts'
import { ForwardingClient } from '#server/relay/forwarding-client.ts'
import type { RequestRecord } from '#server/relay/ports.ts'

/** A call whose request is asked of the second gateway once it is over. */
export interface OwnAnswer {
  readonly call: RelayCall
  readonly record: RequestRecord
  readonly body: Buffer
  readonly isStream: boolean
}

class ListeningClient extends ForwardingClient {
  private readonly sampled: SampledCall

  constructor(client: Client, sampled: SampledCall) {
    super(client)
    this.sampled = sampled
  }

  override head(status: number, headers: readonly string[]): void {
    this.client.head(status, headers)
    this.sampled.head(headers)
  }

  override write(bytes: Buffer | string): boolean {
    const flowing = this.client.write(bytes)
    this.sampled.keep(bytes)
    return flowing
  }

  override end(bytes?: Buffer | string): void {
    this.client.end(bytes)
    if (bytes !== undefined) this.sampled.keep(bytes)
  }
}

/** Keeps what its client gets, up to a bound; more is not compared. Never delays or changes anything. */
export class SampledCall implements CallCapture {
  /** Nobody reads it: its record need not say so. */
  readonly taken = false
  private readonly call: RelayCall
  private readonly mostBytes: number
  private readonly over: (answer: OwnAnswer | undefined) => void
  private record: RequestRecord | undefined
  private chunks: Buffer[] = []
  private bytes = 0
  private isStream = false

  constructor(call: RelayCall, mostBytes: number, over: (answer: OwnAnswer | undefined) => void) {
    this.call = call
    this.mostBytes = mostBytes
    this.over = over
  }

  tap(client: Client): Client {
    return new ListeningClient(client, this)
  }

  sent(): undefined {
    return undefined
  }

  recorded(record: RequestRecord): void {
    this.record = record
  }

  head(headers: readonly string[]): void {
    this.isStream = headers.some((value) => value.startsWith('text/event-stream'))
  }

  keep(bytes: Buffer | string): void {
    this.bytes += bytes.length
    if (this.bytes > this.mostBytes) this.chunks = []
    else this.chunks.push(Buffer.from(bytes))
  }

  ended(failure: unknown): void {
    const { call, record, isStream } = this
    const isWhole = failure === undefined && record !== undefined && this.bytes <= this.mostBytes
    this.over(isWhole ? { call, record, isStream, body: Buffer.concat(this.chunks) } : undefined)
  }
}
