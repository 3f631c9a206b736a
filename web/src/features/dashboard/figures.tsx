import { Figures } from '../../components/display/figures.tsx'
import { Quota } from '../../components/display/quota.tsx'
import { calls, type UsageReport } from '../../lib/api/contract.ts'
import { useEndpoint } from '../../lib/query.ts'
import { formatChange, formatCompact, formatInteger, formatPercent } from '../../lib/text/format.ts'
import { type SayDashboard, useDashboardMessages } from './messages.ts'

const minute = 60

const changeText = (now: number, before: number, say: SayDashboard): string => {
  if (before === 0) return now === 0 ? '' : say('fresh')
  const change = (now - before) / before
  return say('than', { change: formatChange(change) })
}

const rate = (value: number): string => (value >= 100 ? formatCompact(Math.round(value)) : value.toFixed(3))

/** What calls cost at their providers, for operators; calls of unknown cost are named and count as no profit. */
const Margins = ({ totals }: { totals: UsageReport['totals'] }) => {
  const say = useDashboardMessages()
  const { cost = 0, margin = 0, uncosted = 0, uncosted_quota: uncostedQuota = 0 } = totals
  const known = cost + margin
  return (
    <Figures
      figures={[
        { label: say('costedRevenue'), value: <Quota value={known} /> },
        { label: say('upstreamCost'), value: uncosted === totals.count ? say('unknown') : <Quota value={cost} /> },
        {
          label: say('margin'),
          value: uncosted === totals.count ? say('unknown') : <Quota value={margin} />,
          ...(known > 0 ? { unit: formatPercent(margin / known) } : {}),
          ...(margin < 0 ? { tone: 'bad' as const } : {}),
        },
        {
          label: say('uncosted'),
          value: <Quota value={uncostedQuota} />,
          unit: say('uncostedCalls', { count: formatInteger(uncosted) }),
          ...(uncosted > 0 ? { tone: 'warn' as const } : {}),
        },
      ]}
    />
  )
}

/** The account and the range in figures. */
export const DashboardFigures = ({ report }: { report: UsageReport | undefined }) => {
  const say = useDashboardMessages()
  const { data: self } = useEndpoint(calls.getSelf)
  const totals = report?.totals
  const minutes = report ? Math.max(1, (Math.min(report.to, Date.now() / 1000) - report.from) / minute) : 1
  const tokens = totals && totals.prompt_tokens + totals.completion_tokens
  const before = report?.before
  return (
    <>
      <Figures
        figures={[
          { label: say('balance'), value: self && <Quota value={self.quota} /> },
          { label: say('spent'), value: self && <Quota value={self.used_quota} /> },
          { label: say('requests'), value: self && formatInteger(self.request_count) },
        ]}
      />
      <Figures
        figures={[
          {
            label: say('rangeQuota'),
            value: totals && <Quota value={totals.quota} />,
            unit: totals && before && changeText(totals.quota, before.quota, say),
          },
          {
            label: say('rangeTokens'),
            value: tokens !== undefined && formatCompact(tokens),
            unit:
              totals &&
              say('tokensInOut', {
                prompt: formatCompact(totals.prompt_tokens),
                completion: formatCompact(totals.completion_tokens),
              }),
          },
          {
            label: say('rangeCount'),
            value: totals && formatInteger(totals.count),
            unit: totals && before && changeText(totals.count, before.count, say),
          },
          {
            label: say('rangeFailures'),
            value: totals && formatInteger(totals.failures),
            unit: say('notAmong'),
            ...(totals && totals.failures > 0 ? { tone: 'warn' as const } : {}),
          },
          {
            label: `${say('rpm')} / ${say('tpm')}`,
            value: totals && tokens !== undefined && `${rate(totals.count / minutes)} / ${rate(tokens / minutes)}`,
          },
        ]}
      />
      {totals?.cost !== undefined && <Margins totals={totals} />}
    </>
  )
}
