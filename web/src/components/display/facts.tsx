import type { ReactNode } from 'react'
import classes from './facts.module.css'

export interface Fact {
  label: string
  value: ReactNode
}

/** Label and value, line by line; facts that are not there are left out. */
export const Facts = (props: { facts: readonly (Fact | false | undefined | '')[]; busy?: boolean }) => (
  <dl className={classes.facts} aria-busy={props.busy || undefined}>
    {props.facts.map(
      (fact) =>
        fact && (
          <div key={fact.label}>
            <dt>{fact.label}</dt>
            <dd>{fact.value}</dd>
          </div>
        ),
    )}
  </dl>
)

/** A heading above a group of facts, or above another part of a sheet; `aside` stands at the right end of its line. */
export const FactsHeading = ({ children, aside }: { children: ReactNode; aside?: ReactNode }) =>
  aside ? (
    <div className={classes.headLine}>
      <h3 className={classes.heading}>{children}</h3>
      <span className={classes.aside}>{aside}</span>
    </div>
  ) : (
    <h3 className={classes.heading}>{children}</h3>
  )
