import type { ReactNode } from 'react'
import classes from './channel-page.module.css'

/** A panel of the page with a table that scrolls sideways where it is too wide. */
export const Block = ({ title, note, children }: { title: string; note?: ReactNode; children: ReactNode }) => (
  <section className={`panel ${classes.block}`} aria-label={title}>
    <div className={classes.blockHead}>
      <h2>{title}</h2>
      {note && <span className="faint">{note}</span>}
    </div>
    {children}
  </section>
)
