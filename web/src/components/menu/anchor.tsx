import { type Ref, useEffect } from 'react'

/** An element at the position of a button elsewhere on the page; the component library opens its popup there. */
export const Anchor = ({ to, ref }: { to: HTMLElement | null; ref?: Ref<HTMLElement> }) => {
  useEffect(() => {
    if (typeof ref === 'function') ref(to)
  }, [to, ref])
  return null
}
