import { isObject, type JsonObject, parsedJson } from '../../dialects/conversation/json.ts'
import { isJsonType } from '../../lib/json/ndjson.ts'
import { EventCutter, payloads } from '../../lib/sse.ts'
import type { Client } from '../client.ts'
import { ForwardingClient } from '../forwarding-client.ts'
import { uploadIdIn } from './upload-parts.ts'

/** Bytes. Objects in a larger answer are not noted, so that they are readable by no one. */
const mostRead = 8 * 1024 * 1024

/** Names and values stand in turn. */
const headerIn = (headers: readonly string[], name: string): string => {
  const at = headers.findIndex((value, index) => index % 2 === 0 && value.toLowerCase() === name)
  return at < 0 ? '' : (headers[at + 1] ?? '')
}

/** A client of which a successful answer is read on its way: whole, before its client has the end of it, or event by event. */
export class NotingClient extends ForwardingClient {
  private readonly note: (answer: JsonObject) => void
  private readonly began: ((uploadId: string) => void) | undefined
  private kind: 'none' | 'stream' | 'whole' = 'none'
  private readonly events = new EventCutter()
  private parts: Buffer[] = []
  private size = 0

  /** `note` takes what is answered, `began` the id of an upload in parts (Google's) that a call has begun. */
  constructor(client: Client, note: (answer: JsonObject) => void, began?: (uploadId: string) => void) {
    super(client)
    this.note = note
    this.began = began
  }

  override head(status: number, headers: readonly string[]): void {
    const type = headerIn(headers, 'content-type')
    const isGood = status >= 200 && status < 300
    if (isGood && type.startsWith('text/event-stream')) this.kind = 'stream'
    else if (isGood && isJsonType(type)) this.kind = 'whole'
    const upload = isGood ? uploadIdIn(headerIn(headers, 'x-goog-upload-url')) : undefined
    // Only the upload's address shows that it has begun.
    if (upload !== undefined) this.began?.(upload)
    super.head(status, headers)
  }

  override write(bytes: Buffer | string): boolean {
    this.take(Buffer.from(bytes))
    return super.write(bytes)
  }

  override end(bytes?: Buffer | string): void {
    if (bytes !== undefined) this.take(Buffer.from(bytes))
    if (this.kind === 'stream') this.takeEvents(this.events.rest())
    if (this.kind === 'whole') this.read(Buffer.concat(this.parts).toString())
    super.end(bytes)
  }

  private take(bytes: Buffer): void {
    if (this.kind === 'none') return
    if (this.kind === 'stream') {
      const events = this.events.push(bytes)
      if (events !== undefined) this.takeEvents(events)
      if (this.events.heldBytes > mostRead) this.kind = 'none'
      return
    }
    this.size += bytes.length
    if (this.size <= mostRead) this.parts.push(bytes)
    else {
      this.kind = 'none'
      this.parts = []
    }
  }

  private takeEvents(events: Buffer): void {
    for (const payload of payloads(events.toString())) this.read(payload)
  }

  private read(text: string): void {
    const answer = parsedJson(text)
    if (isObject(answer)) this.note(answer)
  }
}
