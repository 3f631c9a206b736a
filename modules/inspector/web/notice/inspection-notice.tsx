import { useMomentText } from '#web/components/display/time/time-text.tsx'
import { calls } from '#web/lib/api/contract.ts'
import { useEndpoint } from '#web/lib/query.ts'
import classes from './inspection-notice.module.css'
import { useInspectionMessages } from './messages.ts'

const everyMs = 2 * 60_000

/** Says to a person whose calls are captured that they are, and until when. */
export const InspectionNotice = () => {
  const say = useInspectionMessages()
  const moment = useMomentText()
  const { data } = useEndpoint(calls.getOwnInspection, {}, { staleTimeMs: everyMs, refreshEveryMs: everyMs })
  if (data === undefined || data.until === 0) return null
  const time = moment(data.until, true)
  return (
    <section className={classes.notice} aria-label={say('title')}>
      {data.keys.length === 0 ? say('all', { time }) : say('keys', { time, keys: data.keys.join(', ') })}
    </section>
  )
}
