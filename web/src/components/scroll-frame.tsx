import type { ReactNode } from 'react'

/** A part of a page that scrolls by itself, also by keyboard. */
export const ScrollFrame = (props: { label: string; className?: string | undefined; children: ReactNode }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a mouse
  <section className={props.className} tabIndex={0} aria-label={props.label}>
    {props.children}
  </section>
)
