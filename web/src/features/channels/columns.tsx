import type { Column } from '../../components/data-table/columns/column.ts'
import { GroupTags } from '../../components/display/group-tag.tsx'
import { Hint } from '../../components/display/hint.tsx'
import { Quota } from '../../components/display/quota.tsx'
import { StatusBadge } from '../../components/display/status-badge.tsx'
import { TimeText, useMomentText } from '../../components/display/time/time-text.tsx'
import { Logo } from '../../components/logo/logo.tsx'
import type { Channel, ChannelHealth } from '../../lib/api/contract.ts'
import { formatDuration } from '../../lib/text/format.ts'
import { useIsFailing } from './about-channels.ts'
import classes from './channels.module.css'
import { BalanceCell } from './health/balance-cell.tsx'
import { healthText, rateText } from './health/health.ts'
import { AvoidedBadge, HealthCell } from './health/health-cell.tsx'
import type { SayHealth } from './health/health-messages.ts'
import { InlineNumber } from './inline-number.tsx'
import { type SayChannel, useChannelMessages } from './messages.ts'
import { reasonOf, speedOf, speedWord, statusOf } from './state.ts'

export const ChannelStatusBadge = ({ channel }: { channel: Channel }) => {
  const say = useChannelMessages()
  const moment = useMomentText()
  const cause = reasonOf(channel)
  const isFailing = useIsFailing(channel.id)
  const hint =
    channel.status === 3 && cause
      ? say('reason', { reason: cause.reason, time: cause.time > 0 ? moment(cause.time) : '—' })
      : undefined
  return <StatusBadge {...statusOf(channel.status, say, isFailing)} {...(hint ? { hint } : {})} />
}

/** Why a channel was disabled by itself, under its state; whole on hover and focus of the badge. */
const DisabledBecause = ({ channel }: { channel: Channel }) => {
  const cause = reasonOf(channel)
  return channel.status === 3 && cause ? <small className={`faint cut ${classes.reason}`}>{cause.reason}</small> : null
}

/** Response time in the colour of its speed; slow times have a text label as well. `at` is when it was measured. */
export const ResponseTime = ({ milliseconds, at }: { milliseconds: number; at: number }) => {
  const say = useChannelMessages()
  const moment = useMomentText()
  const speed = speedOf(milliseconds)
  if (speed === 'untested') return <span className="faint">{say('untested')}</span>
  const word = speedWord(speed, say)
  return (
    <Hint label={at > 0 ? say('testedAt', { word, time: moment(at) }) : word}>
      <span className={`num ${classes.speed}`} data-speed={speed}>
        {formatDuration(milliseconds)}
        {(speed === 'slow' || speed === 'bad') && ` ${word}`}
      </span>
    </Hint>
  )
}

/** Result of the last test: the response time, or the failure with its status. */
export const TestResult = ({ channel }: { channel: Pick<Channel, 'response_time' | 'test_time' | 'test_status'> }) => {
  const say = useChannelMessages()
  const moment = useMomentText()
  const { response_time: milliseconds, test_time: at, test_status: status } = channel
  if (status === 0) return <ResponseTime milliseconds={milliseconds} at={at} />
  const failed = say('testFailed', { status: status < 100 ? '' : String(status) }).trim()
  return (
    <Hint label={say('testedAt', { word: failed, time: moment(at) })}>
      <span className={`num ${classes.speed}`} data-speed="bad">
        {`${failed} · ${formatDuration(milliseconds)}`}
      </span>
    </Hint>
  )
}

/** A channel with its last day, once that is known. */
export interface ListedChannel extends Channel {
  health?: ChannelHealth | undefined
  /** How many of its models have no price. */
  unpriced?: number
}

export interface ChannelColumnParts {
  say: SayChannel
  sayHealth: SayHealth
  /** Names a type, where it is known. */
  labelOf: (type: number) => string | undefined
  /** True if upstreams of a type report a balance. */
  hasBalance: (type: number) => boolean
  onHealth: (channel: Channel) => void
}

