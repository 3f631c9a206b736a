/** Places for work that runs at once, given in the order in which they are asked for. */
export interface Slots {
  take(): Promise<void>
  free(): void
}

/** `most` is read each time, so that a changed option holds at once. */
export const openSlots = (most: () => number): Slots => {
  let taken = 0
  const waiting: (() => void)[] = []
  const next = (): void => {
    while (taken < most()) {
      const begin = waiting.shift()
      if (begin === undefined) return
      taken += 1
      begin()
    }
  }
  return {
    take: () =>
      new Promise((resolve) => {
        waiting.push(resolve)
        next()
      }),
    free() {
      taken -= 1
      next()
    },
  }
}
