import type { ReactNode } from 'react'
import classes from './panel-section.module.css'

/** A titled panel of the page; its id can be linked to. */
export const Section = ({ id, title, children }: { id: string; title: string; children: ReactNode }) => (
  <section id={id} className={`panel ${classes.section}`} aria-labelledby={`${id}-title`}>
    <h2 id={`${id}-title`}>{title}</h2>
    {children}
  </section>
)
