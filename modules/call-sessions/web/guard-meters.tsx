import { FactsHeading } from '#web/components/display/facts.tsx'
import { Meter } from '#web/components/display/meter.tsx'
import { useQuotaText } from '#web/components/display/quota.tsx'
import { type CallSession, calls } from '#web/lib/api/contract.ts'
import { useEndpoint } from '#web/lib/query.ts'
import { useStatus } from '#web/lib/status.ts'
import { formatInteger } from '#web/lib/text/format.ts'
import { useSessionMessages } from './messages.ts'
import classes from './sessions.module.css'

/** How often it is read again while the session is open. */
const refreshEveryMs = 10_000

/** How far a session is from each limit that would stop it; nothing where it has none. */
export const GuardMeters = ({ session, isAdmin }: { session: CallSession; isAdmin: boolean }) => {
  const say = useSessionMessages()
  const quotaText = useQuotaText()
  const { quota_per_unit: quotaPerUnit } = useStatus()
  const endpoint = (
    isAdmin ? calls.readCallSessionGuard : calls.readOwnCallSessionGuard
  ) as typeof calls.readCallSessionGuard
  const found = useEndpoint(endpoint, { query: { session: session.id } }, { refreshEveryMs })
  if (!found.data || found.isPlaceholderData) return null
  const { limits, quota, calls: count, minutes } = found.data
  const most = limits.money === undefined ? undefined : limits.money * quotaPerUnit
  const meters = [
    most !== undefined && { label: say('cost'), used: quota, most, text: quotaText },
    limits.calls !== undefined && { label: say('calls'), used: count, most: limits.calls, text: formatInteger },
    limits.minutes !== undefined && {
      label: say('guardMinutes'),
      used: minutes,
      most: limits.minutes,
      text: formatInteger,
    },
  ].filter((meter) => meter !== false)
  return (
    <>
      <FactsHeading>{say('guard')}</FactsHeading>
      <ul className={classes.guard}>
        {meters.map(({ label, used, most: limit, text }) => (
          <li key={label}>
            <p>
              <span className="muted">{label}</span>
              <span className="num">{say('usedOf', { used: text(used), most: text(limit) })}</span>
            </p>
            <Meter used={used / limit} />
          </li>
        ))}
        {limits.repeats !== undefined && (
          <li>
            <p>
              <span className="muted">{say('guardRepeats')}</span>
              <span className="num">{say('guardTimes', { count: limits.repeats })}</span>
            </p>
          </li>
        )}
      </ul>
    </>
  )
}
