import { Hint } from '../../components/display/hint.tsx'
import type { Log } from '../../lib/api/contract.ts'
import { formatDuration } from '../../lib/text/format.ts'
import classes from './logs.module.css'
import { type SayLog, useLogMessages } from './messages.ts'
import { firstTokenMs, firstTokenPace, type Pace, totalMs, totalPace } from './other.ts'

const wordOf = (pace: Pace, say: SayLog): string =>
  say(pace === 'good' ? 'fast' : pace === 'warn' ? 'slow' : 'verySlow')

/** A duration in the colour of its pace; slow ones have a text label as well. */
export const Paced = ({ ms, pace, hint }: { ms: number; pace: Pace; hint: 'totalOf' | 'firstTokenOf' }) => {
  const say = useLogMessages()
  const word = wordOf(pace, say)
  return (
    <Hint label={say(hint, { time: formatDuration(ms), pace: word })}>
      <span className={`num ${classes.pace}`} data-pace={pace}>
        {formatDuration(ms)}
        {pace !== 'good' && ` ${word}`}
      </span>
    </Hint>
  )
}

/** Duration, TTFT of a stream, and whether it was a stream. */
export const Times = ({ log }: { log: Log }) => {
  const say = useLogMessages()
  const total = totalMs(log)
  const first = log.is_stream ? firstTokenMs(log) : undefined
  return (
    <span className={classes.times}>
      <Paced ms={total} pace={totalPace(total)} hint="totalOf" />
      {first !== undefined && (
        <>
          <small>/</small>
          <Paced ms={first} pace={firstTokenPace(first)} hint="firstTokenOf" />
        </>
      )}
      <small>{say(log.is_stream ? 'stream' : 'notStream')}</small>
    </span>
  )
}