/** Columns of the channel list. */
export const channelColumns = ({
  say,
  sayHealth,
  labelOf,
  hasBalance,
  onHealth,
}: ChannelColumnParts): readonly Column<ListedChannel>[] => [
  {
    id: 'name',
    header: say('name'),
    sortable: true,
    card: 'title',
    cardCell: (channel) => (
      <span className={classes.cardName}>
        <Logo of={{ type: channel.type }} name={channel.name} />
        <span className="cut">{channel.name}</span>
      </span>
    ),
    cell: (channel) => (
      <span className={`strong ${classes.name}`}>
        <Logo of={{ type: channel.type }} name={labelOf(channel.type) ?? channel.name} />
        <span className="cut">{channel.name}</span>
        <small>
          {labelOf(channel.type) ?? say('unknownType')}
          {channel.key_count > 1 && ` · ${say('keys', { enabled: channel.key_enabled, count: channel.key_count })}`}
          {(channel.unpriced ?? 0) > 0 && (
            <span className={classes.unpriced}> · {say('unpriced', { count: channel.unpriced ?? 0 })}</span>
          )}
        </small>
      </span>
    ),
    value: (channel) => channel.name,
  },
  {
    id: 'id',
    header: say('id'),
    sortable: true,
    align: 'right',
    card: 'none',
    cell: (channel) => <span className="faint">{channel.id}</span>,
    value: (channel) => channel.id,
  },
  {
    id: 'status',
    header: say('status'),
    sortable: true,
    most: 180,
    filters: (channel) => [{ facet: 'status', value: String(channel.status) }],
    cell: (channel) => (
      <span className={classes.states}>
        <ChannelStatusBadge channel={channel} />
        <DisabledBecause channel={channel} />
        <AvoidedBadge health={channel.health} />
      </span>
    ),
    value: (channel) => statusOf(channel.status, say).label,
  },
  {
    id: 'health',
    header: sayHealth('column'),
    cell: (channel) => <HealthCell channel={channel} health={channel.health} onOpen={onHealth} />,
    cardCell: (channel) => healthText(channel.health, sayHealth),
    value: (channel) => rateText(channel.health?.success_rate ?? null),
  },
  {
    id: 'group',
    header: say('group'),
    card: 'none',
    filters: (channel) => channel.group.split(',').map((value) => ({ facet: 'group', value })),
    cell: (channel) => <GroupTags groups={channel.group} />,
    value: (channel) => channel.group,
  },
  {
    id: 'type',
    header: say('type'),
    filters: (channel) => [{ facet: 'type', value: String(channel.type) }],
    sortable: true,
    hidden: true,
    card: 'none',
    cell: (channel) => labelOf(channel.type) ?? say('unknownType'),
    value: (channel) => labelOf(channel.type) ?? channel.type,
  },
  {
    id: 'response_time',
    header: say('responseTime'),
    card: 'none',
    sortable: true,
    align: 'right',
    cell: (channel) => <TestResult channel={channel} />,
    value: (channel) => channel.response_time,
    unit: 'ms',
  },
  {
    id: 'used_quota',
    header: say('used'),
    sortable: true,
    align: 'right',
    card: 'amount',
    cell: (channel) => <Quota value={channel.used_quota} />,
    value: (channel) => channel.used_quota,
    money: true,
    sum: true,
  },
  {
    id: 'balance',
    header: say('balance'),
    card: 'none',
    sortable: true,
    align: 'right',
    cell: (channel) => <BalanceCell channel={channel} canAsk={hasBalance(channel.type)} />,
    value: (channel) => channel.balance,
  },
  {
    id: 'priority',
    header: say('priority'),
    card: 'none',
    sortable: true,
    align: 'right',
    cell: (channel) => <InlineNumber channel={channel} field="priority" />,
    value: (channel) => channel.priority,
  },
  {
    id: 'weight',
    header: say('weight'),
    card: 'none',
    sortable: true,
    align: 'right',
    cell: (channel) => <InlineNumber channel={channel} field="weight" />,
    value: (channel) => channel.weight,
  },
  {
    id: 'tag',
    header: say('tag'),
    card: 'none',
    filters: (channel) => [{ facet: 'tag', value: channel.tag ?? '' }],
    cell: (channel) => channel.tag ?? '',
    value: (channel) => channel.tag ?? '',
  },
  {
    id: 'models',
    header: say('models'),
    align: 'right',
    hidden: true,
    card: 'none',
    cell: (channel) => (
      <span title={channel.models.replaceAll(',', ', ')}>{channel.models.split(',').filter(Boolean).length}</span>
    ),
    value: (channel) => channel.models,
  },
  {
    id: 'created_time',
    header: say('created'),
    sortable: true,
    hidden: true,
    card: 'none',
    cell: (channel) => <TimeText at={channel.created_time} />,
    value: (channel) => channel.created_time,
  },
]
