import { useId, useState } from 'react'

/** A button and its popup. The popup is first drawn when it is first opened. */
export interface Popup {
  id: string
  opened: boolean
  setOpened: (opened: boolean) => void
  /** The button, once it is in the page. */
  target: HTMLElement | null
  /** True once it has been opened: it stays drawn, so that it can fade out. */
  used: boolean
  /** Props that the button must receive. */
  button: {
    id: string
    ref: (element: HTMLElement | null) => void
    'aria-haspopup': 'menu' | 'dialog'
    'aria-expanded': boolean
    'aria-controls': string | undefined
    onClick: () => void
  }
}

export const usePopup = (kind: 'menu' | 'dialog'): Popup => {
  const id = useId()
  const [target, setTarget] = useState<HTMLElement | null>(null)
  const [opened, setOpened] = useState(false)
  const [used, setUsed] = useState(false)
  return {
    id,
    opened,
    setOpened,
    target,
    used,
    button: {
      id,
      ref: setTarget,
      'aria-haspopup': kind,
      'aria-expanded': opened,
      // The component library's name for the popup.
      'aria-controls': opened ? `${id}-dropdown` : undefined,
      onClick: () => {
        setUsed(true)
        setOpened(!opened)
      },
    },
  }
}
