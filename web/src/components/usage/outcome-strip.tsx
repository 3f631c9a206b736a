import classes from './usage.module.css'

export interface OutcomeCell {
  /** Unix seconds at which it begins. */
  readonly at: number
  readonly tone: 'none' | 'good' | 'warn' | 'bad'
  readonly title: string
}

/** A day in equal cells, whose colours are the shares of answered calls; `label` says the same as text. */
export const OutcomeStrip = (props: {
  /** Undefined while they are read. */
  cells: readonly OutcomeCell[] | undefined
  label: string
  start: string
  end: string
}) => (
  <>
    <div className={classes.hours} {...(props.cells ? { role: 'img', 'aria-label': props.label } : {})}>
      {props.cells?.map(({ at, tone, title }) => (
        <span key={at} data-tone={tone} title={title} />
      ))}
    </div>
    <div className={classes.ends} aria-hidden="true">
      <span>{props.start}</span>
      <span>{props.end}</span>
    </div>
  </>
)
