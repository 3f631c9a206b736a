import type { ReactNode } from 'react'
import { SeriesLegend, TimeChart, type TimeSeries } from '#web/components/chart/time-chart.tsx'
import type { LivePicture } from '#web/lib/api/contract.ts'
import { formatCompact, formatDuration, formatInteger } from '#web/lib/text/format.ts'
import { formatMinute } from '#web/lib/text/format-time.ts'
import { useTimeZone } from '#web/lib/time/time-zone.ts'
import classes from './live.module.css'
import { useLiveMessages } from './messages.ts'

type Minutes = LivePicture['minutes']

const plotHeight = 108
const percentiles = ['p50', 'p95'] as const
const nothing = (): void => {}
const seconds = (ms: number): string => `${Number((ms / 1000).toPrecision(2))} s`

const Panel = (props: {
  title: string
  aside: ReactNode
  minutes: Minutes
  series: readonly TimeSeries[]
  kind: 'count' | 'ms'
}) => {
  const say = useLiveMessages()
  const zone = useTimeZone()
  const { minutes, series, kind } = props
  const points = minutes.map(({ at }, index) => {
    const long = formatMinute(at, zone)
    return { short: index === minutes.length - 1 ? say('now') : long, long }
  })
  return (
    <section className="panel" aria-label={props.title}>
      <div className={classes.head}>
        <h2>{props.title}</h2>
        {props.aside}
      </div>
      <div className={classes.chart}>
        <TimeChart
          label={say('chartLabel', { what: props.title })}
          points={points}
          series={series}
          form={kind === 'count' ? 'area' : 'line'}
          stacked={kind === 'count'}
          sums={series[0]?.values ?? []}
          format={kind === 'count' ? formatInteger : formatDuration}
          axis={kind === 'count' ? formatCompact : seconds}
          whole={kind === 'count'}
          beforeLabel={say('before')}
          onBrush={nothing}
          plotHeight={plotHeight}
        />
      </div>
    </section>
  )
}

/** Calls, failures and times to the first token, minute by minute. */
export const LiveCharts = ({ minutes }: { minutes: Minutes }) => {
  const say = useLiveMessages()
  const last = minutes.at(-2)
  const hasStreams = minutes.some(({ first_p50_ms: p50 }) => p50 !== null)
  const hasCalls = minutes.some(({ calls }) => calls > 0)
  const counts = (title: string, figure: 'calls' | 'failed'): ReactNode => (
    <Panel
      title={title}
      aside={<span className="num">{formatInteger(last?.[figure] ?? 0)}</span>}
      minutes={minutes}
      series={[{ key: figure, name: title, values: minutes.map((minute) => minute[figure]), bad: figure === 'failed' }]}
      kind="count"
    />
  )
  return (
    <div className={classes.charts}>
      {counts(say('callsPerMinute'), 'calls')}
      {counts(say('failedPerMinute'), 'failed')}
      <Panel
        title={say('firstTokenChart')}
        aside={
          hasCalls && !hasStreams ? (
            <span className="faint">{say('noStreams')}</span>
          ) : (
            <SeriesLegend series={percentiles.map((name) => ({ key: name, name }))} />
          )
        }
        minutes={minutes}
        series={[
          { key: 'p50', name: 'p50', values: minutes.map(({ first_p50_ms: p50 }) => p50) },
          { key: 'p95', name: 'p95', values: minutes.map(({ first_p95_ms: p95 }) => p95) },
        ]}
        kind="ms"
      />
    </div>
  )
}
