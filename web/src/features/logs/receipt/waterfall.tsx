import { isObject, parseObject } from '@tollgate/contract/json'
import { CopyText } from '../../../components/copy/copy-text.tsx'
import type { Attempt } from '../../../lib/api/contract.ts'
import { formatDuration } from '../../../lib/text/format.ts'
import { useLogMessages } from '../messages.ts'
import classes from '../sheet/log-sheet.module.css'

/** Shorter tries would not be seen. */
const leastShare = 0.8

/** Position of an attempt within the whole request, in percent. */
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

interface Times {
  wholeMs: number
  /** When the first token came, from the start of the call; only the attempt that answered has it. */
  firstMs: number | undefined
}

const Fall = ({ attempt, index, wholeMs, firstMs }: { attempt: Attempt; index: number } & Times) => {
  const say = useLogMessages()
  const { start, width } = spanOf(attempt, wholeMs)
  const failed = attempt.error !== ''
  const isCut = attempt.cancelled === true
  const name = attempt.channel_name || `#${attempt.channel}`
  const isFirstIn = !failed && !isCut && firstMs !== undefined && firstMs >= attempt.started_ms && firstMs <= wholeMs
  const first = isFirstIn && wholeMs > 0 ? (firstMs / wholeMs) * 100 : undefined
  const status = attempt.status > 0 ? String(attempt.status) : say('noStatus')
  const time = formatDuration(attempt.duration_ms)
  const done = failed ? say('attemptFailed', { status, time }) : `${status} ${say('attemptOk')} · ${time}`
  return (
    <li>
      <div className={classes.fallHead}>
        <span className={classes.fallName} title={`#${attempt.channel}`}>
          {say('attemptOf', { index, channel: name })}
          {attempt.hedge === 'second' && <span className="faint"> · {say('attemptSecond')}</span>}
        </span>
        <span className={failed ? classes.fallError : isCut ? 'muted' : classes.fallDone} title={attempt.error}>
          {isCut ? say('attemptCut', { time: formatDuration(attempt.duration_ms) }) : done}
        </span>
      </div>
      <svg className={classes.track} preserveAspectRatio="none" viewBox="0 0 100 12" role="img">
        <title>
          {say('attemptAria', {
            index,
            start: formatDuration(attempt.started_ms),
            duration: formatDuration(attempt.duration_ms),
          })}
        </title>
        {[0, 25, 50, 75].map((x) => (
          <line key={x} x1={x} x2={x} y1="0" y2="12" className={classes.grid} />
        ))}
        <rect
          x={start}
          width={width}
          y="0"
          height="12"
          className={failed ? classes.barFailed : first === undefined ? classes.bar : classes.barWaiting}
        />
        {first !== undefined && (
          <>
            <rect x={first} width={Math.max(0, start + width - first)} y="0" height="12" className={classes.bar} />
            <line x1={first} x2={first} y1="0" y2="12" className={classes.mark} />
          </>
        )}
      </svg>
      {first !== undefined && (
        <span className={classes.firstMark} style={{ paddingLeft: `${Math.min(72, first)}%` }}>
          ▲ {say('firstTokenAt', { time: formatDuration(firstMs ?? 0) })}
        </span>
      )}
      {failed && <span className={classes.fallReason}>{reasonOf(attempt.error)}</span>}
      {attempt.request_id !== undefined && (
        <span className={classes.fallId}>
          <span className="faint">{say('providerRequestId')}</span>
          <CopyText text={attempt.request_id} name={say('providerRequestId')} />
        </span>
      )}
    </li>
  )
}

/** The attempts one under the other on one time axis, each where it lay in the call's time. */
export const Waterfall = ({ attempts, ...times }: { attempts: readonly Attempt[] } & Times) => (
  <>
    <ol className={classes.falls}>
      {attempts.map((attempt, index) => (
        <Fall key={attempt.started_ms} attempt={attempt} index={index + 1} {...times} />
      ))}
    </ol>
    <div className={`num ${classes.axis}`} aria-hidden="true">
      {[0, 0.25, 0.5, 0.75, 1].map((share) => (
        <span key={share}>{formatDuration(share * times.wholeMs)}</span>
      ))}
    </div>
  </>
)
