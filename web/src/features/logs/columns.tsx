import type { Column } from '../../components/data-table/columns/column.ts'
import { GroupTag } from '../../components/display/group-tag.tsx'
import { Hint } from '../../components/display/hint.tsx'
import { Icon } from '../../components/display/icon.tsx'
import { CallQuota } from '../../components/display/quota.tsx'
import { TimeText } from '../../components/display/time/time-text.tsx'
import { Logo } from '../../components/logo/logo.tsx'
import { type Log, logType } from '../../lib/api/contract.ts'
import { formatInteger, formatPercent } from '../../lib/text/format.ts'
import { SessionLane, type SessionLanes, sessionOfLog } from './lanes/session-lanes.tsx'
import classes from './logs.module.css'
import type { SayLog } from './messages.ts'
import {
  cachedShare,
  cachedTokens,
  channelPath,
  isRequest,
  marginOf,
  otherOf,
  totalMs,
  upstreamCostOf,
} from './other.ts'
import { placeColumns, tagColumn } from './places/place-columns.tsx'
import { keyName, resultOf } from './result.ts'
import { ResultText } from './result-text.tsx'
import { detailsText } from './sheet/details.ts'
import { Times, timesText } from './sheet/pace.tsx'
import { UserCard } from './sheet/user-card.tsx'
import { TypeBadge } from './type-badge.tsx'

const Model = ({ log, say }: { log: Log; say: SayLog }) => {
  const { is_model_mapped: mapped, upstream_model_name: actual } = otherOf(log)
  const logo = log.model_name === '' ? null : <Logo of={{ model: log.model_name }} name={log.model_name} />
  if (!mapped || !actual)
    return (
      <span className={classes.model}>
        {logo}
        {log.model_name === '' ? <span className="faint">—</span> : <span className="mono">{log.model_name}</span>}
      </span>
    )
  const hint = say('mapped', { asked: log.model_name, actual })
  return (
    <Hint label={hint} multiline maw={320}>
      <span className={classes.model}>
        {logo}
        <span className="mono">{log.model_name}</span>
        <Icon name="refresh" size={11} />
        <span className="visually-hidden">{hint}</span>
      </span>
    </Hint>
  )
}

const Key = ({ log, say, isAdmin }: { log: Log; say: SayLog; isAdmin: boolean }) => (
  <>
    <span className="strong">{isRequest(log) ? keyName(log, say) : log.username}</span>
    {isAdmin && isRequest(log) && <span className={classes.owner}>{log.place?.organisation.name ?? log.username}</span>}
  </>
)

const CacheShare = ({ log }: { log: Log }) => {
  const share = cachedShare(log)
  if (share === undefined) return <span className="faint">—</span>
  return (
    <Hint label={formatInteger(cachedTokens(log))}>
      <span className={`num ${classes.cache}`}>
        <svg viewBox="0 0 26 4" width="26" height="4" aria-hidden="true">
          <rect width="26" height="4" rx="2" className={classes.cacheRest} />
          <rect width={26 * share} height="4" rx="2" className={classes.cacheRead} />
        </svg>
        <span>{formatPercent(share, 0)}</span>
      </span>
    </Hint>
  )
}

/** The channel's name; its number where it has been deleted. */
const channelName = (log: Log): string => log.channel_name || (log.channel > 0 ? `#${log.channel}` : '')

const groupOf = (log: Log): string => {
  const { group } = otherOf(log)
  return log.group || (typeof group === 'string' ? group : '')
}

const tokens = (log: Log, value: number): string => (isRequest(log) ? formatInteger(value) : '')

/** The channels that were tried one after the other; empty when the first one answered. */
const retriesOf = (log: Log): string => {
  const path = isRequest(log) ? channelPath(log) : ''
  return path.includes(' ') ? path : ''
}

/** Columns of operators: the user, what the call costs upstream and which channels were tried. */
const operatorColumns = (say: SayLog): readonly Column<Log>[] => {
  const amount = (log: Log, value: number | undefined) =>
    log.type !== logType.consume ? null : value === undefined ? (
      <span className="muted">{say('unknownCost')}</span>
    ) : (
      <CallQuota value={value} />
    )
  return [
    {
      id: 'username',
      header: say('user'),
      hidden: true,
      card: 'none',
      filters: (log) => [{ facet: 'username', value: log.username }],
      cell: (log) => <UserCard id={log.user_id} name={log.username} />,
      value: (log) => log.username,
    },
    {
      id: 'upstream_cost',
      header: say('upstreamCost'),
      align: 'right',
      hidden: true,
      card: 'none',
      cell: (log) => amount(log, upstreamCostOf(log)?.quota),
      value: (log) => upstreamCostOf(log)?.quota ?? '',
      money: true,
    },
    {
      id: 'margin',
      header: say('margin'),
      align: 'right',
      hidden: true,
      card: 'none',
      cell: (log) => amount(log, marginOf(log)),
      value: (log) => marginOf(log) ?? '',
      money: true,
    },
    {
      id: 'retry',
      header: say('retry'),
      hidden: true,
      card: 'none',
      cell: (log) => <span className="num">{retriesOf(log)}</span>,
      value: retriesOf,
    },
  ]
}

interface Shown {
  /** Admins have the channel and `operatorColumns` as well. */
  readonly isAdmin: boolean
  /** Sessions are shown where a row of the page belongs to one; undefined where none does. */
  readonly lanes?: SessionLanes | undefined
  readonly tags?: boolean
  readonly places?: boolean
}

