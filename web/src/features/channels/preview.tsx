import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { Facts } from '../../components/display/facts.tsx'
import { GroupTags } from '../../components/display/group-tag.tsx'
import { useMomentText } from '../../components/display/time/time-text.tsx'
import { useHeld } from '../../components/form/held.ts'
import { PreviewSheet } from '../../components/preview-sheet.tsx'
import { useChannelTypes } from '../../components/providers/channel-types.ts'
import { ErrorState } from '../../components/states.tsx'
import { UsagePanel, WaitingPanel } from '../../components/usage/panel.tsx'
import { RecentCalls } from '../../components/usage/recent-calls.tsx'
import type { UsageScope } from '../../components/usage/scope.ts'
import { type Channel, calls, channelStatus } from '../../lib/api/contract.ts'
import { defineMessages } from '../../lib/i18n.ts'
import { useEndpoint } from '../../lib/query.ts'
import type { StatusChange } from '../../lib/status-change.ts'
import type { Search } from '../../lib/url/url-state.ts'
import classes from './channels.module.css'
import { ChannelStatusBadge, TestResult } from './columns.tsx'
import { BalanceCell } from './health/balance-cell.tsx'
import { DayHealth, ModelsHealth } from './health/day-health.tsx'
import { AvoidedBadge } from './health/health-cell.tsx'
import { useHealthMessages } from './health/health-messages.ts'
import { useChannelMessages } from './messages.ts'
import { reasonOf } from './state.ts'

/** Texts of the preview of a channel beside the list. */
const usePreviewMessages = defineMessages('channel-preview', {
  zh: {
    facts: '余额、密钥与选路',
    keys: '密钥',
    usable: '{{enabled}} / {{count}} 可用',
    notTested: '尚未测试',
    logs: '使用日志',
    test: '测试',
  },
  en: {
    facts: 'Balance, keys and routing',
    keys: 'Keys',
    usable: '{{enabled}} of {{count}} usable',
    notTested: 'Not tested yet',
    logs: 'Usage log',
    test: 'Test',
  },
})

const refreshEveryMs = 10_000

const channelScope = ({ id }: Channel): UsageScope => ({
  mine: false,
  filters: [{ dimension: 'channel', is: 'is', values: [String(id)] }],
  log: { channel: String(id) },
})

const ChannelFacts = ({ channel }: { channel: Channel }) => {
  const say = useChannelMessages()
  const sayPreview = usePreviewMessages()
  const { hasBalance } = useChannelTypes()
  return (
    <UsagePanel title={sayPreview('facts')}>
      <div className={classes.previewFacts}>
        <Facts
          facts={[
            {
              label: say('balance'),
              value: <BalanceCell channel={channel} canAsk={hasBalance(channel.type)} />,
            },
            {
              label: sayPreview('keys'),
              value: (
                <Link to="/channel/$id" params={{ id: String(channel.id) }} search={{ tab: 'keys' }}>
                  {sayPreview('usable', { enabled: channel.key_enabled, count: channel.key_count })}
                </Link>
              ),
            },
            {
              label: say('responseTime'),
              value:
                channel.test_time > 0 ? (
                  <TestResult channel={channel} />
                ) : (
                  <span className="faint">{sayPreview('notTested')}</span>
                ),
            },
            { label: say('group'), value: <GroupTags groups={channel.group} /> },
            { label: say('priority'), value: <span className="num">{channel.priority}</span> },
            { label: say('weight'), value: <span className="num">{channel.weight}</span> },
          ]}
        />
      </div>
    </UsagePanel>
  )
}

interface ChannelPreviewProps {
  channel: Channel
  onTest: (channel: Channel) => Promise<void>
  onStatus: StatusChange['run']
  onClose: () => void
}

/** A channel beside the list: its state and why, how the last day went model by model, balance, keys and latest calls. */
export const ChannelPreview = ({ channel, onTest, onStatus, onClose }: ChannelPreviewProps) => {
  const say = useChannelMessages()
  const sayHealth = useHealthMessages()
  const sayPreview = usePreviewMessages()
  const moment = useMomentText()
  const navigate = useNavigate()
  const { labelOf } = useChannelTypes()
  const found = useEndpoint(calls.getChannelHealth, { params: { id: channel.id } }, { refreshEveryMs, staleTimeMs: 0 })
  const health = found.data?.channel_id === channel.id ? found.data : undefined
  // The preview gives way to the form.
  const edit = (): void =>
    void navigate({
      to: '/channel/edit/$id',
      params: { id: String(channel.id) },
      search: ({ health: _, ...kept }: Search) => kept,
      resetScroll: false,
    } as never)
  const held = useHeld()
  const isOn = channel.status === channelStatus.enabled
  const reason = channel.status === channelStatus.autoDisabled ? reasonOf(channel) : undefined
  return (
    <PreviewSheet
      key={channel.id}
      name={channel.name}
      subtitle={`#${channel.id} · ${labelOf(channel.type) ?? say('unknownType')}`}
      edit={{ label: say('edit'), onClick: edit }}
      page={{ label: say('openPage'), to: '/channel/$id', id: channel.id }}
      states={
        <>
          <ChannelStatusBadge channel={channel} />
          <AvoidedBadge health={health} />
          <span className={classes.previewActions}>
            <Button
              size="xs"
              variant="subtle"
              component={Link}
              to="/log"
              search={{ channel: String(channel.id) } as never}
            >
              {sayPreview('logs')}
            </Button>
            <Button size="xs" onClick={() => void onTest(channel)} {...held}>
              {sayPreview('test')}
            </Button>
            <Button
              size="xs"
              onClick={() => void onStatus(channel, isOn ? channelStatus.disabled : channelStatus.enabled)}
              {...held}
            >
              {say(isOn ? 'disable' : 'enable')}
            </Button>
          </span>
        </>
      }
      onClose={onClose}
    >
      {reason && (
        <p className={classes.previewReason}>
          {sayHealth('disabledReason', { time: moment(reason.time), reason: reason.reason })}
        </p>
      )}
      {found.error && !health ? (
        <ErrorState error={found.error} onRetry={() => void found.refetch()} />
      ) : health ? (
        <DayHealth health={health} />
      ) : (
        <WaitingPanel />
      )}
      {health && <ModelsHealth channelId={channel.id} models={health.models} />}
      <ChannelFacts channel={channel} />
      <RecentCalls scope={channelScope(channel)} />
    </PreviewSheet>
  )
}
