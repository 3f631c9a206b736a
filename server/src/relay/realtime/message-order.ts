/** Keeps messages in their order while one of them is still being written. */
export class MessageOrder {
  /** What came behind the message that is being written; undefined while none is. */
  private behind: (() => void)[] | undefined

  /** Now, or when what came before has gone out. */
  run(next: () => void): void {
    if (this.behind === undefined) next()
    else this.behind.push(next)
  }

  /** Goes on with the message when it is written. */
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
