import { MonthChart } from '../../../components/chart/month-chart.tsx'
import { pointNames } from '../../../components/chart/point-names.ts'
import { useQuotaText, useWholeText } from '../../../components/display/quota.tsx'
import { UsagePanel } from '../../../components/usage/panel.tsx'
import { calls, type Organisation } from '../../../lib/api/contract.ts'
import { useEndpoint } from '../../../lib/query.ts'
import { useStatus } from '../../../lib/status.ts'
import { formatCompact, formatMoney, formatSum } from '../../../lib/text/format.ts'
import { formatMonth } from '../../../lib/text/format-time.ts'
import { useTimeAnchor } from '../../../lib/time/time-anchor.ts'
import { useTimeReader } from '../../../lib/time/time-zone.ts'
import { forecastOf, monthOf, spreadOf } from '../forecast.ts'
import classes from './overview.module.css'
import { useSpendMessages } from './spend-messages.ts'

const day = 86_400
/** The end of the wallet is drawn where it is no further than so many times what is expected. */
const nearWallet = 1.6

/** Sums by the end of each day up to now, of which the last one is what the ledger says. */
const sumsOf = (byDay: readonly number[], spent: number): number[] => {
  let sum = 0
  return byDay.map((value, index) => {
    sum = Math.min(spent, sum + value)
    return index === byDay.length - 1 ? spent : sum
  })
}

/** Spending of the organisation in this month by day, its forecast, and a warning if the wallet does not cover it. */
export const MonthSpend = ({ organisation }: { organisation: Organisation }) => {
  const saySpend = useSpendMessages()
  const status = useStatus()
  const quotaText = useQuotaText()
  const wholeText = useWholeText()
  const reader = useTimeReader()
  const [anchor] = useTimeAnchor()
  const { id, spent, balance } = organisation
  const { start, days } = monthOf(anchor)
  const report = useEndpoint(calls.getOrganisationFigures, {
    params: { id },
    query: {
      metric: 'spend',
      by: 'project',
      filters: '[]',
      start_timestamp: start,
      end_timestamp: Math.floor(anchor),
      rollup: 'day',
      zone: 'UTC',
      top: 1,
      compare: 'none',
    },
  })
  const inMoney = status.display_in_currency
  const perUnit = inMoney ? status.quota_per_unit : 1
  const now = (anchor - start) / day
  const byDay = Array.from({ length: Math.floor(now) + 1 }, () => 0)
  report.data?.buckets.forEach((at, index) => {
    const place = Math.floor((at - start) / day)
    if (place >= 0 && place < byDay.length) byDay[place] = report.data?.sums[index] ?? 0
  })
  const expected = forecastOf(spent, anchor)
  const ends = spent + Math.max(0, balance ?? 0)
  const isNear = ends <= Math.max(1, expected) * nearWallet
  const names = pointNames(
    { buckets: Array.from({ length: days }, (_, index) => start + index * day), granularity: 'day', utc_days: true },
    reader,
  )
  const format = inMoney ? formatSum : formatCompact
  return (
    <UsagePanel
      title={saySpend('monthSpend')}
      note={saySpend('monthNote', { month: formatMonth(start, { ...reader, zone: 'UTC' }) })}
      {...(!isNear &&
        expected > 0 && { aside: <span className={`faint ${classes.roomy}`}>{saySpend('walletCovers')}</span> })}
    >
      <div className={classes.chart}>
        {report.data && (
          <MonthChart
            label={saySpend('monthLabel', { spent: quotaText(spent), forecast: wholeText(expected) })}
            days={names}
            sums={sumsOf(byDay, spent).map((value) => value / perUnit)}
            now={now}
            ahead={{
              value: expected / perUnit,
              spread: spreadOf(byDay.slice(0, -1), days - now) / perUnit,
            }}
            limit={
              isNear ? { value: ends / perUnit, text: saySpend('walletEnds', { amount: wholeText(ends) }) } : undefined
            }
            nowText={saySpend('untilNow', { amount: quotaText(spent) })}
            aheadText={wholeText(expected)}
            format={format}
            axis={(value) => (inMoney ? formatMoney(value).replace(/\.00$/, '') : formatCompact(value))}
          />
        )}
      </div>
    </UsagePanel>
  )
}
