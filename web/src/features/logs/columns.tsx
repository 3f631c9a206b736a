import { ownMember } from '@tollgate/contract/own-member'
import type { Column } from '../../components/data-table/columns/column.ts'
import { GroupTag } from '../../components/display/group-tag.tsx'
import { StatusBadge, type Tone } from '../../components/display/status-badge.tsx'
import { TimeText } from '../../components/display/time/time-text.tsx'
import type { LogEntry } from '../../lib/api/contract.ts'
import { formatPercent } from '../../lib/text/format.ts'
import { CacheShare, Charge, channelName, groupOf, Key, Model, tokens } from './cells.tsx'
import { SessionLane, type SessionLanes, sessionOfLog } from './lanes/session-lanes.tsx'
import classes from './logs.module.css'
import { type SayLog, useLogMessages } from './messages.ts'
import { operatorColumns } from './operator-columns.tsx'
import { cachedShare, cachedTokens, isRequest, otherOf, totalMs } from './other.ts'
import { endUserColumn, placeColumns, tagColumn } from './places/place-columns.tsx'
import { keyName, resultOf } from './result.ts'
import { detailsText } from './sheet/details.ts'
import { Times, timesText } from './sheet/pace.tsx'

/** The result of a call as shape and word; the cause follows in grey. */
export const ResultText = ({ log }: { log: LogEntry }) => {
  const say = useLogMessages()
  const { tone, label, cause } = resultOf(log, say)
  return (
    <span className={classes.result} data-tone={tone}>
      <span className={classes.shape} aria-hidden="true" />
      <span className={classes.word}>{label}</span>
      {cause !== '' && <span className={classes.cause}>{cause}</span>}
    </span>
  )
}

const types = {
  0: { tone: 'neutral', word: 'type0' },
  1: { tone: 'info', word: 'type1' },
  2: { tone: 'good', word: 'type2' },
  3: { tone: 'warn', word: 'type3' },
  4: { tone: 'neutral', word: 'type4' },
  5: { tone: 'bad', word: 'type5' },
} as const satisfies Record<number, { tone: Tone; word: string }>

/** A log row's type; failures show the status that the client got. */
export const TypeBadge = ({ log }: { log: LogEntry }) => {
  const say = useLogMessages()
  const type = ownMember<(typeof types)[keyof typeof types]>(types, String(log.type)) ?? types[0]
  const { status } = otherOf(log)
  const label = log.type === 5 && status ? `${say('type5')} ${status}` : say(type.word)
  return <StatusBadge tone={type.tone} label={label} />
}

interface Shown {
  /** Admins have the channel and `operatorColumns` as well. */
  readonly isAdmin: boolean
  /** Sessions are shown where a row of the page belongs to one; undefined where none does. */
  readonly lanes?: SessionLanes | undefined
  readonly tags?: boolean
  /** True if calls name for which customers of their callers they are made. */
  readonly endUsers?: boolean
  readonly places?: boolean
}

/** Columns of the log, from left to right. */
export const logColumns = (
  say: SayLog,
  { isAdmin, lanes, tags, endUsers, places }: Shown,
): readonly Column<LogEntry>[] => [
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
          most: 150,
          filters: (log: LogEntry) =>
            isRequest(log) && log.channel > 0 ? [{ facet: 'channel', value: String(log.channel) }] : [],
          cell: (log: LogEntry) => (isRequest(log) ? channelName(log) || <span className="faint">—</span> : null),
          value: channelName,
        },
      ]
    : []),
  {
    id: 'result',
    header: say('result'),
    // Most results are one word; the cause of a failure is whole on hover.
    most: 100,
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
    cell: (log) => (isRequest(log) ? <Charge log={log} say={say} /> : null),
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
  ...(endUsers ? [endUserColumn(say)] : []),
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
