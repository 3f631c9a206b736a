import type { ReactNode } from 'react'
import { showsMore } from '../lib/shows-more.ts'

/** Holds what is hidden in it by position, which would otherwise widen the page. */
const frame = { position: 'relative' } as const

/** A part of a page that scrolls by itself, also by keyboard. */
export const ScrollFrame = (props: { label: string; className?: string | undefined; children: ReactNode }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a mouse
  <section ref={showsMore} className={props.className} style={frame} tabIndex={0} aria-label={props.label}>
    {props.children}
  </section>
)
