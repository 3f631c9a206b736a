import { Link } from '@tanstack/react-router'
import { PanelList } from '#web/components/display/panel-list.tsx'
import { Quota, useQuotaText } from '#web/components/display/quota.tsx'
import { TimeText } from '#web/components/display/time/time-text.tsx'
import { calls } from '#web/lib/api/contract.ts'
import { useEndpoint } from '#web/lib/query.ts'
import { formatInteger } from '#web/lib/text/format.ts'
import { useTimeAnchor } from '#web/lib/time/time-anchor.ts'
import { useSessionMessages } from '../messages.ts'
import classes from './own-week.module.css'

const week = 7 * 86_400
const hour = 3_600
const shownSessions = 3

/** Own sessions of seven days: what they came to, and the latest ones to go on with. Nothing where there are none. */
export const OwnWeek = () => {
  const say = useSessionMessages()
  const quota = useQuotaText()
  const [now] = useTimeAnchor()
  const start = now - (now % hour) - week
  const sums = useEndpoint(calls.sumOwnCallSessions, { query: { start_timestamp: start } })
  const latest = useEndpoint(calls.listOwnCallSessions, {
    query: { start_timestamp: start, p: 1, page_size: shownSessions },
  })
  if (!sums.data || !latest.data || latest.data.items.length === 0) return null
  const { sessions, missed, quota: spent, cache_lost: lost } = sums.data
  const facts = [say('weekSessions', { number: formatInteger(sessions), amount: quota(spent) })]
  if (missed > 0 && lost > 0) facts.push(say('weekMissed', { number: formatInteger(missed), amount: quota(lost) }))
  return (
    <PanelList id="own-week" title={say('weekTitle')} facts={facts.join(' · ')} className={classes.rows}>
      {latest.data.items.map((session) => (
        <li key={session.id}>
          <Link to={'/sessions' as '/log'} search={{ session: session.id, id: session.id } as never} className="cut">
            {session.client || say('session')} <small className="faint">{session.models.join(', ')}</small>
          </Link>
          <TimeText at={session.last_time} brief />
          <span className={classes.amount}>
            <Quota value={session.quota} />
          </span>
        </li>
      ))}
    </PanelList>
  )
}
