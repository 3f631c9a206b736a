import { SparkBars } from '../../components/chart/spark-bars.tsx'
import { Quota, useQuotaText } from '../../components/display/quota.tsx'
import { TimeText } from '../../components/display/time/time-text.tsx'
import { neverExpires, type Token } from '../../lib/api/contract.ts'
import { formatPercent } from '../../lib/text/format.ts'
import { formatShortDay } from '../../lib/text/format-time.ts'
import { useTimeReader } from '../../lib/time/time-zone.ts'
import type { SayToken } from './messages.ts'
import classes from './tokens.module.css'
import type { RecentUse } from './use-usage.ts'

const soonSeconds = 7 * 86_400

/** How much of all that a key ever had is used; 0 for a key that never had any. */
export const usedShare = (token: Pick<Token, 'used_quota' | 'remain_quota'>): number => {
  const whole = token.used_quota + Math.max(0, token.remain_quota)
  return whole > 0 ? token.used_quota / whole : 0
}

const barColour = (share: number): string =>
  share >= 0.95 ? 'var(--bad)' : share >= 0.8 ? 'var(--warn)' : 'var(--bar)'

/** The rest of a key's limit, with a bar of the used part. */
export const Remaining = ({ token, say }: { token: Token; say: SayToken }) => {
  if (token.unlimited_quota) return <span className="muted">{say('unlimited')}</span>
  const share = usedShare(token)
  return (
    <span className={classes.remain}>
      <Quota value={token.remain_quota} />
      <svg className={classes.bar} viewBox="0 0 100 4" preserveAspectRatio="none" role="img">
        <title>{say('limitBar', { share: formatPercent(share) })}</title>
        <rect width={share * 100} height="4" fill={barColour(share)} />
      </svg>
    </span>
  )
}

/** True if a key expires within a week of `now` (unix seconds) and has not yet. */
export const expiresSoon = ({ expired_time }: Pick<Token, 'expired_time'>, now: number): boolean =>
  expired_time !== neverExpires && expired_time > now && expired_time - now < soonSeconds

interface ExpiryProps {
  token: Token
  say: SayToken
  now: number
}

/** When a key expires, after a warning where that is soon: a narrow table cuts the end. `now` in unix seconds. */
export const Expiry = ({ token, say, now }: ExpiryProps) => (
  <span className={classes.expiry}>
    {expiresSoon(token, now) && <small className={classes.soon}>{say('expiresSoon')}</small>}
    <TimeText at={token.expired_time} brief />
  </span>
)

/** When a key expires or, in its place, the warning: a phone's line has no room for both. */
export const ExpiryInShort = ({ token, say, now }: ExpiryProps) =>
  expiresSoon(token, now) ? (
    <small className={classes.soon}>{say('expiresSoon')}</small>
  ) : (
    <TimeText at={token.expired_time} brief />
  )

export const Accessed = ({ token, say }: { token: Token; say: SayToken }) =>
  token.accessed_time > 0 && token.accessed_time !== token.created_time ? (
    <TimeText at={token.accessed_time} relative />
  ) : (
    <span className="faint">{say('neverUsed')}</span>
  )

export const spentLately = ({ quota }: RecentUse): number => quota.reduce((sum, spent) => sum + spent, 0)

/** A key's spending in the last days: the sum, and a bar for each day. */
export const Recent = ({ use, say }: { use: RecentUse | undefined | null; say: SayToken }) => {
  const quotaText = useQuotaText()
  const reader = useTimeReader()
  if (use === null) return <span className="faint">–</span>
  if (!use) return <span className={classes.recent} aria-busy="true" />
  const most = Math.max(...use.quota)
  const day = use.days[use.quota.indexOf(most)]
  const label =
    most > 0 && day !== undefined
      ? say('recentBars', { most: quotaText(most), day: formatShortDay(day, reader) })
      : say('recentNothing')
  return (
    <span className={classes.recent}>
      <Quota value={spentLately(use)} />
      <SparkBars values={use.quota} label={label} />
    </span>
  )
}
