import { pointNames } from '../../../components/chart/point-names.ts'
import { StackedBars } from '../../../components/chart/stacked-bars.tsx'
import { TimeChart } from '../../../components/chart/time-chart.tsx'
import { EmptyState, ErrorState } from '../../../components/states.tsx'
import { formatInteger, formatSeconds } from '../../../lib/text/format.ts'
import { useTimeReader } from '../../../lib/time/time-reader.ts'
import classes from './channel-page.module.css'
import type { DayFigures } from './day-figures.ts'
import { useChannelPageMessages } from './messages.ts'

const nothing = (): void => undefined

/** The first token's percentiles over the day. */
export const FirstToken = ({ day: { firstP50, firstP95 } }: { day: DayFigures }) => {
  const say = useChannelPageMessages()
  const reader = useTimeReader()
  const { data } = firstP50
  const slow = firstP95.data
  const measured = data?.sums.some((value) => value !== null) === true
  return (
    <section className={`panel ${classes.block}`} aria-label={say('firstTitle')}>
      <div className={classes.blockHead}>
        <h2>{say('firstTitle')}</h2>
        <span className="faint">{say('perHour')}</span>
      </div>
      <div className={classes.body} data-kind="chart">
        {firstP50.error && !data ? (
          <ErrorState error={firstP50.error} onRetry={() => void firstP50.refetch()} />
        ) : data && slow && measured ? (
          <TimeChart
            label={say('firstTitle')}
            points={pointNames({ buckets: data.buckets, granularity: 'hour', utc_days: data.utc_days }, reader)}
            series={[
              { key: 'p50', name: 'p50', values: data.sums },
              { key: 'p95', name: 'p95', values: slow.sums },
            ]}
            form="line"
            stacked={false}
            sums={data.sums}
            format={(ms) => `${formatSeconds(ms)} s`}
            axis={(ms) => `${formatSeconds(ms)} s`}
            whole={false}
            beforeLabel={say('before')}
            onBrush={nothing}
          />
        ) : (
          data && <EmptyState icon="chart" title={say('none')} />
        )}
      </div>
    </section>
  )
}

/** Answered and failed calls by hour. */
export const Traffic = ({ day: { byStatus } }: { day: DayFigures }) => {
  const say = useChannelPageMessages()
  const reader = useTimeReader()
  const { data } = byStatus
  const answered = data?.series.find(({ key }) => key === 'success')?.values ?? []
  const values = (data?.sums ?? []).map((sum, index) => ({ sum: sum ?? 0, good: answered[index] ?? 0 }))
  return (
    <section className={`panel ${classes.block}`} aria-label={say('traffic')}>
      <div className={classes.blockHead}>
        <h2>{say('traffic')}</h2>
        <span className="faint">{say('perHour')}</span>
      </div>
      <div className={classes.body} data-kind="chart">
        {byStatus.error && !data ? (
          <ErrorState error={byStatus.error} onRetry={() => void byStatus.refetch()} />
        ) : data && values.some(({ sum }) => sum > 0) ? (
          <div className={classes.chart}>
            <StackedBars
              label={say('traffic')}
              points={pointNames({ buckets: data.buckets, granularity: 'hour', utc_days: data.utc_days }, reader)}
              series={[
                { key: 'success', name: say('succeeded'), values: values.map(({ good }) => good) },
                { key: 'failed', name: say('failed'), values: values.map(({ sum, good }) => sum - good), bad: true },
              ]}
              format={formatInteger}
              totalLabel={say('total')}
            />
          </div>
        ) : (
          data && <EmptyState icon="chart" title={say('none')} />
        )}
      </div>
    </section>
  )
}
