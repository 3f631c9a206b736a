import type { ClientShape } from '../../dialects/client-shape.ts'
import { isObject, parsedJson } from '../../dialects/conversation/json.ts'
import { payloads } from '../../lib/sse.ts'
import type { Client } from '../../relay/call.ts'
import { ForwardingClient } from '../../relay/forwarding-client.ts'

type Answer =
  /** Goes through: an error, or a form that the shape leaves as it is. */
  | { readonly kind: 'plain' }
  | { readonly kind: 'stream'; readonly frame: (payload: string) => Buffer }
  | { readonly kind: 'whole'; readonly status: number; readonly headers: readonly string[]; readonly parts: Buffer[] }

const contentTypeOf = (headers: readonly string[]): string => {
  const at = headers.findIndex((value, index) => index % 2 === 0 && /^content-type$/i.test(value))
  return at < 0 ? '' : (headers[at + 1] ?? '')
}

/** The same headers with another type, and with another length where one is known. */
const headersWith = (headers: readonly string[], type: string, length?: number): string[] => {
  const kept: string[] = ['content-type', type]
  if (length !== undefined) kept.push('content-length', String(length))
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const [name = '', value = ''] = headers.slice(at, at + 2)
    if (!/^content-(type|length)$/i.test(name)) kept.push(name, value)
  }
  return kept
}

/** Whole events come in; what each of them becomes goes out. */
const framesOf = (bytes: Buffer | string, frame: (payload: string) => Buffer): Buffer =>
  Buffer.concat(payloads(bytes.toString()).map(frame))

/** A client that reads answers in another form than the relay writes them: whole ones are written anew, events one by one. */
export class ShapedClient extends ForwardingClient {
  private readonly shape: ClientShape
  private answer: Answer = { kind: 'plain' }

  constructor(client: Client, shape: ClientShape) {
    super(client)
    this.shape = shape
  }

  override get begun(): boolean {
    return this.client.begun || this.answer.kind === 'whole'
  }

  override head(status: number, headers: readonly string[]): void {
    const { frames, write } = this.shape
    const type = contentTypeOf(headers)
    if (status >= 400) this.client.head(status, headers)
    else if (frames !== undefined && type.startsWith('text/event-stream')) {
      this.answer = { kind: 'stream', frame: frames.open() }
      this.client.head(status, headersWith(headers, frames.contentType))
    } else if (write !== undefined && type.includes('json')) this.answer = { kind: 'whole', status, headers, parts: [] }
    else this.client.head(status, headers)
  }

  override write(bytes: Buffer | string): boolean {
    const { answer } = this
    if (answer.kind === 'plain') return this.client.write(bytes)
    if (answer.kind === 'stream') {
      const framed = framesOf(bytes, answer.frame)
      return framed.length === 0 || this.client.write(framed)
    }
    answer.parts.push(Buffer.from(bytes))
    return true
  }

  override end(bytes?: Buffer | string): void {
    const { answer } = this
    if (answer.kind === 'plain') this.client.end(bytes)
    else if (answer.kind === 'stream') this.client.end(bytes === undefined ? undefined : framesOf(bytes, answer.frame))
    else {
      if (bytes !== undefined) answer.parts.push(Buffer.from(bytes))
      const body = this.written(Buffer.concat(answer.parts))
      this.client.head(answer.status, headersWith(answer.headers, 'application/json', body.length))
      this.client.end(body)
    }
  }

  private written(bytes: Buffer): Buffer {
    const json = parsedJson(bytes.toString())
    const written = isObject(json) ? this.shape.write?.(json) : undefined
    return written === undefined ? bytes : Buffer.from(JSON.stringify(written))
  }
}
