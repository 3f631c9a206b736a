/** Finished requests that are not in the database yet, counted by those who carry them. */
export class Backlog {
  /** How many there are. */
  waiting = 0
  /** True from the moment when there are too many until there are fewer. */
  isFull: boolean
  readonly most: number
  private readonly changed: () => void

  /** `changed` is called when `isFull` has changed. */
  constructor(most: number, changed: () => void) {
    this.most = most
    this.changed = changed
    this.isFull = most <= 0
  }

  /** Compares the count with the most; carriers ask for it when it may have been crossed. */
  look(): void {
    const isFull = this.waiting >= this.most
    if (isFull === this.isFull) return
    this.isFull = isFull
    this.changed()
  }

  add(count: number): void {
    this.waiting += count
    this.look()
  }
}
