import { Figures } from '../../components/display/figures.tsx'
import { type ChannelHealth, calls, channelStatus } from '../../lib/api/contract.ts'
import { useEndpoint } from '../../lib/query.ts'
import { formatInteger } from '../../lib/text/format.ts'
import { rateText, rateTone } from './health/health.ts'
import { useChannelMessages } from './messages.ts'

const refreshEveryMs = 30_000

const answeredOf = ({ calls: count, success_rate }: ChannelHealth): number => count * (success_rate ?? 0)

/** How many channels work, how many were switched off by the monitor, and how the last day went over all. */
export const ChannelFigures = () => {
  const say = useChannelMessages()
  const all = useEndpoint(calls.browseChannels, { query: { page_size: 1 } })
  const enabled = useEndpoint(calls.browseChannels, {
    query: { page_size: 1, status: String(channelStatus.enabled) },
  })
  const broken = useEndpoint(calls.browseChannels, {
    query: { page_size: 1, status: String(channelStatus.autoDisabled) },
  })
  const { data: health } = useEndpoint(calls.listChannelHealth, {}, { refreshEveryMs })
  const attention = broken.data?.total
  const count = health?.reduce((sum, entry) => sum + entry.calls, 0) ?? 0
  const rate = count === 0 ? null : (health?.reduce((sum, entry) => sum + answeredOf(entry), 0) ?? 0) / count
  const avoided = health?.reduce((sum, entry) => sum + entry.avoided, 0)
  const tone = rateTone(rate)
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
        {
          label: say('statSuccess'),
          value: health && rateText(rate),
          ...(count > 0 ? { unit: say('statCalls', { count: formatInteger(count) }) } : {}),
          ...(tone ? { tone } : {}),
        },
        {
          label: say('statAvoided'),
          value: avoided === undefined ? undefined : formatInteger(avoided),
          unit: say('avoidedUnit'),
          ...(avoided ? { tone: 'warn' as const } : {}),
        },
      ]}
    />
  )
}
