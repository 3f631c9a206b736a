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
export const SpentTime = ({ seconds, digits }: { seconds: number | undefined; digits: number }) => {
  const say = useUiMessages()
  if (seconds === undefined) return <span className="faint">{say('notFinished')}</span>
  const slow = seconds > slowSeconds
  return (
    <span className={`num ${slow ? classes.slow : classes.quick}`}>
      {say(slow ? 'secondsSlow' : 'seconds', { count: seconds.toFixed(digits) })}
    </span>
  )
}
