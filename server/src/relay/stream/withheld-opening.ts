import { saysDeclined } from '../../dialects/conversation/declined.ts'
import { isObject, type JsonObject, parsedJson } from '../../dialects/conversation/json.ts'
import type { StreamInspector } from '../../dialects/passthrough.ts'
import { payloads } from '../../lib/sse.ts'

/** Bytes that are held back at most: what comes before the first content is far less. */
const mostHeld = 64 * 1024

type Inspected = Pick<StreamInspector, 'textOf' | 'says' | 'isError' | 'endMarkAt'>

/**
 * The events of a stream up to its first content, which are held back as long as another channel may still answer in place of one
 * that fails, or another model in place of one that declines.
 */
export class WithheldOpening {
  /** The upstream's error, after `push` has returned `refused`. */
  refusal: JsonObject | undefined
  private readonly inspector: Inspected
  private readonly passesOnDeclined: boolean
  private held: Buffer[] = []
  private heldBytes = 0

  constructor(inspector: Inspected, { passesOnDeclined }: { readonly passesOnDeclined: boolean }) {
    this.inspector = inspector
    this.passesOnDeclined = passesOnDeclined
  }

  /** All events that may go out now; undefined where they are held back, `declined` or `refused` where there will be no answer. */
  push(events: Buffer): Buffer | 'declined' | 'refused' | undefined {
    const parsed = payloads(events.toString()).map(parsedJson).filter(isObject)
    this.held.push(events)
    this.heldBytes += events.length
    for (const event of parsed) {
      if (this.passesOnDeclined && saysDeclined(event)) return 'declined'
      if (this.inspector.isError(event)) {
        this.refusal = event
        return 'refused'
      }
      if (this.hasContent(event)) return this.rest()
    }
    return this.heldBytes > mostHeld || this.inspector.endMarkAt(events) >= 0 ? this.rest() : undefined
  }

  private hasContent(event: JsonObject): boolean {
    const { text, toolCalls } = this.inspector.textOf(event)
    if (text !== '' || toolCalls > 0) return true
    // An item or a block that has begun is none yet where a model may still decline.
    return !this.passesOnDeclined && this.inspector.says(event)
  }

  rest(): Buffer {
    const all = Buffer.concat(this.held)
    this.held = []
    return all
  }
}
