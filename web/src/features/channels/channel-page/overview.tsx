import { pointNames } from '../../../components/chart/point-names.ts'
import { SeriesLegend, TimeChart } from '../../../components/chart/time-chart.tsx'
import { EmptyState, ErrorState } from '../../../components/states.tsx'
import { UsagePanel } from '../../../components/usage/panel.tsx'
import { formatCompact, formatDuration, formatInteger } from '../../../lib/text/format.ts'
import { useTimeReader } from '../../../lib/time/time-zone.ts'
import classes from './channel-page.module.css'
import type { DayFigures } from './day-figures.ts'
import { useChannelPageMessages } from './messages.ts'

const nothing = (): void => undefined
/** Two of them and the health strip stand above the fold. */
const plotHeight = 135

/** The first token's percentiles over the day. */
export const FirstToken = ({ day: { byStatus, firstP50, firstP95 } }: { day: DayFigures }) => {
  const say = useChannelPageMessages()
  const reader = useTimeReader()
  const { data } = firstP50
  const slow = firstP95.data
  const measured = data?.sums.some((value) => value !== null) === true
  const isCalled = byStatus.data?.sums.some((value) => value !== null && value > 0) === true
  const series = [
    { key: 'p50', name: 'p50', values: data?.sums ?? [] },
    { key: 'p95', name: 'p95', values: slow?.sums ?? [] },
  ]
  return (
    <UsagePanel title={say('firstTitle')} note={say('perHour')} aside={<SeriesLegend series={series} />} kind="lines">
      {firstP50.error && !data ? (
        <ErrorState error={firstP50.error} onRetry={() => void firstP50.refetch()} />
      ) : data && slow && measured ? (
        <div className={classes.chart}>
          <TimeChart
            label={say('firstTitle')}
            points={pointNames({ buckets: data.buckets, granularity: 'hour', utc_days: data.utc_days }, reader)}
            series={series}
            form="line"
            stacked={false}
            sums={data.sums}
            format={formatDuration}
            axis={formatDuration}
            whole={false}
            beforeLabel={say('before')}
            onBrush={nothing}
            plotHeight={plotHeight}
          />
        </div>
      ) : (
        data && <EmptyState icon="chart" title={say(isCalled ? 'noStreams' : 'none')} />
      )}
    </UsagePanel>
  )
}

/** Answered and failed calls by hour. */
export const Traffic = ({ day: { byStatus } }: { day: DayFigures }) => {
  const say = useChannelPageMessages()
  const reader = useTimeReader()
  const { data } = byStatus
  const answered = data?.series.find(({ key }) => key === 'success')?.values ?? []
  const values = (data?.sums ?? []).map((sum, index) => ({ sum: sum ?? 0, good: answered[index] ?? 0 }))
  const series = [
    { key: 'success', name: say('succeeded'), values: values.map(({ good }) => good) },
    { key: 'failed', name: say('failed'), values: values.map(({ sum, good }) => sum - good), bad: true },
  ]
  return (
    <UsagePanel title={say('traffic')} note={say('perHour')} aside={<SeriesLegend series={series} />} kind="lines">
      {byStatus.error && !data ? (
        <ErrorState error={byStatus.error} onRetry={() => void byStatus.refetch()} />
      ) : data && values.some(({ sum }) => sum > 0) ? (
        <div className={classes.chart}>
          <TimeChart
            label={say('traffic')}
            points={pointNames({ buckets: data.buckets, granularity: 'hour', utc_days: data.utc_days }, reader)}
            series={series}
            form="bar"
            stacked
            sums={data.sums}
            format={formatInteger}
            axis={formatCompact}
            whole
            beforeLabel={say('before')}
            onBrush={nothing}
            plotHeight={plotHeight}
          />
        </div>
      ) : (
        data && <EmptyState icon="chart" title={say('none')} />
      )}
    </UsagePanel>
  )
}
