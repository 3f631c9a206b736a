import { isObject, type JsonObject, membersOf, parsedJson, textIn } from '#server/dialects/conversation/json.ts'
import { CollectingClient } from '#server/gateway/own-calls/collecting-client.ts'
import { EventCutter, payloads } from '#server/lib/sse.ts'
import { type Outcome, outcomeOf } from '../responses.ts'

/** Events that a response in the background has of its own: it is created and queued before the call, and ends after it. */
const own: ReadonlySet<unknown> = new Set(['response.created', 'response.queued'])
const ends: ReadonlySet<unknown> = new Set(['response.completed', 'response.incomplete', 'response.failed'])

const isEventStream = (headers: readonly string[]): boolean =>
  headers.some((value, at) => at % 2 === 1 && value.startsWith('text/event-stream'))

/** Collects the answer of a call, and hands on the events of one that comes as a stream. */
export class StreamedClient extends CollectingClient {
  private readonly onEvent: (event: JsonObject) => void
  private readonly cutter = new EventCutter()
  private isStream = false
  private last: JsonObject | undefined
  private fault: JsonObject = {}

  constructor(mostBytes: number, onEvent: (event: JsonObject) => void) {
    super(mostBytes)
    this.onEvent = onEvent
  }

  override head(status: number, headers: readonly string[]): void {
    this.isStream = status < 300 && isEventStream(headers)
    super.head(status, headers)
  }

  override write(bytes: Buffer | string): boolean {
    if (!this.isStream) return super.write(bytes)
    const events = this.cutter.push(Buffer.from(bytes))
    if (events !== undefined) this.take(events)
    return true
  }

  override end(bytes?: Buffer | string): void {
    super.end(bytes)
    if (this.isStream) this.take(this.cutter.rest())
  }

  outcome(): Outcome {
    if (!this.isStream) return outcomeOf(this.answer())
    if (this.last !== undefined && this.last.status !== 'failed') return { kind: 'answered', answer: this.last }
    const error = this.last === undefined ? this.fault : membersOf(this.last.error)
    const message = textIn(error.message) ?? 'The answer broke off'
    return { kind: 'failed', code: textIn(error.code) ?? 'server_error', message, isPassing: false }
  }

  private take(events: Buffer): void {
    for (const payload of payloads(events.toString())) {
      const event = parsedJson(payload)
      if (isObject(event)) this.takeEvent(event)
    }
  }

  private takeEvent(event: JsonObject): void {
    if (ends.has(event.type) && isObject(event.response)) this.last = event.response
    else if (event.type === 'error') this.fault = isObject(event.error) ? event.error : event
    else if (!own.has(event.type)) this.onEvent(event)
  }
}
