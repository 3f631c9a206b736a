import { spreadOver, ticksUpTo } from './scale.ts'
import classes from './stacked-bars.module.css'
import { usePlace } from './use-place.ts'

export interface BarSeries {
  readonly key: string
  readonly name: string
  readonly values: readonly number[]
  /** Everything that has no name of its own is drawn in grey. */
  readonly rest?: boolean
  /** Failures are drawn in red. */
  readonly bad?: boolean
}

export interface StackedBarsProps {
  /** Accessible description of the chart, in one sentence. */
  label: string
  /** The name of each point, short under the axis and long where it is pointed at; `end` where several end with it. */
  points: readonly { short: string; long: string; end?: string }[]
  series: readonly BarSeries[]
  format: (value: number) => string
  /** How the lines across the chart are named; as `format` does it, unless given. */
  axis?: (value: number) => string
  totalLabel: string
  /** Opens a point. */
  onChoose?: (index: number) => void
  /** Narrows down to the points from one to another: drawn over with the mouse, or with the shift key held. */
  onBrush?: (first: number, last: number) => void
  /** A strip above something else instead of a picture of its own. */
  low?: boolean
}

const height = 1000
const step = 10
const gap = 2
/** A bar is no wider than this part of the chart, however few there are: one alone would look like an area. */
const leastShare = 16
const mostLabels = 8
/** A strip is narrow, and names of hours of several days are long. */
const mostLabelsLow = 4
const mostListed = 8

const toneOf = (series: BarSeries, index: number): string => (series.rest ? 'rest' : series.bad ? 'bad' : String(index))

/** One path per series: as many rectangles as it has points with something in them. */
const pathOf = (series: readonly BarSeries[], index: number, most: number): string => {
  const own = series[index]?.values ?? []
  const bar = Math.min(step - gap, (own.length * step) / leastShare)
  return own
    .map((value, place) => {
      if (value <= 0) return ''
      const below = series.slice(0, index).reduce((sum, line) => sum + (line.values[place] ?? 0), 0)
      const size = (value / most) * height
      const top = height - (below / most) * height - size
      return `M${place * step + (step - bar) / 2} ${top.toFixed(2)}h${bar}v${size.toFixed(2)}h${-bar}z`
    })
    .join('')
}

/** Name of one point, or of several that follow each other. */
const nameOf = (points: StackedBarsProps['points'], first: number, last: number): string =>
  first === last ? (points[first]?.long ?? '') : `${points[first]?.long} – ${points[last]?.end ?? points[last]?.long}`

const Pointed = (props: StackedBarsProps & { name: string; first: number; last: number }) => {
  const { first, last, series, format } = props
  const sumOf = (line: BarSeries): number => line.values.slice(first, last + 1).reduce((sum, value) => sum + value, 0)
  const listed = series
    .map((line, index) => ({ line, tone: toneOf(line, index), value: sumOf(line) }))
    .filter(({ value }) => value > 0)
    .sort((left, right) => right.value - left.value)
  const total = listed.reduce((sum, { value }) => sum + value, 0)
  return (
    <div className={classes.tip} data-side={last > props.points.length / 2 ? 'left' : 'right'}>
      <strong>{props.name}</strong>
      <dl>
        <div>
          <dt>{props.totalLabel}</dt>
          <dd className="num">{format(total)}</dd>
        </div>
        {listed.slice(0, mostListed).map(({ line, tone, value }) => (
          <div key={line.key}>
            <dt>
              <i className={classes.swatch} data-tone={tone} />
              {line.name}
            </dt>
            <dd className="num">{format(value)}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

/** Values over time, stacked; hover or arrow keys tell the figures of a point, a table beside it has them all. */
export const StackedBars = (props: StackedBarsProps) => {
  const { points, series, format, axis = format } = props
  const { active, first, last, handlers } = usePlace({
    count: points.length,
    onChoose: props.onChoose,
    onBrush: props.onBrush,
  })
  const totals = points.map((_, place) => series.reduce((sum, line) => sum + (line.values[place] ?? 0), 0))
  const highest = Math.max(0, ...totals)
  const ticks = ticksUpTo(highest, props.low ? 2 : undefined, { whole: totals.every(Number.isInteger) })
  const most = ticks.at(-1) ?? 1
  const width = points.length * step
  const labelled = spreadOver(points.length, props.low ? mostLabelsLow : mostLabels)
  const chosen = first === undefined ? [] : totals.slice(first, last + 1)
  const name = first === undefined ? '' : nameOf(points, first, last)
  return (
    <figure className={classes.chart} data-low={props.low || undefined}>
      <div className={classes.scale} aria-hidden="true">
        {ticks.toReversed().map((tick) => (
          <span key={tick} className="num">
            {highest === 0 && tick > 0 ? '' : axis(tick)}
          </span>
        ))}
      </div>
      <div
        className={classes.plot}
        role="slider"
        tabIndex={0}
        aria-label={props.label}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, points.length - 1)}
        aria-valuenow={active ?? 0}
        aria-valuetext={
          active === undefined ? props.label : `${name}: ${format(chosen.reduce((sum, value) => sum + value, 0))}`
        }
        data-opens={props.onChoose || props.onBrush ? true : undefined}
        data-brush={props.onBrush ? true : undefined}
        {...handlers}
      >
        <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
          {ticks.map((tick) => {
            const y = height - (tick / most) * height
            return <line key={tick} x1={0} x2={width} y1={y} y2={y} className={classes.line} />
          })}
          {first !== undefined && (
            <rect
              x={first * step}
              width={(last - first + 1) * step}
              height={height}
              className={classes.active}
              data-testid="active"
            />
          )}
          {series.map((line, index) => (
            <path
              key={line.key}
              d={pathOf(series, index, most)}
              className={classes.bar}
              data-tone={toneOf(line, index)}
            />
          ))}
        </svg>
        {first !== undefined && <Pointed {...props} name={name} first={first} last={last} />}
      </div>
      <div className={classes.axis} data-each={labelled.length === points.length || undefined} aria-hidden="true">
        {labelled.map((place, index, places) => (
          <span key={place} className="num" style={{ flexGrow: (places[index + 1] ?? points.length) - place }}>
            {points[place]?.short}
          </span>
        ))}
      </div>
    </figure>
  )
}

/** Which colour is what. */
export const Legend = ({ series }: { series: readonly BarSeries[] }) => (
  <ul className={classes.legend}>
    {series.map((line, index) => (
      <li key={line.key}>
        <i className={classes.swatch} data-tone={toneOf(line, index)} />
        <span>{line.name}</span>
      </li>
    ))}
  </ul>
)
