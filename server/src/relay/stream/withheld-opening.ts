import { saysDeclined } from '../../dialects/conversation/declined.ts'
import { isObject, parsedJson } from '../../dialects/conversation/json.ts'
import type { StreamInspector } from '../../dialects/passthrough.ts'
import { payloads } from '../../lib/sse.ts'

/** Bytes that are held back at most: what comes before the first content is far less. */
const mostHeld = 64 * 1024

/**
 * The events of a stream up to its first content, which are held back as long as another model may still answer in place of one
 * that declines.
 */
export class WithheldOpening {
  private readonly inspector: Pick<StreamInspector, 'textOf' | 'endMarkAt'>
  private held: Buffer[] = []
  private heldBytes = 0

  constructor(inspector: Pick<StreamInspector, 'textOf' | 'endMarkAt'>) {
    this.inspector = inspector
  }

  /** All events that may go out now; undefined where they are held back, `declined` where there will be no answer. */
  push(events: Buffer): Buffer | 'declined' | undefined {
    const parsed = payloads(events.toString()).map(parsedJson).filter(isObject)
    this.held.push(events)
    this.heldBytes += events.length
    for (const event of parsed) {
      if (saysDeclined(event)) return 'declined'
      const { text, toolCalls } = this.inspector.textOf(event)
      if (text !== '' || toolCalls > 0) return this.rest()
    }
    return this.heldBytes > mostHeld || this.inspector.endMarkAt(events) >= 0 ? this.rest() : undefined
  }

  rest(): Buffer {
    const all = Buffer.concat(this.held)
    this.held = []
    return all
  }
}
