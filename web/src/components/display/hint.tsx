import { cloneElement, type FocusEvent, type MouseEvent, type ReactElement, type ReactNode, useState } from 'react'
import { onDemand } from '../../lib/loading/on-demand.tsx'
import type { HintLook } from './hint-bubble.tsx'

const HintBubble = onDemand(async () => (await import('./hint-bubble.tsx')).HintBubble)

interface Hinted {
  onMouseEnter?: (event: MouseEvent<HTMLElement>) => void
  onMouseLeave?: (event: MouseEvent<HTMLElement>) => void
  onFocus?: (event: FocusEvent<HTMLElement>) => void
  onBlur?: (event: FocusEvent<HTMLElement>) => void
}

/**
 * Says more about its child while the pointer or the keyboard's focus is on it. A page holds hundreds: until then a hint is
 * four listeners and nothing else.
 */
export const Hint = (props: { label: ReactNode; children: ReactElement<Hinted> } & HintLook) => {
  const { children, ...bubble } = props
  const [target, setTarget] = useState<HTMLElement>()
  const [wanted, setWanted] = useState(false)
  const enter = (element: HTMLElement): void => {
    setTarget(element)
    setWanted(true)
  }
  const own = children.props
  return (
    <>
      {cloneElement(children, {
        onMouseEnter: (event) => {
          own.onMouseEnter?.(event)
          enter(event.currentTarget)
        },
        onMouseLeave: (event) => {
          own.onMouseLeave?.(event)
          setWanted(false)
        },
        onFocus: (event) => {
          own.onFocus?.(event)
          if (event.currentTarget.matches(':focus-visible')) enter(event.currentTarget)
        },
        onBlur: (event) => {
          own.onBlur?.(event)
          setWanted(false)
        },
      })}
      {target && <HintBubble target={target} wanted={wanted} {...bubble} />}
    </>
  )
}
