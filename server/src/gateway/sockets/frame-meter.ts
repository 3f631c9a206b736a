/** Bytes counted for each frame of an unfinished message in addition to its payload. */
const ofFrame = 64

/** Bytes behind the first two: of a length, and of a mask (RFC 6455 §5.2). */
const extraLength = (length: number): number => {
  if (length === 126) return 2
  return length === 127 ? 8 : 0
}
const ofMask = 4

/** Follows the frames of one side of a WebSocket, to know how much of a message is there before it is whole. Reads no payload. */
export class FrameMeter {
  /** Received bytes of the unfinished message. */
  unfinished = 0
  /** Bytes that the headers of its frames announce. */
  announced = 0
  /** Messages that were whole. */
  finished = 0
  private readonly head = Buffer.alloc(14)
  private headSize = 0
  private left = 0
  private isControl = false
  private isLast = false

  /** True from the first byte of a message until its last one. */
  get isUnder(): boolean {
    return this.unfinished > 0 || this.headSize > 0
  }

  take(chunk: Buffer): void {
    let at = 0
    while (at < chunk.length) {
      if (this.left > 0) at += this.payload(chunk.length - at)
      else {
        this.head[this.headSize] = chunk[at] ?? 0
        this.headSize += 1
        at += 1
        this.headed()
      }
    }
  }

  private payload(here: number): number {
    const taken = Math.min(this.left, here)
    this.left -= taken
    if (!this.isControl) this.unfinished += taken
    if (this.left === 0) this.frameOver()
    return taken
  }

  /** Begins a frame once its head is whole. */
  private headed(): void {
    const { head, headSize } = this
    if (headSize < 2) return
    const [first = 0, second = 0] = head
    const short = second & 0x7f
    const extra = extraLength(short)
    if (headSize < 2 + extra + (second & 0x80 ? ofMask : 0)) return
    this.headSize = 0
    this.isLast = (first & 0x80) !== 0
    this.isControl = (first & 0x08) !== 0
    this.left = short
    if (extra === 2) this.left = head.readUInt16BE(2)
    if (extra === 8) this.left = Number(head.readBigUInt64BE(2))
    if (!this.isControl) {
      this.announced += this.left
      this.unfinished += ofFrame
    }
    if (this.left === 0) this.frameOver()
  }

  private frameOver(): void {
    if (this.isControl || !this.isLast) return
    this.unfinished = 0
    this.announced = 0
    this.finished += 1
  }
}
