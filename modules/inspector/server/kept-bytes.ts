/** Bytes that all captures of this node may hold in memory. */
export interface MemoryBound {
  /** False where there is no room. */
  take(bytes: number): boolean
  give(bytes: number): void
}

export const createMemoryBound = (most: number): MemoryBound => {
  let held = 0
  return {
    take(bytes) {
      if (held + bytes > most) return false
      held += bytes
      return true
    },
    give(bytes) {
      held -= bytes
    },
  }
}

/** The beginning of a body, while it goes by: never more than its bound, and nothing that memory has no room for. */
export class KeptBytes {
  /** Length of the whole body. */
  bytes = 0
  private chunks: Buffer[] = []
  private kept = 0
  private full = false
  private readonly most: number
  private readonly memory: MemoryBound

  constructor(most: number, memory: MemoryBound) {
    this.most = most
    this.memory = memory
  }

  add(chunk: Buffer | string): void {
    const whole = typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.length
    this.bytes += whole
    if (this.full || whole === 0) return
    const room = Math.min(whole, this.most - this.kept)
    if (room < whole) this.full = true
    if (room === 0) return
    if (!this.memory.take(room)) {
      this.full = true
      return
    }
    this.kept += room
    // A copy: the chunk may be a part of something much larger.
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    this.chunks.push(Buffer.from(bytes.subarray(0, room)))
  }

  get cut(): boolean {
    return this.kept < this.bytes
  }

  /** Captured bytes. */
  read(): Buffer {
    return Buffer.concat(this.chunks)
  }

  /** Gives the memory back. */
  release(): void {
    this.memory.give(this.kept)
    this.kept = 0
    this.chunks = []
  }
}
