import { useEffect, useEffectEvent } from 'react'

/** True while typing, or while a dialog or menu has the keyboard. */
export const isBusyElsewhere = (target: EventTarget | null): boolean => {
  if (
    target instanceof HTMLElement &&
    target.closest('input:not([type=checkbox]), textarea, select, [contenteditable=true]')
  )
    return true
  return document.querySelector('[role=dialog], [role=alertdialog], [role=menu]') !== null
}

export interface TableKeys {
  onMove: (by: 1 | -1) => void
  onOpen: () => void
  onToggle: () => void
  onSearch: () => void
}

/** j and k move, Enter opens, x selects, / searches. Keys with modifiers belong to the browser. */
export const useTableKeys = (keys: TableKeys): void => {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isBusyElsewhere(event.target)) return
    const target = event.target instanceof HTMLElement ? event.target : undefined
    if (event.key === 'j') keys.onMove(1)
    else if (event.key === 'k') keys.onMove(-1)
    else if (event.key === 'x') keys.onToggle()
    else if (event.key === '/') keys.onSearch()
    else if (event.key === 'Enter' && !target?.closest('button, a, input')) keys.onOpen()
    else return
    event.preventDefault()
  })
  // The browser's keyboard: shortcuts work wherever the focus is on the page.
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onKey(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}