/** Columns of the log, from left to right. */
export const logColumns = (say: SayLog, { isAdmin, lanes, tags, places }: Shown): readonly Column<Log>[] => [
  {
    id: 'id',
    header: say('time'),
    sortable: true,
    card: 'fact',
    cell: (log) => <TimeText at={log.created_at} brief />,
    value: (log) => new Date(log.created_at * 1000).toISOString(),
  },
  {
    id: 'session',
    header: say('session'),
    hidden: lanes === undefined,
    card: 'none',
    filters: (log) => [{ facet: 'session', value: sessionOfLog(log) ?? '' }],
    cell: (log) => lanes && <SessionLane log={log} lanes={lanes} />,
    value: (log) => sessionOfLog(log) ?? '',
  },
  {
    id: 'token',
    header: say('token'),
    most: 130,
    filters: (log) => (isRequest(log) ? [{ facet: 'token_name', value: log.token_name }] : []),
    cell: (log) => <Key log={log} say={say} isAdmin={isAdmin} />,
    cardCell: (log) => keyName(log, say),
    value: (log) => keyName(log, say),
  },
  {
    id: 'model',
    header: say('model'),
    card: 'title',
    most: 160,
    filters: (log) => (isRequest(log) ? [{ facet: 'model_name', value: `"${log.model_name}"` }] : []),
    cell: (log) => (isRequest(log) ? <Model log={log} say={say} /> : null),
    cardCell: (log) => (isRequest(log) ? <Model log={log} say={say} /> : <TypeBadge log={log} />),
    value: (log) => log.model_name,
  },
  ...(isAdmin
    ? [
        {
          id: 'channel',
          header: say('channel'),
          card: 'none' as const,
          most: 108,
          filters: (log: Log) =>
            isRequest(log) && log.channel > 0 ? [{ facet: 'channel', value: String(log.channel) }] : [],
          cell: (log: Log) => (isRequest(log) ? channelName(log) || <span className="faint">—</span> : null),
          value: channelName,
        },
      ]
    : []),
  {
    id: 'result',
    header: say('result'),
    most: 130,
    filters: (log) => [{ facet: 'type', value: String(log.type) }],
    cell: (log) => <ResultText log={log} />,
    cardCell: (log) => (resultOf(log, say).tone === 'good' ? null : <ResultText log={log} />),
    value: (log) => {
      const { label, cause } = resultOf(log, say)
      return cause === '' ? label : `${label}: ${cause}`
    },
  },
  {
    id: 'use_time',
    header: say('useTime'),
    sortable: true,
    align: 'right',
    cell: (log) => (isRequest(log) ? <Times log={log} /> : null),
    cardCell: (log) => (isRequest(log) ? timesText(log) : null),
    value: totalMs,
    unit: 'ms',
  },
  {
    id: 'prompt_tokens',
    header: say('prompt'),
    sortable: true,
    align: 'right',
    card: 'none',
    cell: (log) => tokens(log, log.prompt_tokens),
    value: (log) => log.prompt_tokens,
    sum: true,
  },
  {
    id: 'cached',
    header: say('cached'),
    align: 'right',
    cell: (log) => (isRequest(log) ? <CacheShare log={log} /> : null),
    cardCell: (log) => {
      const share = isRequest(log) ? cachedShare(log) : undefined
      return share === undefined ? null : say('cacheOf', { share: formatPercent(share, 0) })
    },
    value: cachedTokens,
    sum: true,
  },
  {
    id: 'completion_tokens',
    header: say('completion'),
    sortable: true,
    align: 'right',
    card: 'none',
    cell: (log) => tokens(log, log.completion_tokens),
    value: (log) => log.completion_tokens,
    sum: true,
  },
  {
    id: 'quota',
    header: say('cost'),
    sortable: true,
    align: 'right',
    card: 'amount',
    cell: (log) =>
      isRequest(log) ? (
        <span className="strong">
          <CallQuota value={log.quota} />
        </span>
      ) : null,
    value: (log) => log.quota,
    money: true,
    sum: true,
  },
  {
    id: 'group',
    header: say('group'),
    hidden: true,
    card: 'none',
    filters: (log) => (isRequest(log) ? [{ facet: 'group', value: log.group }] : []),
    cell: (log) => (isRequest(log) && groupOf(log) !== '' ? <GroupTag name={groupOf(log)} /> : null),
    value: groupOf,
  },
  {
    id: 'type',
    header: say('type'),
    hidden: true,
    card: 'none',
    filters: (log) => [{ facet: 'type', value: String(log.type) }],
    cell: (log) => <TypeBadge log={log} />,
    value: (log) => log.type,
  },
  ...(isAdmin ? operatorColumns(say) : []),
  ...(places ? placeColumns(say) : []),
  ...(tags ? [tagColumn(say)] : []),
  {
    id: 'details',
    header: say('details'),
    hidden: true,
    card: 'none',
    most: 320,
    cell: (log) => <span className="muted">{detailsText(log, say)}</span>,
    value: (log) => detailsText(log, say),
  },
  {
    id: 'client',
    header: say('client'),
    hidden: true,
    card: 'none',
    most: 160,
    filters: (log) => [{ facet: 'client', value: otherOf(log).client ?? '' }],
    cell: (log) => otherOf(log).client,
    value: (log) => otherOf(log).client ?? '',
  },
  {
    id: 'ip',
    header: say('ip'),
    hidden: true,
    card: 'none',
    cell: (log) => <span className="mono">{log.ip}</span>,
    value: (log) => log.ip,
  },
  {
    id: 'request_id',
    header: say('requestId'),
    hidden: true,
    card: 'none',
    filters: (log) => [{ facet: 'request_id', value: log.request_id }],
    cell: (log) => <span className="mono">{log.request_id}</span>,
    value: (log) => log.request_id,
  },
]
