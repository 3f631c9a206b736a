import { useUiMessages } from '../messages.ts'
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

/** Days before the end of a model from which on its readers are told. */
const noticeDays = 90
const dayMs = 86_400_000

/** True from the day on that a model ends; false where none is known. */
export const hasEnded = (day: string): boolean => Date.parse(`${day}T00:00:00Z`) <= Date.now()

/** Says that a model ends soon, or has ended; nothing else is shown. `day` as `2026-12-31` (UTC), empty where none is known. */
export const EndBadge = ({ day, replacedBy }: { day: string; replacedBy: string }) => {
  const say = useUiMessages()
  const at = Date.parse(`${day}T00:00:00Z`)
  const left = at - Date.now()
  if (Number.isNaN(at) || left > noticeDays * dayMs) return null
  const hint = replacedBy === '' ? undefined : say('endReplaced', { model: replacedBy })
  return <StatusBadge tone={left > 0 ? 'warn' : 'bad'} label={say(left > 0 ? 'ends' : 'ended', { day })} hint={hint} />
}
