import type { Column } from '../../components/data-table/columns/column.ts'
import { GroupTag } from '../../components/display/group-tag.tsx'
import { Hint } from '../../components/display/hint.tsx'
import { Icon } from '../../components/display/icon.tsx'
import { Quota } from '../../components/display/quota.tsx'
import { TimeText } from '../../components/display/time-text.tsx'
import { type Log, logType } from '../../lib/api/contract.ts'
import { formatInteger } from '../../lib/text/format.ts'
import { detailsText } from './details.ts'
import classes from './logs.module.css'
import type { SayLog } from './messages.ts'
import { cachedTokens, channelPath, isRequest, marginOf, otherOf, totalMs, upstreamCostOf } from './other.ts'
import { Times } from './pace.tsx'
import { TypeBadge } from './type-badge.tsx'
import { UserCard } from './user-card.tsx'

const Model = ({ log, say }: { log: Log; say: SayLog }) => {
  const { is_model_mapped: mapped, upstream_model_name: actual } = otherOf(log)
  if (!mapped || !actual) return <span className="mono">{log.model_name}</span>
  const hint = say('mapped', { asked: log.model_name, actual })
  return (
    <Hint label={hint} multiline maw={320}>
      <span className={`mono ${classes.model}`}>
        {log.model_name}
        <Icon name="refresh" size={12} />
        <span className="visually-hidden">{hint}</span>
      </span>
    </Hint>
  )
}

const channelName = (log: Log, say: SayLog): string => log.channel_name || say('unknownChannel')

const Channel = ({ log, say }: { log: Log; say: SayLog }) =>
  log.channel > 0 ? (
    <Hint label={channelName(log, say)}>
      <span className={`num ${classes.channel}`}>{log.channel}</span>
    </Hint>
  ) : null

const groupOf = (log: Log): string => {
  const { group } = otherOf(log)
  return log.group || (typeof group === 'string' ? group : '')
}

const figure = (log: Log, value: number): string => (isRequest(log) && value > 0 ? formatInteger(value) : '')

/** The channels that were tried one after the other; empty when the first one answered. */
const retriesOf = (log: Log): string => {
  const path = isRequest(log) ? channelPath(log) : ''
  return path.includes(' ') ? path : ''
}

/** Columns of the log; admins see channel, user and retries. */
export const logColumns = (say: SayLog, isAdmin: boolean): readonly Column<Log>[] => {
  const time: Column<Log> = {
    id: 'id',
    header: say('time'),
    sortable: true,
    card: 'title',
    cell: (log) => <TimeText at={log.created_at} brief />,
    value: (log) => new Date(log.created_at * 1000).toISOString(),
  }
  const adminColumns: Column<Log>[] = [
    {
      id: 'channel',
      header: say('channel'),
      filters: (log) => (isRequest(log) && log.channel > 0 ? [{ facet: 'channel', value: String(log.channel) }] : []),
      cell: (log) => (isRequest(log) ? <Channel log={log} say={say} /> : null),
      value: (log) => log.channel,
    },
    {
      id: 'username',
      header: say('user'),
      filters: (log) => [{ facet: 'username', value: log.username }],
      cell: (log) => <UserCard id={log.user_id} name={log.username} />,
      value: (log) => log.username,
    },
  ]
  const amount = (log: Log, value: number | undefined) =>
    log.type !== logType.consume ? null : value === undefined ? (
      <span className="muted">{say('unknownCost')}</span>
    ) : (
      <Quota value={value} />
    )
  const costColumns: Column<Log>[] = [
    {
      id: 'upstream_cost',
      header: say('upstreamCost'),
      align: 'right',
      hidden: true,
      card: 'none',
      cell: (log) => amount(log, upstreamCostOf(log)?.quota),
      value: (log) => upstreamCostOf(log)?.quota ?? '',
    },
    {
      id: 'margin',
      header: say('margin'),
      align: 'right',
      hidden: true,
      card: 'none',
      cell: (log) => amount(log, marginOf(log)),
      value: (log) => marginOf(log) ?? '',
    },
  ]
  const retry: Column<Log> = {
    id: 'retry',
    header: say('retry'),
    card: 'none',
    cell: (log) => <span className="num">{retriesOf(log)}</span>,
    value: retriesOf,
  }
  return [
    time,
    ...(isAdmin ? adminColumns : []),
    {
      id: 'token',
      header: say('token'),
      filters: (log) => (isRequest(log) ? [{ facet: 'token_name', value: log.token_name }] : []),
      cell: (log) => (isRequest(log) ? log.token_name : null),
      value: (log) => log.token_name,
    },
    {
      id: 'group',
      header: say('group'),
      filters: (log) => (isRequest(log) ? [{ facet: 'group', value: log.group }] : []),
      cell: (log) => (isRequest(log) && groupOf(log) !== '' ? <GroupTag name={groupOf(log)} /> : null),
      value: groupOf,
    },
    {
      id: 'type',
      header: say('type'),
      card: 'title',
      filters: (log) => [{ facet: 'type', value: String(log.type) }],
      cell: (log) => <TypeBadge log={log} />,
      value: (log) => log.type,
    },
    {
      id: 'model',
      header: say('model'),
      filters: (log) => (isRequest(log) ? [{ facet: 'model_name', value: `"${log.model_name}"` }] : []),
      cell: (log) => (isRequest(log) ? <Model log={log} say={say} /> : null),
      value: (log) => log.model_name,
    },
    {
      id: 'use_time',
      header: say('useTime'),
      sortable: true,
      cell: (log) => (isRequest(log) ? <Times log={log} /> : null),
      value: (log) => totalMs(log) / 1000,
    },
    {
      id: 'prompt_tokens',
      header: say('prompt'),
      sortable: true,
      align: 'right',
      cell: (log) => figure(log, log.prompt_tokens),
      value: (log) => log.prompt_tokens,
    },
    {
      id: 'cached',
      header: say('cached'),
      align: 'right',
      hidden: true,
      card: 'none',
      cell: (log) => figure(log, cachedTokens(log)),
      value: cachedTokens,
    },
    {
      id: 'completion_tokens',
      header: say('completion'),
      sortable: true,
      align: 'right',
      cell: (log) => figure(log, log.completion_tokens),
      value: (log) => log.completion_tokens,
    },
    {
      id: 'quota',
      header: say('cost'),
      sortable: true,
      align: 'right',
      cell: (log) =>
        isRequest(log) ? (
          <span className="strong">
            <Quota value={log.quota} />
          </span>
        ) : null,
      value: (log) => log.quota,
    },
    ...(isAdmin ? [...costColumns, retry] : []),
    {
      id: 'details',
      header: say('details'),
      cell: (log) => (
        <span className={classes.details} title={detailsText(log, say)}>
          {detailsText(log, say)}
        </span>
      ),
      value: (log) => detailsText(log, say),
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
}
