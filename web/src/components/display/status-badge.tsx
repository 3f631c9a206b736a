import { Hint } from './hint.tsx'
import classes from './status-badge.module.css'

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'neutral'

/** A state as word, shape and colour: round = fine, triangle = warning, square = bad, ring = off, diamond = information. */
export const StatusBadge = ({ tone, label, hint }: { tone: Tone; label: string; hint?: string }) => {
  const badge = (
    <span className={classes.badge} data-tone={tone} tabIndex={hint ? 0 : undefined}>
      <span className={classes.shape} aria-hidden="true" />
      {label}
    </span>
  )
  return hint ? (
    <Hint label={hint} multiline maw={320}>
      {badge}
    </Hint>
  ) : (
    badge
  )
}
