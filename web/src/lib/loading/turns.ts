/** On a line that does not answer the others go on by themselves. */
const mostMs = 3000

let first: Promise<unknown> | undefined

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const frame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve))

/**
 * After the next paint, so that what has come is shown before anything else is asked for. The second frame begins when the
 * first has been handed on, however long a busy machine takes for it.
 */
const painted = async (): Promise<void> => {
  // Pages in the background are not painted.
  if (document.visibilityState === 'hidden') return
  await Promise.race([frame().then(frame), pause(mostMs)])
}

let noteDrawn = (): void => {}
const drawn = new Promise<void>((resolve) => {
  noteDrawn = resolve
})

/** The console says that it has been drawn for the first time. */
export const markDrawn = (): void => noteDrawn()

/** Has all other reads wait for these, for a few seconds at most, and until the console is drawn, which a slow processor takes seconds for. */
export const letOthersWait = (reads: Promise<unknown>): void => {
  const shown = Promise.race([reads, pause(mostMs)]).then(() => drawn)
  first = shown.then(painted).finally(() => {
    first = undefined
  })
}

/** Resolves when it is the turn of reads that the screen can be shown without. */
export const turnOfOthers = (): Promise<unknown> | undefined => first
