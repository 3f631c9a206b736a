import { type Ref, useEffect } from 'react'

/** Stands for a button that is elsewhere in the page: what the component library opens, opens there. */
export const Anchor = ({ to, ref }: { to: HTMLElement | null; ref?: Ref<HTMLElement> }) => {
  useEffect(() => {
    if (typeof ref === 'function') ref(to)
  }, [to, ref])
  return null
}
