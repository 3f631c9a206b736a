import type { Client } from '#server/relay/call.ts'
import type { SentRequest } from '#server/relay/call-capture.ts'
import type { InspectedAttempt, InspectedCall, InspectedFacts } from '#server/relay/captures.ts'
import { ForwardingClient } from '#server/relay/forwarding-client.ts'
import type { RequestRecord } from '#server/relay/ports.ts'
import type { Headers } from '#server/relay/upstream/upstream.ts'
import { KeptBytes, type MemoryBound } from './kept-bytes.ts'

/** Attempts of one call that are written down: later ones look like these. */
const mostAttempts = 4

export interface KeptAttempt {
  readonly request: SentRequest
  readonly body: KeptBytes
  readonly answer: KeptBytes
  status: number
  headers: Headers
}

export interface CapturedCallParts {
  readonly memory: MemoryBound
  /** Bytes of each body that are kept. */
  readonly mostBytes: number
  /** Which inspection wants an upstream's channel; undefined where none does. */
  readonly inspectionOfChannel: (channel: number) => number | undefined
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** The call is over. Called once. */
  readonly over: (call: CapturedCall) => void
}

/** The client of an inspected call: what goes out is kept, and goes out as it would have. */
class TappedClient extends ForwardingClient {
  private readonly call: CapturedCall

  constructor(client: Client, call: CapturedCall) {
    super(client)
    this.call = call
  }

  override head(status: number, headers: readonly string[]): void {
    this.client.head(status, headers)
    this.call.answerHead(status, headers)
  }

  override write(bytes: Buffer | string): boolean {
    const flowing = this.client.write(bytes)
    if (this.call.taken) this.call.answer.add(bytes)
    return flowing
  }

  override end(bytes?: Buffer | string): void {
    this.client.end(bytes)
    if (bytes !== undefined && this.call.taken) this.call.answer.add(bytes)
  }
}

/** Captured parts of one call while it runs. */
export class CapturedCall implements InspectedCall {
  readonly call: InspectedFacts
  readonly request: KeptBytes
  readonly answer: KeptBytes
  readonly attempts: KeptAttempt[] = []
  status = 0
  headers: readonly string[] = []
  /** Milliseconds since 1970; 0 while the call runs. */
  endedAt = 0
  record: RequestRecord | undefined
  /** Which inspection it belongs to; undefined as long as none of its channels is inspected. */
  inspection: number | undefined
  private readonly parts: CapturedCallParts

  constructor(call: InspectedFacts, inspection: number | undefined, parts: CapturedCallParts) {
    this.call = call
    this.inspection = inspection
    this.parts = parts
    this.request = new KeptBytes(parts.mostBytes, parts.memory)
    this.answer = new KeptBytes(parts.mostBytes, parts.memory)
    if (this.taken) this.request.add(call.raw)
  }

  get taken(): boolean {
    return this.inspection !== undefined
  }

  tap(client: Client): Client {
    return new TappedClient(client, this)
  }

  sent(request: SentRequest): InspectedAttempt | undefined {
    if (!this.taken) {
      this.inspection = this.parts.inspectionOfChannel(request.channel.id)
      if (!this.taken) return undefined
      this.request.add(this.call.raw)
    }
    if (this.attempts.length >= mostAttempts) return undefined
    const { mostBytes, memory } = this.parts
    const body = new KeptBytes(mostBytes, memory)
    const answer = new KeptBytes(mostBytes, memory)
    body.add(request.body)
    const attempt: KeptAttempt = { request: { ...request, body: nothing }, body, answer, status: 0, headers: {} }
    this.attempts.push(attempt)
    return {
      head(status, headers) {
        attempt.status = status
        attempt.headers = headers
      },
      data: (chunk) => answer.add(chunk),
      more: (text) => body.add(text),
    }
  }

  more(text: string): void {
    if (this.taken) this.request.add(text)
  }

  answered(status: number, headers: readonly string[], bytes: Buffer | string): void {
    this.answerHead(status, headers)
    if (this.taken) this.answer.add(bytes)
  }

  answerHead(status: number, headers: readonly string[]): void {
    this.status = status
    this.headers = headers
  }

  recorded(record: RequestRecord): void {
    this.record = record
  }

  ended(failure: { readonly status: number; readonly body: string } | undefined): void {
    this.endedAt = this.parts.clock()
    if (failure !== undefined) {
      if (this.status === 0) this.status = failure.status
      if (this.taken) this.answer.add(failure.body)
    }
    this.parts.over(this)
  }

  /** Gives all memory back. */
  release(): void {
    for (const kept of [this.request, this.answer, ...this.attempts.flatMap(({ body, answer }) => [body, answer])]) {
      kept.release()
    }
  }
}

const nothing = Buffer.alloc(0)
