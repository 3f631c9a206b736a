import { Figures } from '#web/components/display/figures.tsx'
import { FineRows } from '#web/components/display/fine-rows.tsx'
import { Quota } from '#web/components/display/quota.tsx'
import { calls } from '#web/lib/api/contract.ts'
import { useEndpoint } from '#web/lib/query.ts'
import { formatInteger, formatPercent } from '#web/lib/text/format.ts'
import { useSessionMessages } from './messages.ts'

interface Props {
  /** The filter of the list. */
  filter: Readonly<Record<string, string | number>>
  isAdmin: boolean
}

/** Sums of the sessions that fit the filter. */
export const SessionFigures = ({ filter, isAdmin }: Props) => {
  const say = useSessionMessages()
  // Both sums have the same shape; only who may ask for them differs.
  const endpoint = (isAdmin ? calls.sumCallSessions : calls.sumOwnCallSessions) as typeof calls.sumCallSessions
  const { data: sums } = useEndpoint(endpoint, { query: filter })
  const share = sums && (sums.prompt_tokens > 0 ? formatPercent(sums.cached_tokens / sums.prompt_tokens) : '–')
  return (
    <FineRows amounts={[sums?.quota, sums?.cache_saved, sums?.cache_lost]}>
      <Figures
        figures={[
          {
            label: say('title'),
            value: sums && formatInteger(sums.sessions),
            unit: say('runningCount', { count: formatInteger(sums?.running ?? 0) }),
          },
          { label: say('cost'), value: sums && <Quota value={sums.quota} /> },
          { label: say('fromCache'), value: share, unit: say('ofInput') },
          {
            label: say('saved'),
            value: sums && <Quota value={sums.cache_saved} />,
            ...(sums && sums.cache_saved > 0 ? { tone: 'good' } : {}),
          },
          {
            label: say('lost'),
            value: sums && <Quota value={sums.cache_lost} />,
            unit: say('missedCount', { count: sums?.missed ?? 0 }),
            ...(sums && sums.cache_lost > 0 ? { tone: 'warn' } : {}),
          },
        ]}
      />
    </FineRows>
  )
}
