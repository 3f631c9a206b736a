import type { ReactNode } from 'react'
import classes from './model.module.css'

/** A panel of the page with its title, a quiet word and an action beside it. */
export const Panel = (props: { title: string; sub?: string; action?: ReactNode; children: ReactNode }) => (
  <section className="panel">
    <div className={classes.panelHead}>
      <h2>{props.title}</h2>
      <span>{props.sub}</span>
      {props.action}
    </div>
    {props.children}
  </section>
)
