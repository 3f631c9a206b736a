import { isObject, parseObject } from '@tollgate/contract/json'
import { CopyText } from '../../../components/copy/copy-text.tsx'
import type { Attempt } from '../../../lib/api/contract.ts'
import { formatDuration } from '../../../lib/text/format.ts'
import classes from '../log-sheet.module.css'
import { useLogMessages } from '../messages.ts'

/** Shorter tries would not be seen. */
const leastShare = 0.8

/** Where a try lies in the whole request, in percent. */
export const spanOf = (attempt: Attempt, wholeMs: number): { start: number; width: number } => {
  if (wholeMs <= 0) return { start: 0, width: 100 }
  const start = Math.min(100 - leastShare, (attempt.started_ms / wholeMs) * 100)
  return { start, width: Math.min(100 - start, Math.max(leastShare, (attempt.duration_ms / wholeMs) * 100)) }
}

/** The sentence inside an upstream's JSON; the text as it is where there is none. */
export const reasonOf = (error: string): string => {
  const { error: inner } = parseObject(error.slice(error.indexOf('{')))
  const message = isObject(inner) ? inner.message : undefined
  return typeof message === 'string' && message !== '' ? message : error
}

const Fall = ({ attempt, index, wholeMs }: { attempt: Attempt; index: number; wholeMs: number }) => {
  const say = useLogMessages()
  const { start, width } = spanOf(attempt, wholeMs)
  const failed = attempt.error !== ''
  const name = attempt.channel_name || `#${attempt.channel}`
  return (
    <li>
      <div className={classes.fallHead}>
        <span>
          {say('attemptOf', { index, channel: name })} <span className="faint num">#{attempt.channel}</span>
        </span>
        <span className="num">
          {attempt.status > 0 ? attempt.status : say('noStatus')}
          {!failed && ` ${say('attemptOk')}`} · {formatDuration(attempt.duration_ms)}
        </span>
      </div>
      <svg className={classes.track} preserveAspectRatio="none" viewBox="0 0 100 8" role="img">
        <title>
          {say('attemptAria', {
            index,
            start: formatDuration(attempt.started_ms),
            duration: formatDuration(attempt.duration_ms),
          })}
        </title>
        <rect x={start} y="0" width={width} height="8" fill={failed ? 'var(--bad)' : 'var(--bar)'} />
      </svg>
      {failed && (
        <span className={classes.fallError} title={attempt.error}>
          {reasonOf(attempt.error)}
        </span>
      )}
      {attempt.request_id !== undefined && (
        <span className={classes.fallId}>
          <span className="faint">{say('providerRequestId')}</span>
          <CopyText text={attempt.request_id} name={say('providerRequestId')} />
        </span>
      )}
    </li>
  )
}

/** The tries of upstreams one under the other, each where it lay in the request's time. */
export const Waterfall = ({ attempts, totalMs }: { attempts: readonly Attempt[]; totalMs: number }) => {
  const wholeMs = Math.max(totalMs, ...attempts.map((attempt) => attempt.started_ms + attempt.duration_ms))
  return (
    <ol className={classes.falls}>
      {attempts.map((attempt, index) => (
        <Fall key={attempt.started_ms} attempt={attempt} index={index + 1} wholeMs={wholeMs} />
      ))}
    </ol>
  )
}
