import { useNavigate } from '@tanstack/react-router'
import type { RowAction } from '../../components/data-table/columns/column.ts'
import { useFigureAction } from '../../components/figure-link.ts'
import { call } from '../../lib/api/api.ts'
import { type Channel, calls, channelStatus } from '../../lib/api/contract.ts'
import { type StatusChange, useStatusChange } from '../../lib/status-change.ts'
import { aboutChannels } from './about-channels.ts'
import type { RemoveChannels } from './bulk/remove.tsx'
import { useChannelMessages } from './messages.ts'
import { useTestChannel } from './tests/test-channel.ts'

interface ChannelActionParts {
  remove: RemoveChannels
  onEdit: (channel: Channel) => void
  onTest: (channels: readonly Channel[]) => void
  onHealth: (channel: Channel) => void
  /** How many of its models have no price. */
  unpricedOf: (channel: Channel) => number
}

/** The actions on one channel. */
export const useChannelActions = ({
  remove,
  onEdit,
  onTest,
  onHealth,
  unpricedOf,
}: ChannelActionParts): {
  actions: (channel: Channel, drop: () => void) => readonly RowAction[]
  openPage: (channel: Channel) => void
  test: (channel: Pick<Channel, 'id' | 'name'>) => Promise<void>
  setStatus: StatusChange['run']
} => {
  const say = useChannelMessages()
  const navigate = useNavigate()
  const toFigures = useFigureAction()

  const test = useTestChannel()

  const { run: setStatus } = useStatusChange(
    (id, status) => call(calls.updateChannel, { body: { id, status } }),
    aboutChannels,
  )
  const openPage = ({ id }: Channel, search: { tab?: 'prices' } = {}): void =>
    void navigate({ to: `/channel/${id}` as '/channel', search })
  const actions = (channel: Channel, drop: () => void): readonly RowAction[] => [
    { label: say('test'), icon: 'send', changes: true, onClick: () => void test(channel) },
    { label: say('testModel'), icon: 'list', changes: true, onClick: () => onTest([channel]) },
    channel.status === channelStatus.enabled
      ? {
          label: say('disable'),
          icon: 'stop',
          changes: true,
          onClick: () => void setStatus(channel, channelStatus.disabled),
        }
      : {
          label: say('enable'),
          icon: 'check',
          changes: true,
          onClick: () => void setStatus(channel, channelStatus.enabled),
        },
    { label: say('health'), icon: 'chart', onClick: () => onHealth(channel) },
    {
      label: say('openPage'),
      icon: 'channels',
      onClick: () => openPage(channel),
    },
    ...(unpricedOf(channel) > 0
      ? [
          {
            label: say('setPrices', { count: unpricedOf(channel) }),
            icon: 'balance' as const,
            onClick: () => openPage(channel, { tab: 'prices' }),
          },
        ]
      : []),
    { label: say('edit'), icon: 'edit', changes: true, onClick: () => onEdit(channel) },
    { label: say('copy'), icon: 'copy', changes: true, onClick: () => remove.copy(channel) },
    {
      label: say('logs'),
      icon: 'document',
      onClick: () => void navigate({ to: '/log', search: { channel: String(channel.id) } }),
    },
    ...toFigures({
      by: 'model',
      filters: [{ dimension: 'channel', is: 'is', values: [String(channel.id)] }],
    }),
    { label: say('delete'), icon: 'trash', danger: true, changes: true, onClick: () => remove.rows([channel], drop) },
  ]
  return { actions, openPage, test, setStatus }
}
