import type { ReactNode } from 'react'
import classes from './page-header.module.css'

/** A page's title with one quiet sentence beside it, below it where it does not fit; its actions are on the right. */
export const PageHeader = ({ title, text, actions }: { title: string; text?: ReactNode; actions?: ReactNode }) => (
  <div className={classes.head}>
    <div className={classes.words}>
      <h1>{title}</h1>
      {text && <p>{text}</p>}
    </div>
    {actions && <div className={classes.actions}>{actions}</div>}
  </div>
)
