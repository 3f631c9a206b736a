import { isObject, parsedJson } from '../../dialects/conversation/json.ts'
import type { Collector } from '../../dialects/storage-rules.ts'
import { payloads } from '../../lib/sse.ts'
import type { Client } from '../../relay/call.ts'
import { ForwardingClient } from '../../relay/forwarding-client.ts'

const typeIn = (headers: readonly string[]): string => {
  const at = headers.findIndex((value, index) => index % 2 === 0 && /^content-type$/i.test(value))
  return at < 0 ? '' : (headers[at + 1] ?? '')
}

/** Bytes. A larger answer is not stored, so it need not be collected. */
const mostCollected = 4 * 1024 * 1024

interface RecordingOptions<Result> {
  /** Called before the client gets the end of its answer. */
  readonly ending?: (result: Result | undefined) => void
  /** Most bytes that are collected. */
  readonly most?: number
}

/**
 * Collects an answer while it is forwarded to the client. The relay sends the end of an answer after its charge, so a complete answer
 * has been paid for.
 */
export class RecordingClient<Result> extends ForwardingClient {
  private readonly collector: Collector<Result>
  private readonly ending: (result: Result | undefined) => void
  private readonly most: number
  private kind: 'none' | 'stream' | 'whole' = 'none'
  private parts: Buffer[] = []
  private size = 0

  constructor(client: Client, collector: Collector<Result>, options: RecordingOptions<Result> = {}) {
    super(client)
    this.collector = collector
    this.ending = options.ending ?? (() => {})
    this.most = options.most ?? mostCollected
  }

  /** The collected answer; undefined where it is not complete. */
  answer(): Result | undefined {
    if (this.kind === 'whole') {
      const json = parsedJson(Buffer.concat(this.parts).toString())
      if (isObject(json)) this.collector.whole(json)
    }
    return this.kind === 'none' ? undefined : this.collector.result()
  }

  override head(status: number, headers: readonly string[]): void {
    const type = typeIn(headers)
    if (status < 300 && type.startsWith('text/event-stream')) this.kind = 'stream'
    else if (status < 300 && type.includes('json')) this.kind = 'whole'
    this.client.head(status, headers)
  }

  override write(bytes: Buffer | string): boolean {
    this.take(bytes)
    return this.client.write(bytes)
  }

  override end(bytes?: Buffer | string): void {
    if (bytes !== undefined) this.take(bytes)
    this.ending(this.answer())
    this.client.end(bytes)
  }

  private take(bytes: Buffer | string): void {
    this.size += bytes.length
    if (this.size > this.most) {
      this.kind = 'none'
      this.parts = []
    }
    if (this.kind === 'whole') this.parts.push(Buffer.from(bytes))
    else if (this.kind === 'stream')
      for (const payload of payloads(bytes.toString())) if (payload !== '[DONE]') this.collector.event(payload)
  }
}
