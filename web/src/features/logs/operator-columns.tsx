import type { Column } from '../../components/data-table/columns/column.ts'
import { CallQuota } from '../../components/display/quota.tsx'
import { type LogEntry, logType } from '../../lib/api/contract.ts'
import type { SayLog } from './messages.ts'
import { channelPath, isRequest, marginOf, upstreamCostOf } from './other.ts'
import { UserCard } from './sheet/user-card.tsx'

/** The channels that were tried one after the other; empty when the first one answered. */
const retriesOf = (log: LogEntry): string => {
  const path = isRequest(log) ? channelPath(log) : ''
  return path.includes(' → ') ? path : ''
}

/** Columns of operators: the user, what the call costs upstream and which channels were tried. */
export const operatorColumns = (say: SayLog): readonly Column<LogEntry>[] => {
  const amount = (log: LogEntry, value: number | undefined) =>
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
