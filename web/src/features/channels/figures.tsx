import { Figures } from '../../components/display/figures.tsx'
import {
  type AttentionReason,
  attentionReasons,
  type ChannelHealth,
  calls,
  channelStatus,
} from '../../lib/api/contract.ts'
import { useEndpoint } from '../../lib/query.ts'
import { formatInteger } from '../../lib/text/format.ts'
import { type AttentionById, useAttention } from './about-channels.ts'
import classes from './channels.module.css'
import { rateText, rateTone } from './health/health.ts'
import { type SayChannel, useChannelMessages } from './messages.ts'

const refreshEveryMs = 30_000

const reasonsIn = (attention: AttentionById, reason: AttentionReason): number =>
  [...attention.values()].filter((reasons) => reasons.includes(reason)).length

const isBad = (attention: AttentionById): boolean =>
  reasonsIn(attention, 'disabled') + reasonsIn(attention, 'failing') > 0

/** The two worst reasons with how many channels have each. */
const attentionText = (attention: AttentionById, say: SayChannel): string =>
  attentionReasons
    .map((reason) => ({ reason, count: reasonsIn(attention, reason) }))
    .filter(({ count }) => count > 0)
    .slice(0, 2)
    .map(({ reason, count }) => say(`attention_${reason}`, { count: formatInteger(count) }))
    .join(' · ')

const answeredOf = ({ calls: count, success_rate }: ChannelHealth): number => count * (success_rate ?? 0)

/** Channels that work, those that need attention, which a click lists, and the last day of all. */
export const ChannelFigures = ({ onAttention }: { onAttention: () => void }) => {
  const say = useChannelMessages()
  const all = useEndpoint(calls.browseChannels, { query: { page_size: 1 } })
  const enabled = useEndpoint(calls.browseChannels, {
    query: { page_size: 1, status: String(channelStatus.enabled) },
  })
  const attention = useAttention()
  const { data: health } = useEndpoint(calls.listChannelHealth, {}, { refreshEveryMs })
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
          value: attention && (
            <button type="button" className={classes.figure} disabled={attention.size === 0} onClick={onAttention}>
              {formatInteger(attention.size)}
            </button>
          ),
          unit: attention && attentionText(attention, say),
          ...(attention?.size ? { tone: isBad(attention) ? ('bad' as const) : ('warn' as const) } : {}),
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
