import { Button, Skeleton } from '@mantine/core'
import { pointNames } from '../../../components/chart/point-names.ts'
import { type BarSeries, Legend, StackedBars } from '../../../components/chart/stacked-bars.tsx'
import { Icon } from '../../../components/display/icon.tsx'
import { calls, type LogVolume, logType } from '../../../lib/api/contract.ts'
import { useEndpoint } from '../../../lib/query.ts'
import { formatCompact, formatDateTime, formatInteger } from '../../../lib/text/format.ts'
import { useTimeZone, zoneName } from '../../../lib/time/time-zone.ts'
import { type SayLog, useLogMessages } from '../messages.ts'
import classes from './volume.module.css'
import type { VolumeProps } from './volume-props.ts'

const liveEveryMs = 30_000
const day = 86_400

// Both have the same shape; only who may ask differs.
const volumeOf = (isAdmin: boolean) =>
  (isAdmin ? calls.getLogVolume : calls.getOwnLogVolume) as typeof calls.getLogVolume

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)

const granularityOf = (seconds: number) =>
  seconds > day ? 'week' : seconds === day ? 'day' : seconds === 3600 ? 'hour' : 'minute'

/** Entries of another type than requests neither succeed nor fail. */
const areRequests = (type: unknown): boolean =>
  ['', String(logType.unknown), String(logType.consume), String(logType.error)].includes(String(type ?? ''))

const seriesOf = (volume: LogVolume, type: unknown, say: SayLog): readonly BarSeries[] =>
  [
    { key: 'done', name: say(areRequests(type) ? 'volumeDone' : 'volumeRows'), values: volume.done },
    { key: 'failed', name: say('volumeFailed'), values: volume.failed, bad: true },
  ].filter(({ key, values }) => (key === 'done' ? String(type ?? '') !== String(logType.error) : sum(values) > 0))

const withSum = (line: BarSeries): BarSeries => ({ ...line, name: `${line.name} ${formatCompact(sum(line.values))}` })

const noteOf = (volume: LogVolume, say: SayLog): string => {
  if (volume.capped) return say('volumeCapped')
  if (volume.utc_days) return say('volumeUtc')
  return volume.counted === 'sums' ? say('volumeSums') : ''
}

const Chart = ({
  volume,
  type,
  title,
  onRange,
}: { volume: LogVolume; type: unknown; title: string } & Pick<VolumeProps, 'onRange'>) => {
  const say = useLogMessages()
  const zone = useTimeZone()
  const series = seriesOf(volume, type, say)
  const { starts, to, piece_seconds, utc_days } = volume
  const granularity = granularityOf(piece_seconds)
  const points = pointNames({ buckets: starts, granularity, utc_days }, zone).map((point, place) => ({
    ...point,
    // Days are named whole, shorter pieces by the moment at which they end.
    ...(piece_seconds < day ? { end: formatDateTime(starts[place + 1] ?? to, zone).slice(5, 16) } : {}),
  }))
  const total = formatInteger(series.reduce((all, { values }) => all + sum(values), 0))
  return (
    <StackedBars
      label={say('volumeLabel', { title, total, points: points.length })}
      points={points}
      series={series}
      format={formatCompact}
      totalLabel={say('volumeTotal')}
      low
      onBrush={(first, last) => {
        const from = starts[first]
        if (from !== undefined) onRange(from, (starts[last + 1] ?? to) - 1)
      }}
    />
  )
}

/** The number of requests over time, answered and failed; dragging over the chart sets the list's range. */
export const VolumePanel = (props: VolumeProps & { folded: boolean; onFold: (folded: boolean) => void }) => {
  const say = useLogMessages()
  const zone = zoneName(useTimeZone())
  const { query, live, folded } = props
  const { data, error, refetch } = useEndpoint(
    volumeOf(props.isAdmin),
    { query: { ...query, zone } },
    { enabled: !folded, ...(live ? { refreshEveryMs: liveEveryMs } : {}) },
  )
  const title = say(areRequests(query.type) ? 'volume' : 'volumeOf')
  const note = data && noteOf(data, say)
  return (
    <section className={`panel ${classes.panel}`} data-folded={folded || undefined} aria-label={title}>
      <div className={classes.head}>
        <h2>{title}</h2>
        {!folded && data && !error && <Legend series={seriesOf(data, query.type, say).map(withSum)} />}
        {!folded && note && !error && (
          <span className={classes.note} title={note} data-capped={data?.capped || undefined}>
            {note}
          </span>
        )}
        <Button
          size="compact-xs"
          variant="subtle"
          aria-expanded={!folded}
          leftSection={<Icon name={folded ? 'down' : 'up'} size={12} />}
          onClick={() => props.onFold(!folded)}
        >
          {say(folded ? 'volumeUnfold' : 'volumeFold')}
        </Button>
      </div>
      {!folded &&
        (error ? (
          <p className={classes.error}>
            {say('volumeError')}
            <Button size="compact-xs" onClick={() => void refetch()}>
              {say('volumeRetry')}
            </Button>
          </p>
        ) : data ? (
          <Chart volume={data} type={query.type} title={title} onRange={props.onRange} />
        ) : (
          <Skeleton h={104} />
        ))}
    </section>
  )
}
