const lineFeed = 10
const carriageReturn = 13
const byteOrderMark = 0xfeff

/** Index just behind the last blank line in `bytes`, looking back no further than `from`; 0 when there is none. */
const lastBoundary = (bytes: Uint8Array, length: number, from: number): number => {
  // Nearly every chunk ends with an event.
  if (length - 1 > from && bytes[length - 1] === lineFeed && bytes[length - 2] === lineFeed) return length
  let at = bytes.lastIndexOf(lineFeed, length - 1)
  while (at > from) {
    const before = bytes[at - 1]
    if (before === lineFeed) return at + 1
    if (before === carriageReturn && bytes[at - 2] === lineFeed) return at + 1
    at = bytes.lastIndexOf(lineFeed, at - 1)
  }
  return 0
}

/** Splits a byte stream after complete server-sent events, whatever chunks the network delivers. */
export class EventCutter {
  private held = Buffer.alloc(0)
  private length = 0

  /** The events that are complete now; undefined when the first one is not. */
  push(chunk: Buffer): Buffer | undefined {
    if (this.length > 0) return this.pushHeld(chunk)
    const end = lastBoundary(chunk, chunk.length, 0)
    if (end === chunk.length) return chunk
    this.hold(chunk.subarray(end))
    return end === 0 ? undefined : chunk.subarray(0, end)
  }

  /** Bytes held back. */
  get heldBytes(): number {
    return this.length
  }

  /** Bytes left when the stream has ended: an event without its blank line, or none. */
  rest(): Buffer {
    return this.held.subarray(0, this.length)
  }

  private pushHeld(chunk: Buffer): Buffer | undefined {
    const before = this.length
    this.hold(chunk)
    const end = lastBoundary(this.held, this.length, Math.max(0, before - 2))
    if (end === 0) return undefined
    const events = Buffer.from(this.held.subarray(0, end))
    this.held.copyWithin(0, end, this.length)
    this.length -= end
    return events
  }

  private hold(bytes: Buffer): void {
    const needed = this.length + bytes.length
    if (needed > this.held.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.held.length * 2, 256))
      this.held.copy(larger, 0, 0, this.length)
      this.held = larger
    }
    bytes.copy(this.held, this.length)
    this.length = needed
  }
}

/** The payloads of the events in `text`: their `data` lines joined by line feeds. Comments and other fields are skipped. */
export const payloads = (text: string): string[] => {
  const found: string[] = []
  let payload = ''
  let has = false
  const end = (): void => {
    if (payload !== '') found.push(payload)
    payload = ''
    has = false
  }
  // A stream may begin with a byte order mark.
  for (let at = text.charCodeAt(0) === byteOrderMark ? 1 : 0; at < text.length; ) {
    const feed = text.indexOf('\n', at)
    const next = feed < 0 ? text.length : feed
    const stop = text.charCodeAt(next - 1) === carriageReturn && next > at ? next - 1 : next
    if (stop === at) end()
    else if (text.startsWith('data:', at)) {
      const value = text.slice(text[at + 5] === ' ' ? at + 6 : at + 5, stop)
      payload = has ? `${payload}\n${value}` : value
      has = true
    }
    at = next + 1
  }
  end()
  return found
}

/** An event with a payload without line breaks, like `JSON.stringify` returns. */
export const dataEvent = (payload: string): string => `data: ${payload}\n\n`
