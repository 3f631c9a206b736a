import { Tooltip } from '@mantine/core'
import { type ReactNode, useEffect, useId, useState } from 'react'

/** As long as the package waits by itself. */
const openDelayMs = 300

export interface HintLook {
  multiline?: boolean
  /** Greatest width in px. */
  maw?: number
  position?: 'top' | 'right'
}

interface BubbleProps extends HintLook {
  target: HTMLElement
  /** True while the pointer or the focus is on the element. */
  wanted: boolean
  label: ReactNode
}

/** The text of a hint, beside its element. */
export const HintBubble = ({ target, wanted, label, ...look }: BubbleProps) => {
  const id = useId()
  const [opened, setOpened] = useState(false)
  useEffect(() => {
    if (!wanted) return
    const timer = setTimeout(() => setOpened(true), openDelayMs)
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') setOpened(false)
    }
    window.addEventListener('keydown', onKey, { capture: true })
    return () => {
      clearTimeout(timer)
      window.removeEventListener('keydown', onKey, { capture: true })
      setOpened(false)
    }
  }, [wanted])
  // For screen readers, which see the hint elsewhere in the page.
  useEffect(() => {
    if (!opened) return
    target.setAttribute('aria-describedby', id)
    return () => target.removeAttribute('aria-describedby')
  }, [opened, target, id])
  return <Tooltip target={target} opened={opened} label={<span id={id}>{label}</span>} {...look} />
}
