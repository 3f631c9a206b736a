import type { Column } from '../../components/data-table/column.ts'
import { GroupTag } from '../../components/group-tag.tsx'
import { Quota } from '../../components/quota.tsx'
import { TimeText } from '../../components/time-text.tsx'
import { neverExpires, type Token } from '../../lib/contract.ts'
import { formatPercent } from '../../lib/format.ts'
import { KeyCell } from './key-cell.tsx'
import type { SayToken } from './messages.ts'
import { statusWord, TokenStatusBadge } from './status.tsx'
import classes from './tokens.module.css'

const soonSeconds = 7 * 86_400

/** How much of all that a key ever had is used; 0 for a key that never had any. */
export const usedShare = (token: Pick<Token, 'used_quota' | 'remain_quota'>): number => {
  const whole = token.used_quota + Math.max(0, token.remain_quota)
  return whole > 0 ? token.used_quota / whole : 0
}

const barColour = (share: number): string =>
  share >= 0.95 ? 'var(--bad)' : share >= 0.8 ? 'var(--warn)' : 'var(--bar)'

const Remaining = ({ token, say }: { token: Token; say: SayToken }) => {
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

const Expiry = ({ token, say, now }: { token: Token; say: SayToken; now: number }) => {
  const left = token.expired_time - now
  const soon = token.expired_time !== neverExpires && left > 0 && left < soonSeconds
  return (
    <span className={classes.expiry}>
      <TimeText at={token.expired_time} />
      {soon && <small className={classes.soon}>{say('expiresSoon')}</small>}
    </span>
  )
}

const Accessed = ({ token, say }: { token: Token; say: SayToken }) =>
  token.accessed_time > 0 && token.accessed_time !== token.created_time ? (
    <TimeText at={token.accessed_time} relative />
  ) : (
    <span className="faint">{say('neverUsed')}</span>
  )

/** Columns of the key list (console reference D1). `now` in unix seconds. */
export const tokenColumns = (say: SayToken, now: number): readonly Column<Token>[] => [
  {
    id: 'name',
    header: say('name'),
    sortable: true,
    card: 'title',
    cell: (token) => <span className="strong">{token.name}</span>,
    value: (token) => token.name,
  },
  {
    id: 'status',
    header: say('status'),
    sortable: true,
    card: 'title',
    cell: (token) => (
      <span className={classes.status}>
        <TokenStatusBadge token={token} />
        <GroupTag name={token.group || say('userGroup')} />
      </span>
    ),
    value: (token) => statusWord(token, say),
  },
  { id: 'key', header: say('key'), cell: (token) => <KeyCell token={token} /> },
  {
    id: 'used_quota',
    header: say('used'),
    sortable: true,
    align: 'right',
    cell: (token) => <Quota value={token.used_quota} />,
    value: (token) => token.used_quota,
  },
  {
    id: 'remain_quota',
    header: say('remaining'),
    sortable: true,
    align: 'right',
    cell: (token) => <Remaining token={token} say={say} />,
    value: (token) => (token.unlimited_quota ? say('unlimited') : token.remain_quota),
  },
  {
    id: 'created_time',
    header: say('created'),
    sortable: true,
    card: 'none',
    cell: (token) => <TimeText at={token.created_time} />,
    value: (token) => new Date(token.created_time * 1000).toISOString(),
  },
  {
    id: 'accessed_time',
    header: say('accessed'),
    sortable: true,
    cell: (token) => <Accessed token={token} say={say} />,
    value: (token) => token.accessed_time,
  },
  {
    id: 'expired_time',
    header: say('expires'),
    sortable: true,
    cell: (token) => <Expiry token={token} say={say} now={now} />,
    value: (token) => token.expired_time,
  },
]
