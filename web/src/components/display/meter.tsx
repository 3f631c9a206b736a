import classes from './meter.module.css'

const toneOf = (used: number): string => (used >= 0.95 ? 'bad' : used >= 0.8 ? 'warn' : 'good')

/** How much of something is used, as a bar; the figures stand beside it. `used` is a share of 1. */
export const Meter = ({ used }: { used: number }) => (
  <span className={classes.meter} data-tone={toneOf(used)} aria-hidden="true">
    <i style={{ width: `${Math.min(100, used * 100)}%` }} />
  </span>
)
