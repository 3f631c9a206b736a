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

let noteDrawn = (): void => {}
const drawn = new Promise<void>((resolve) => {
  noteDrawn = resolve
})

/** The console says that it has been drawn for the first time. */
export const markDrawn = (): void => noteDrawn()

/** Has all other reads wait for these, for a few seconds at most, and until they are drawn. */
export const letOthersWait = (reads: Promise<unknown>): void => {
  const limit = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, mostMs))
  const shown = Promise.race([reads, limit()]).then(() => Promise.race([drawn, limit()]))
  first = shown.then(painted).finally(() => {
    first = undefined
  })
}

/** Resolves when it is the turn of reads that the screen can be shown without. */
export const turnOfOthers = (): Promise<unknown> | undefined => first
