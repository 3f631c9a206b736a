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
  onMove?: (by: 1 | -1) => void
  onOpen?: () => void
  onToggle?: () => void
  onSearch?: () => void
}

/** The action of a key; undefined if the key is not for the table. */
const actOf = (keys: TableKeys, { key, target }: KeyboardEvent): (() => void) | undefined => {
  const { onMove } = keys
  if (key === 'j' || key === 'k') return onMove && (() => onMove(key === 'j' ? 1 : -1))
  if (key === 'x') return keys.onToggle
  if (key === '/') return keys.onSearch
  const isElsewhere = target instanceof HTMLElement && target.closest('button, a, input') !== null
  return key === 'Enter' && !isElsewhere ? keys.onOpen : undefined
}

/** j and k move, Enter opens, x selects, / searches. Keys with modifiers belong to the browser. */
export const useTableKeys = (keys: TableKeys): void => {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isBusyElsewhere(event.target)) return
    const act = actOf(keys, event)
    if (!act) return
    act()
    event.preventDefault()
  })
  // The browser's keyboard: shortcuts work wherever the focus is on the page.
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onKey(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}
