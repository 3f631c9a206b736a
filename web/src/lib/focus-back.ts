import { useEffect, useState } from 'react'

/** Target of the focus if the element that opened something is gone: the page's content. */
const content = (): HTMLElement | null => document.getElementById('content')

let pressed: Element | undefined
globalThis.document?.addEventListener(
  'pointerdown',
  ({ target }) => {
    pressed = target instanceof Element ? target : undefined
  },
  { capture: true, passive: true },
)

let focused: Element | undefined
globalThis.document?.addEventListener(
  'focusin',
  ({ target }) => {
    focused = target instanceof Element ? target : undefined
  },
  { capture: true, passive: true },
)

const isFocusable = (element: Element | null | undefined): element is HTMLElement =>
  element instanceof HTMLElement && element.isConnected && element !== document.body

/** The first control of the row that was pressed, since a row itself takes no focus. */
const pressedControl = (): HTMLElement | undefined =>
  pressed?.closest('[data-row]')?.querySelector<HTMLElement>('button:not([role=checkbox]), a[href]') ?? undefined

const openerNow = (): HTMLElement | undefined => {
  const { activeElement } = document
  return isFocusable(activeElement) ? activeElement : pressedControl()
}

/** True if the focus is anywhere that a person would look for it. */
const isAnywhere = (): boolean => {
  const { activeElement } = document
  return isFocusable(activeElement) && activeElement !== content()
}

const waitsMs = 50
const mostWaits = 40

/**
 * Notes the control that has the focus, or had it before it was disabled. Answers with the way to give it the focus back, as
 * soon as it can take it and unless another has it by then.
 */
export const noteFocus = (): (() => void) => {
  const control = focused
  return () => {
    const give = (left: number): void => {
      if (isAnywhere() || !isFocusable(control)) return
      control.focus({ preventScroll: true })
      if (document.activeElement !== control && left > 0) setTimeout(() => give(left - 1), waitsMs)
    }
    setTimeout(() => give(mostWaits))
  }
}

/**
 * Returns the focus to what opened a sheet or dialog, once it has closed or is gone: at once when it is drawn open, which is
 * how sheets with an address of their own come.
 */
export const useFocusBack = (opened: boolean): void => {
  const [first] = useState(openerNow)
  const [opener, setOpener] = useState(first)
  const [was, setWas] = useState(opened)
  if (opened !== was) {
    setWas(opened)
    if (opened) setOpener(openerNow())
  }
  useEffect(() => {
    if (!opened) return undefined
    return () => {
      // The trap of the sheet lets go in this moment, too.
      setTimeout(() => {
        if (isAnywhere()) return
        const target = isFocusable(opener) ? opener : content()
        target?.focus({ preventScroll: true })
      })
    }
  }, [opened, opener])
}
