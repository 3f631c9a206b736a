import { pointNames } from '../../../components/chart/point-names.ts'
import { type BarSeries, Legend, StackedBars } from '../../../components/chart/stacked-bars.tsx'
import { type LogVolume, logType } from '../../../lib/api/contract.ts'
import { formatCompact, formatInteger } from '../../../lib/text/format.ts'
import { formatShortMoment } from '../../../lib/text/format-time.ts'
import { useTimeReader } from '../../../lib/time/time-zone.ts'
import { type SayVolume, useLogVolumeMessages } from './messages.ts'
import classes from './volume.module.css'
import { areRequests, type VolumeProps } from './volume-props.ts'

const day = 86_400

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)

const granularityOf = (seconds: number) =>
  seconds > day ? 'week' : seconds === day ? 'day' : seconds === 3600 ? 'hour' : 'minute'

const seriesOf = (volume: LogVolume, type: unknown, say: SayVolume): readonly BarSeries[] =>
  [
    { key: 'done', name: say(areRequests(type) ? 'volumeDone' : 'volumeRows'), values: volume.done },
    { key: 'failed', name: say('volumeFailed'), values: volume.failed, bad: true },
  ].filter(({ key, values }) => (key === 'done' ? String(type ?? '') !== String(logType.error) : sum(values) > 0))

const withSum = (line: BarSeries): BarSeries => ({ ...line, name: `${line.name} ${formatCompact(sum(line.values))}` })

const noteOf = (volume: LogVolume, say: SayVolume): string => {
  if (volume.capped) return say('volumeCapped')
  return volume.utc_days ? say('volumeUtc') : ''
}

/** The number of requests over time, answered and failed; dragging over the chart sets the list's range. */
export const VolumeChart = ({
  volume,
  type,
  onRange,
}: { volume: LogVolume; type: unknown } & Pick<VolumeProps, 'onRange'>) => {
  const say = useLogVolumeMessages()
  const reader = useTimeReader()
  const series = seriesOf(volume, type, say)
  const { starts, to, piece_seconds, utc_days } = volume
  const granularity = granularityOf(piece_seconds)
  const points = pointNames({ buckets: starts, granularity, utc_days }, reader).map((point, place) => ({
    ...point,
    // Days are named whole, shorter pieces by the moment at which they end.
    ...(piece_seconds < day ? { end: formatShortMoment(starts[place + 1] ?? to, reader) } : {}),
  }))
  const total = formatInteger(series.reduce((all, { values }) => all + sum(values), 0))
  const title = say(areRequests(type) ? 'volume' : 'volumeOf')
  const note = noteOf(volume, say)
  return (
    <>
      <div className={classes.legend}>
        {note !== '' && <span className={classes.note}>{note}</span>}
        <Legend series={series.map(withSum)} />
      </div>
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
    </>
  )
}
