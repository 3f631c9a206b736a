import { type Figure, Figures } from '../../components/display/figures.tsx'
import { Quota, useQuotaText } from '../../components/display/quota.tsx'
import { calls, type UsageReport } from '../../lib/api/contract.ts'
import { useEndpoint } from '../../lib/query.ts'
import { formatChange, formatCompact, formatInteger, formatPercent, formatSuccess } from '../../lib/text/format.ts'
import classes from './dashboard.module.css'
import { type SayDashboard, useDashboardMessages } from './messages.ts'

const minute = 60

const changeText = (now: number, before: number, say: SayDashboard): string => {
  if (before === 0) return now === 0 ? '' : say('fresh')
  const change = (now - before) / before
  return say('than', { change: formatChange(change) })
}

const rate = (value: number): string => (value >= 100 ? formatCompact(Math.round(value)) : value.toFixed(3))

/** Cost of calls at their providers, for operators; calls of unknown cost are listed and count as no profit. */
const marginFigures = (totals: UsageReport['totals'], say: SayDashboard): readonly Figure[] => {
  const { cost = 0, margin = 0, uncosted = 0, uncosted_quota: uncostedQuota = 0 } = totals
  const known = cost + margin
  const isUnknown = uncosted === totals.count
  return [
    { label: say('costedRevenue'), value: <Quota value={known} /> },
    { label: say('upstreamCost'), value: isUnknown ? say('unknown') : <Quota value={cost} /> },
    {
      label: say('margin'),
      value: isUnknown ? say('unknown') : <Quota value={margin} />,
      ...(known > 0 ? { unit: formatPercent(margin / known) } : {}),
      ...(margin < 0 ? { tone: 'bad' as const } : {}),
    },
    ...(uncosted > 0
      ? [
          {
            label: say('uncosted'),
            value: <Quota value={uncostedQuota} />,
            unit: say('uncostedCalls', { count: formatInteger(uncosted) }),
            tone: 'warn' as const,
          },
        ]
      : []),
  ]
}

/** Figures that are looked up rarely: the account since it was made, rates, and the source of the margin. */
const MoreFigures = ({ figures }: { figures: readonly Figure[] }) => {
  const say = useDashboardMessages()
  return (
    <details className={`panel ${classes.more}`}>
      <summary>{say('moreFigures')}</summary>
      <dl>
        {figures.map(({ label, value, unit, tone }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd className="num" data-tone={tone}>
              {value} {unit !== undefined && <small>{unit}</small>}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

/** The five figures worth watching of the range and the account, and the others behind a press. */
export const DashboardFigures = ({ report }: { report: UsageReport | undefined }) => {
  const say = useDashboardMessages()
  const quotaText = useQuotaText()
  const { data: self } = useEndpoint(calls.getSelf)
  const totals = report?.totals
  const minutes = report ? Math.max(1, (Math.min(report.to, Date.now() / 1000) - report.from) / minute) : 1
  const tokens = totals && totals.prompt_tokens + totals.completion_tokens
  const before = report?.before
  const tried = totals && totals.count + totals.failures
  return (
    <>
      <Figures
        notesBelow
        figures={[
          {
            label: say('rangeQuota'),
            value: totals && <Quota value={totals.quota} />,
            unit: totals && before && changeText(totals.quota, before.quota, say),
          },
          {
            label: say('balance'),
            value: self && <Quota value={self.quota} />,
            unit: self && say('spentEver', { amount: quotaText(self.used_quota) }),
            ...(self && self.quota <= 0 ? { tone: 'bad' as const } : {}),
          },
          {
            label: say('rangeCount'),
            value: totals && formatInteger(totals.count),
            unit: totals && before && changeText(totals.count, before.count, say),
          },
          {
            label: say('success'),
            value: totals && tried !== undefined && (tried === 0 ? '—' : formatSuccess(totals.count / tried)),
            unit:
              totals &&
              tried !== undefined &&
              say('failedOf', { failed: formatInteger(totals.failures), count: formatInteger(tried) }),
            ...(totals && totals.failures > 0 ? { tone: 'warn' as const } : {}),
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
        ]}
      />
      <MoreFigures
        figures={[
          { label: say('rpm'), value: totals && rate(totals.count / minutes) },
          { label: say('tpm'), value: tokens !== undefined && rate(tokens / minutes) },
          { label: say('requests'), value: self && formatInteger(self.request_count) },
          ...(totals?.cost === undefined ? [] : marginFigures(totals, say)),
        ]}
      />
    </>
  )
}
