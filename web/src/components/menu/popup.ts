import { useId, useState } from 'react'

/** A button and what opens at it. The button is there from the start, the rest is drawn once it has been asked for. */
export interface Popup {
  id: string
  opened: boolean
  setOpened: (opened: boolean) => void
  /** The button, once it is in the page. */
  target: HTMLElement | null
  /** Whether it has ever been open: from then on it is drawn, so that it can fade away. */
  used: boolean
  /** What the button has to be given. */
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
      // The package calls what opens at a button so.
      'aria-controls': opened ? `${id}-dropdown` : undefined,
      onClick: () => {
        setUsed(true)
        setOpened(!opened)
      },
    },
  }
}
