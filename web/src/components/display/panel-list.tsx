import type { ReactNode } from 'react'
import classes from './panel-list.module.css'

interface PanelRowsProps {
  /** A class with the columns of its rows. */
  readonly className: string | undefined
  readonly children: ReactNode
  readonly isBusy?: boolean
}

/** Rows of a panel with a line between them; the children are `li`. */
export const PanelRows = ({ className, children, isBusy }: PanelRowsProps) => (
  <ul className={`${classes.rows} ${className ?? ''}`} aria-busy={isBusy || undefined}>
    {children}
  </ul>
)

interface PanelListProps extends PanelRowsProps {
  readonly id: string
  readonly title: string
  /** Beside the title. */
  readonly facts?: string
}

/** A panel with a title and a list of a few rows. */
export const PanelList = ({ id, title, facts, ...rows }: PanelListProps) => (
  <section className={`panel ${classes.panel}`} aria-labelledby={id}>
    <div className={classes.head}>
      <h2 id={id}>{title}</h2>
      {facts !== undefined && <span className="faint num">{facts}</span>}
    </div>
    <PanelRows {...rows} />
  </section>
)
