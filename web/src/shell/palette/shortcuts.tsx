import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useEffectEvent, useRef } from 'react'
import { isBusyElsewhere } from '../../components/data-table/keyboard.ts'
import { useStore } from '../../lib/preferences/store.ts'
import { useReachable } from '../navigation.ts'
import { closeOpened, opened, openPalette, openShortcutSheet } from './opened.ts'
import { Palette } from './palette.tsx'

const ShortcutSheet = lazy(async () => ({ default: (await import('./shortcut-sheet.tsx')).ShortcutSheet }))

/** A second key counts only shortly after `g`. */
const sequenceMs = 1200

/** Presses the button of the page that creates what its list is of; false where there is none. */
const create = (): boolean => {
  const button = document.querySelector<HTMLButtonElement>('#content button[data-create]:enabled')
  button?.click()
  return button !== null
}

/** Ctrl+K, `?`, `c` and `g` followed by a place's letter. */
export const Shortcuts = () => {
  const shown = useStore(opened)
  const navigate = useNavigate()
  const places = useReachable()
  const jumpedAt = useRef(Number.NEGATIVE_INFINITY)
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
      event.preventDefault()
      openPalette()
      return
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isBusyElsewhere(event.target)) return
    if (event.key === '?') openShortcutSheet()
    if (event.key === 'g') {
      jumpedAt.current = event.timeStamp
      return
    }
    const place = places.find((entry) => entry.shortcut === event.key)
    if (place && event.timeStamp - jumpedAt.current < sequenceMs) {
      event.preventDefault()
      void navigate({ to: place.path as '/' })
    } else if (event.key === 'c' && create()) event.preventDefault()
    jumpedAt.current = Number.NEGATIVE_INFINITY
  })
  // The browser's keyboard. Listens before the tables do, so that the letter after `g` is not theirs.
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => {
      const jumping = event.timeStamp - jumpedAt.current < sequenceMs
      onKey(event)
      if (jumping && event.key !== 'g') event.stopPropagation()
    }
    window.addEventListener('keydown', listener, { capture: true })
    return () => window.removeEventListener('keydown', listener, { capture: true })
  }, [])
  return (
    <>
      {shown === 'palette' && <Palette onClose={closeOpened} />}
      <Suspense>{shown === 'sheet' && <ShortcutSheet onClose={closeOpened} />}</Suspense>
    </>
  )
}
