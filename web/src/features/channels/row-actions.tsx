import { useNavigate } from '@tanstack/react-router'
import type { RowAction } from '../../components/data-table/columns/column.ts'
import { call } from '../../lib/api/api.ts'
import { type Channel, calls, channelStatus } from '../../lib/api/contract.ts'
import { notifyDone, notifyFailure } from '../../lib/notify.tsx'
import { useRefresh } from '../../lib/query.ts'
import type { RemoveChannels } from './bulk/remove.tsx'
import { useChannelWords } from './messages.ts'
import { useTestChannel } from './tests/test-channel.ts'

interface ChannelActionParts {
  remove: RemoveChannels
  onEdit: (channel: Channel) => void
  onTest: (channels: readonly Channel[]) => void
  onHealth: (channel: Channel) => void
}

/** The actions on one channel. */
export const useChannelActions = ({
  remove,
  onEdit,
  onTest,
  onHealth,
}: ChannelActionParts): {
  actions: (channel: Channel, drop: () => void) => readonly RowAction[]
  test: (channel: Pick<Channel, 'id' | 'name'>) => Promise<void>
  setStatus: (id: number, status: number) => Promise<void>
} => {
  const say = useChannelWords()
  const navigate = useNavigate()
  const refresh = useRefresh()

  const test = useTestChannel()

  const setStatus = async (id: number, status: number): Promise<void> => {
    try {
      await call(calls.updateChannel, { body: { id, status } })
      notifyDone(say('statusDone'))
    } catch (error) {
      notifyFailure(error)
    }
    await refresh(calls.browseChannels, calls.searchChannels, calls.getChannel, calls.getChannelHealth)
  }
  const actions = (channel: Channel, drop: () => void): readonly RowAction[] => [
    { label: say('test'), icon: 'send', onClick: () => void test(channel) },
    { label: say('testModel'), icon: 'list', onClick: () => onTest([channel]) },
    channel.status === channelStatus.enabled
      ? { label: say('disable'), icon: 'stop', onClick: () => void setStatus(channel.id, channelStatus.disabled) }
      : { label: say('enable'), icon: 'check', onClick: () => void setStatus(channel.id, channelStatus.enabled) },
    { label: say('health'), icon: 'chart', onClick: () => onHealth(channel) },
    { label: say('edit'), icon: 'edit', onClick: () => onEdit(channel) },
    { label: say('copy'), icon: 'copy', onClick: () => remove.copy(channel) },
    {
      label: say('logs'),
      icon: 'document',
      onClick: () => void navigate({ to: '/log', search: { channel: String(channel.id) } }),
    },
    { label: say('delete'), icon: 'trash', danger: true, onClick: () => remove.rows([channel], drop) },
  ]
  return { actions, test, setStatus }
}
