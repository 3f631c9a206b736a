import { formatDuration } from '../../lib/text/format.ts'
import { useUiMessages } from '../messages.ts'
import classes from './task-log.module.css'

const slowSeconds = 60

/**
 * Seconds between two moments of a task, both in units of which a second has `perSecond`. Undefined while it is
 * unfinished, and when the upstream's clock puts the end before the start.
 */
export const spentSeconds = (submitted: number, finished: number, perSecond: number): number | undefined =>
  submitted > 0 && finished >= submitted ? (finished - submitted) / perSecond : undefined

/** How long a task took, red when that was long. */
export const SpentTime = ({ seconds }: { seconds: number | undefined }) => {
  const say = useUiMessages()
  if (seconds === undefined) return <span className="faint">{say('notFinished')}</span>
  const slow = seconds > slowSeconds
  const text = formatDuration(seconds * 1000)
  return (
    <span className={`num ${slow ? classes.slow : classes.quick}`}>{slow ? say('slowly', { time: text }) : text}</span>
  )
}
