/** Does something at most once in so many milliseconds: at once when that long ago, otherwise when the time has come. */
export class Pulse {
  private readonly beat: () => void
  private readonly everyMs: number
  private last = Number.NEGATIVE_INFINITY
  private timer: NodeJS.Timeout | undefined
  private stopped = false

  constructor(everyMs: number, beat: () => void) {
    this.everyMs = everyMs
    this.beat = beat
  }

  /** Something has changed. */
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
