/** Calls `beat` at most once in `everyMs` milliseconds: at once if the last call is longer ago, otherwise as soon as the time is over. */
export class TrailingThrottle {
  private readonly beat: () => void
  private readonly everyMs: number
  private last = Number.NEGATIVE_INFINITY
  private timer: NodeJS.Timeout | undefined
  private stopped = false

  constructor(everyMs: number, beat: () => void) {
    this.everyMs = everyMs
    this.beat = beat
  }

  /** Requests a call of `beat`. */
  touch(): void {
    if (this.timer !== undefined || this.stopped) return
    const left = this.last + this.everyMs - performance.now()
    if (left <= 0) this.run()
    else this.timer = setTimeout(() => this.run(), left)
  }

  stop(): void {
    this.stopped = true
    clearTimeout(this.timer)
  }

  private run(): void {
    this.timer = undefined
    this.last = performance.now()
    this.beat()
  }
}
