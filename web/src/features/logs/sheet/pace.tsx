import { Hint } from '../../../components/display/hint.tsx'
import numbers from '../../../components/display/numbers.module.css'
import type { LogEntry } from '../../../lib/api/contract.ts'
import { formatDuration, formatSeconds } from '../../../lib/text/format.ts'
import { type SayLog, useLogMessages } from '../messages.ts'
import { firstTokenMs, firstTokenPace, type Pace, totalMs, totalPace } from '../other.ts'

const wordOf = (pace: Pace, say: SayLog): string =>
  say(pace === 'good' ? 'fast' : pace === 'warn' ? 'slow' : 'verySlow')

const hintOf = (log: LogEntry, say: SayLog): string => {
  const total = totalMs(log)
  const first = log.is_stream ? firstTokenMs(log) : undefined
  return [
    first === undefined
      ? ''
      : say('firstTokenOf', { time: formatDuration(first), pace: wordOf(firstTokenPace(first), say) }),
    say('totalOf', { time: formatDuration(total), pace: wordOf(totalPace(total), say) }),
    say(log.is_stream ? 'stream' : 'notStream'),
  ]
    .filter(Boolean)
    .join(' · ')
}

/** First token and total duration on one line: "0.92 8.40 s"; slow ones are coloured, the hint says so in words. */
export const Times = ({ log }: { log: LogEntry }) => {
  const say = useLogMessages()
  const total = totalMs(log)
  const first = log.is_stream ? firstTokenMs(log) : undefined
  return (
    <Hint label={hintOf(log, say)}>
      <span className={`num ${numbers.pair}`}>
        {first === undefined ? (
          <span className="faint">—</span>
        ) : (
          <span data-pace={firstTokenPace(first)}>{first < 99_995 ? formatSeconds(first) : formatDuration(first)}</span>
        )}
        <span className={numbers.total} data-pace={totalPace(total)}>
          {formatDuration(total)}
        </span>
      </span>
    </Hint>
  )
}

/** The same as text: "0.92 / 8.40 s". */
export const timesText = (log: LogEntry): string => {
  const first = log.is_stream ? firstTokenMs(log) : undefined
  const total = formatDuration(totalMs(log))
  if (first === undefined) return total
  return `${first < 99_995 ? formatSeconds(first) : formatDuration(first)} / ${total}`
}
