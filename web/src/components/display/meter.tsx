import classes from './meter.module.css'

const toneOf = (used: number): string => (used >= 0.95 ? 'bad' : used >= 0.8 ? 'warn' : 'good')

/** Share at which the last tone but one is shown. */
const mostSoft = 0.9

/**
 * How much of something is used, as a bar; the figures stand beside it. `used` is a share of 1. A `soft` meter stays amber:
 * nothing stops at its end.
 */
export const Meter = ({ used, soft = false }: { used: number; soft?: boolean }) => (
  <span className={classes.meter} data-tone={toneOf(soft ? Math.min(used, mostSoft) : used)} aria-hidden="true">
    <i style={{ width: `${Math.min(100, used * 100)}%` }} />
  </span>
)
