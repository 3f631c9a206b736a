import type { ReactNode } from 'react'
import classes from './guide.module.css'

interface GuideContentProps {
  title: ReactNode
  note?: ReactNode
  actions?: ReactNode
  footer?: ReactNode
  children: ReactNode
}

/** The panel of a step: a head with its title, what there is to do, and below it what is needed for that. */
export const GuideContent = ({ title, note, actions, footer, children }: GuideContentProps) => (
  <div className={`panel ${classes.content}`}>
    <div className={classes.contentHead}>
      <h3>{title}</h3>
      {note && <span className="faint">{note}</span>}
      {actions && <div className={classes.contentActions}>{actions}</div>}
    </div>
    <div className={classes.contentBody}>{children}</div>
    {footer && <div className={classes.contentFoot}>{footer}</div>}
  </div>
)
