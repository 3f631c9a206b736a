/** How long the pointer or the focus must stay before a prefetch; passing over an element costs nothing. */
export const intentDelayMs = 80

/** True if the person asked the browser to save data: nothing is then fetched on suspicion. */
export const savesData = (): boolean =>
  (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true

/** A finger that was laid down this long ago may still begin to scroll. */
const fingerMs = 1000
let fingerAt = Number.NEGATIVE_INFINITY

globalThis.document?.addEventListener(
  'pointerdown',
  ({ pointerType }) => {
    if (pointerType === 'touch') fingerAt = performance.now()
  },
  { capture: true, passive: true },
)

/** True if data behind a link or row under the pointer may be prefetched. Touches count as scrolling and prefetch nothing. */
export const mayReadAhead = (): boolean => !savesData() && performance.now() - fingerAt > fingerMs
