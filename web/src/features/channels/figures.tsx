import { Figures } from '../../components/figures.tsx'
import { calls, channelStatus } from '../../lib/contract.ts'
import { formatInteger } from '../../lib/format.ts'
import { useEndpoint } from '../../lib/query.ts'
import { useChannelWords } from './messages.ts'

/** How many channels work, and how many were switched off by the monitor. */
export const ChannelFigures = () => {
  const say = useChannelWords()
  const all = useEndpoint(calls.browseChannels, { query: { page_size: 1 } })
  const enabled = useEndpoint(calls.browseChannels, {
    query: { page_size: 1, status: String(channelStatus.enabled) },
  })
  const broken = useEndpoint(calls.browseChannels, {
    query: { page_size: 1, status: String(channelStatus.autoDisabled) },
  })
  const attention = broken.data?.total
  return (
    <Figures
      figures={[
        {
          label: say('statEnabled'),
          value: enabled.data && formatInteger(enabled.data.total),
          ...(all.data ? { unit: say('ofTotal', { count: formatInteger(all.data.total) }) } : {}),
        },
        {
          label: say('statAttention'),
          value: attention === undefined ? undefined : formatInteger(attention),
          unit: say('attentionUnit'),
          ...(attention ? { tone: 'bad' as const } : {}),
        },
      ]}
    />
  )
}
