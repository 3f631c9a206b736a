import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { quietForMs } from '../api/traffic.ts'
import { loadInPlace } from './load-part.ts'
import { savesData } from './may-read-ahead.ts'
import { turnOfOthers } from './turns.ts'

type Load = () => Promise<unknown>

const queue: Load[] = []
let busy = false

/** The screen's own data comes first: nothing is fetched on suspicion until calls have been answered for so long. */
const quietMs = 1000

const whenIdle = (act: () => void): void => {
  const restMs = quietMs - quietForMs()
  if (restMs > 0) {
    setTimeout(() => whenIdle(act), Math.max(100, restMs))
    return
  }
  // Safari has no idle callbacks: a moment later is near enough.
  if ('requestIdleCallback' in window) requestIdleCallback(act, { timeout: 5000 })
  else setTimeout(act, 1000)
}

const fetchNext = (): void => {
  const load = queue.shift()
  busy = load !== undefined
  // A part whose early load fails is loaded again when it is needed, and the error is shown there.
  if (load) void load().then(fetchLater, fetchLater)
}
const fetchLater = (): void => whenIdle(fetchNext)

/** Fetches a part once the browser has nothing better to do, one after the other. */
const fetchWhenIdle = (load: Load): void => {
  if (import.meta.env.MODE === 'test' || savesData()) return
  queue.push(load)
  if (busy) return
  busy = true
  if (document.readyState === 'complete') fetchLater()
  else window.addEventListener('load', fetchLater, { once: true })
}

/**
 * A part that a screen can show itself without: a sheet, a dialog, a menu. It is fetched when the browser is idle, or when
 * it is needed, whichever comes first: `const EditToken = onDemand(async () => (await import('./form.tsx')).EditToken)`.
 * What has a place of its own on the screen is given something to keep that place until it is there.
 */
export const onDemand = <P extends object>(
  load: () => Promise<ComponentType<P>>,
  waiting?: () => ReactNode,
): ComponentType<P> => {
  const Part = lazy(async () => {
    // Parts that the screen shows at once are loaded first.
    await turnOfOthers()
    return { default: await loadInPlace(load) }
  })
  fetchWhenIdle(load)
  return (props: P) => (
    <Suspense fallback={waiting?.()}>
      <Part {...props} />
    </Suspense>
  )
}

/** Loads the inner parts of a part that comes on demand: they appear together with it, so that the focus finds its target. */
export const onDemandWithin = <P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> => {
  fetchWhenIdle(load)
  return lazy(async () => ({ default: await loadInPlace(load) })) as unknown as ComponentType<P>
}

/**
 * `opened`, but never in the first render. A part that is first rendered open would miss the opening, and could not
 * return the focus.
 */
export const useLazyOpened = (opened: boolean): boolean => {
  const [later, setLater] = useState(false)
  useEffect(() => setLater(opened), [opened])
  return later
}
