/** Calls that are not over; their clients may have left. */
export interface UnderWay {
  /** The promise must not reject. */
  add(call: Promise<void>): void
  /** Resolves when none is left. */
  over(): Promise<void>
}

export const openUnderWay = (): UnderWay => {
  let calls = 0
  const waiting: (() => void)[] = []
  const ended = (): void => {
    calls -= 1
    if (calls === 0) for (const tell of waiting.splice(0)) tell()
  }
  return {
    add(call) {
      calls += 1
      void call.then(ended)
    },
    over: () => (calls === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  }
}
