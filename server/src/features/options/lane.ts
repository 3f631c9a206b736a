/** Runs one thing after another, in the order they were asked for; a failure stops only the one that failed. */
export const openLane = (): (<T>(work: () => Promise<T>) => Promise<T>) => {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const next = last.then(work, work)
    last = next
    return next
  }
}
