import { payloads } from '../../lib/sse.ts'
import type { Client, ClientListeners } from '../../relay/call.ts'

const isStream = (headers: readonly string[]): boolean =>
  headers.some((value, at) => at % 2 === 0 && /^content-type$/i.test(value) && headers[at + 1] === 'text/event-stream')

/** A client that reads a stream as one JSON list: whole events come in, and their payloads go out (ai.google.dev/api/rest). */
export class ArrayClient implements Client {
  private readonly client: Client
  private listing = false
  private count = 0

  constructor(client: Client) {
    this.client = client
  }

  get gone(): boolean {
    return this.client.gone
  }

  get begun(): boolean {
    return this.client.begun
  }

  head(status: number, headers: readonly string[]): void {
    this.listing = isStream(headers)
    if (!this.listing) {
      this.client.head(status, headers)
      return
    }
    const own = headers.map((value) => (value === 'text/event-stream' ? 'application/json; charset=utf-8' : value))
    this.client.head(status, own)
  }

  write(bytes: Buffer | string): boolean {
    if (!this.listing) return this.client.write(bytes)
    // A sign of life holds no entry: in a list it is white space.
    return this.client.write(this.entries(bytes) || '\n')
  }

  end(bytes?: Buffer | string): void {
    if (!this.listing) {
      this.client.end(bytes)
      return
    }
    const last = bytes === undefined ? '' : this.entries(bytes)
    this.client.end(`${last}${this.count === 0 ? '[' : ''}]`)
  }

  abandon(): void {
    this.client.abandon()
  }

  listen(listeners: ClientListeners): void {
    this.client.listen(listeners)
  }

  private entries(bytes: Buffer | string): string {
    return payloads(bytes.toString())
      .map((payload) => {
        this.count += 1
        return `${this.count === 1 ? '[' : ',\n'}${payload}`
      })
      .join('')
  }
}
