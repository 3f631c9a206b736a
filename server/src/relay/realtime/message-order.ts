/** Keeps messages in their order while one of them is still being written. */
export class MessageOrder {
  /** Messages that queue behind the one being written; undefined while none is. */
  private behind: (() => void)[] | undefined

  /** Runs `next` now, or after the messages before it were written. */
  run(next: () => void): void {
    if (this.behind === undefined) next()
    else this.behind.push(next)
  }

  /** Queues later messages until `written` resolves, then calls `next`. */
  wait<T>(written: Promise<T>, next: (message: T) => void, failed: (error: unknown) => void): void {
    this.behind = []
    const goOn = (first: () => void): void => {
      const waiting = this.behind ?? []
      this.behind = undefined
      first()
      for (const each of waiting) this.run(each)
    }
    written.then(
      (message) => goOn(() => next(message)),
      (error: unknown) => goOn(() => failed(error)),
    )
  }
}
