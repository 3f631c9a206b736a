import { useNavigate } from '@tanstack/react-router'
import { useStatus } from '../../lib/status.ts'
import { formatCompact, formatMoney, formatSum } from '../../lib/text/format.ts'
import { useTimeReader } from '../../lib/time/time-zone.ts'
import { pointNames } from '../chart/point-names.ts'
import { TimeChart } from '../chart/time-chart.tsx'
import { useUsageMessages } from './messages.ts'
import { OfReport, UsagePanel } from './panel.tsx'
import type { UsageQuery, UsageScope } from './scope.ts'
import classes from './usage.module.css'

/** Spend by model on each day of the last month, and what the month before was; a range of days leads to the log. */
export const SpendChart = ({ scope, month }: { scope: UsageScope; month: UsageQuery }) => {
  const say = useUsageMessages()
  const reader = useTimeReader()
  const navigate = useNavigate()
  const status = useStatus()
  const { data } = month
  const inMoney = status.display_in_currency
  const perUnit = inMoney ? status.quota_per_unit : 1
  const drawn = (values: readonly (number | null)[]): (number | null)[] =>
    values.map((value) => (value === null ? null : value / perUnit))
  const nothing = (data?.total.value ?? 0) === 0 && (data?.total.before ?? 0) === 0
  return (
    <UsagePanel title={say('spend')} note={say('lastMonth')} kind="chart">
      <OfReport report={month} empty={say('noSpend')} isEmpty={nothing}>
        {() =>
          data && (
            <div className={classes.chart}>
              <TimeChart
                label={say('spendLabel')}
                points={pointNames({ buckets: data.buckets, granularity: 'day', utc_days: data.utc_days }, reader)}
                series={data.series.map((line) => ({
                  key: `${line.key} ${line.rest}`,
                  name: line.rest ? say('others') : line.name,
                  rest: line.rest,
                  values: drawn(line.values),
                }))}
                form="bar"
                stacked
                sums={drawn(data.sums)}
                before={data.sums_before && drawn(data.sums_before)}
                format={inMoney ? formatSum : formatCompact}
                axis={(value) => (inMoney ? formatMoney(value).replace(/\.00$/, '') : formatCompact(value))}
                whole={!inMoney}
                beforeLabel={say('before')}
                onBrush={(first, last) => {
                  const from = data.buckets[first]
                  if (from === undefined) return
                  const to = data.buckets[last + 1] ?? data.to
                  void navigate({ to: '/log', search: { ...scope.log, range: `${from}..${to - 1}` } as never })
                }}
              />
            </div>
          )
        }
      </OfReport>
    </UsagePanel>
  )
}
