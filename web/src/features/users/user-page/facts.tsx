import type { ReactNode } from 'react'
import classes from './user-page.module.css'

/** A titled group of labelled values. */
export const Facts = ({ title, facts }: { title: string; facts: readonly { label: string; value: ReactNode }[] }) => (
  <section className={`panel ${classes.facts}`}>
    <h2>{title}</h2>
    <dl>
      {facts.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  </section>
)
