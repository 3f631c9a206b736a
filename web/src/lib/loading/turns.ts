/** On a line that does not answer the others go on by themselves. */
const mostMs = 3000

let first: Promise<unknown> | undefined

/** After the next paint, so that what has come is shown before anything else is asked for. */
const painted = (): Promise<void> =>
  new Promise((resolve) => {
    // Pages in the background are not painted.
    const timer = setTimeout(resolve, 200)
    requestAnimationFrame(() =>
      setTimeout(() => {
        clearTimeout(timer)
        resolve()
      }),
    )
  })

/** Has all other reads wait for these, for a few seconds at most. */
export const letOthersWait = (reads: Promise<unknown>): void => {
  const limit = new Promise((resolve) => setTimeout(resolve, mostMs))
  first = Promise.race([reads.then(painted), limit]).finally(() => {
    first = undefined
  })
}

/** Resolves when it is the turn of reads that the screen can be shown without. */
export const turnOfOthers = (): Promise<unknown> | undefined => first
