import { useSyncExternalStore } from 'react'

/** Pixels that a page may be scrolled by with its newest rows still in sight. */
const topPx = 120

const onScroll = (changed: () => void): (() => void) => {
  window.addEventListener('scroll', changed, { passive: true })
  return () => window.removeEventListener('scroll', changed)
}

/** True if the page stands at its top. Someone who has scrolled down reads rows that must not move away. */
export const useAtTop = (): boolean => useSyncExternalStore(onScroll, () => window.scrollY <= topPx)
