import { EventCutter, payloads } from '../lib/sse.ts'

/** Cuts an upstream's bytes into the messages of its stream, however the network cut them. One per stream. */
export interface Frames {
  /** The data of the messages that are whole now. */
  push(chunk: Buffer): readonly string[]
  /** Frames that are left when the stream has ended. */
  rest(): readonly string[]
  /** Bytes held back. */
  readonly heldBytes: number
}

/** Server-sent events. */
export const eventFrames = (): Frames => {
  const cutter = new EventCutter()
  return {
    push(chunk) {
      const events = cutter.push(chunk)
      return events === undefined ? [] : payloads(events.toString())
    },
    rest: () => payloads(cutter.rest().toString()),
    get heldBytes() {
      return cutter.heldBytes
    },
  }
}

const lineFeed = 10

/** One JSON value per line (Ollama, Cohere v1, Cloudflare's older models). */
export const lineFrames = (): Frames => {
  let held = Buffer.alloc(0)
  const linesOf = (bytes: Buffer): string[] =>
    bytes
      .toString()
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
  return {
    push(chunk) {
      const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk])
      const end = bytes.lastIndexOf(lineFeed) + 1
      // A copy, so that the memory of the network chunk is freed.
      held = Buffer.from(bytes.subarray(end))
      return end === 0 ? [] : linesOf(bytes.subarray(0, end))
    },
    rest: () => linesOf(held),
    get heldBytes() {
      return held.length
    },
  }
}
