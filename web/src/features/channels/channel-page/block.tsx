import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './channel-page.module.css'

/** A panel of the page with a table that scrolls sideways where it is too wide. */
export const Block = ({ title, note, children }: { title: string; note?: ReactNode; children: ReactNode }) => (
  <section className={`panel ${classes.block}`} aria-label={title}>
    <div className={classes.blockHead}>
      <h2>{title}</h2>
      {note && <span className="faint">{note}</span>}
    </div>
    <div className={classes.body} data-kind="list">
      {children}
    </div>
  </section>
)

/** Keeps the place of a block whose code or data is still on its way. */
export const WaitingBlock = ({ kind }: { kind: 'chart' | 'list' }) => (
  <section className={`panel ${classes.block}`} aria-busy="true">
    <div className={classes.blockHead}>
      <Skeleton h={14} w={120} />
    </div>
    <div className={classes.body} data-kind={kind} />
  </section>
)
