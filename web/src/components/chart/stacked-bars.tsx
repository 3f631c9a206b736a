import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { spreadOver, ticksUpTo } from './scale.ts'
import classes from './stacked-bars.module.css'

export interface BarSeries {
  readonly key: string
  readonly name: string
  readonly values: readonly number[]
  /** Everything that has no name of its own is drawn in grey. */
  readonly rest?: boolean
}

export interface StackedBarsProps {
  /** What the chart shows, in one sentence, for those who cannot see it. */
  label: string
  /** The name of each point, short under the axis and long where it is pointed at. */
  points: readonly { short: string; long: string }[]
  series: readonly BarSeries[]
  format: (value: number) => string
  totalLabel: string
  /** Opens a point. */
  onChoose?: (index: number) => void
}

const height = 1000
const step = 10
const gap = 2
const mostLabels = 8
const mostListed = 8

const toneOf = (series: BarSeries, index: number): string => (series.rest ? 'rest' : String(index))

/** One path per series: as many rectangles as it has points with something in them. */
const pathOf = (series: readonly BarSeries[], index: number, most: number): string => {
  const own = series[index]?.values ?? []
  return own
    .map((value, place) => {
      if (value <= 0) return ''
      const below = series.slice(0, index).reduce((sum, line) => sum + (line.values[place] ?? 0), 0)
      const size = (value / most) * height
      const top = height - (below / most) * height - size
      return `M${place * step + gap / 2} ${top.toFixed(2)}h${step - gap}v${size.toFixed(2)}h${gap - step}z`
    })
    .join('')
}

const Pointed = (props: StackedBarsProps & { at: number }) => {
  const { at, series, format } = props
  const listed = series
    .map((line, index) => ({ line, tone: toneOf(line, index), value: line.values[at] ?? 0 }))
    .filter(({ value }) => value > 0)
    .sort((left, right) => right.value - left.value)
  const total = listed.reduce((sum, { value }) => sum + value, 0)
  return (
    <div className={classes.tip} data-side={at > props.points.length / 2 ? 'left' : 'right'}>
      <strong>{props.points[at]?.long}</strong>
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
  const { points, series, format } = props
  const [at, setAt] = useState<number>()
  const totals = points.map((_, place) => series.reduce((sum, line) => sum + (line.values[place] ?? 0), 0))
  const ticks = ticksUpTo(Math.max(0, ...totals))
  const most = ticks.at(-1) ?? 1
  const width = points.length * step
  const active = at === undefined || at >= points.length ? undefined : at
  const placeOf = (event: PointerEvent<HTMLElement>): number => {
    const box = event.currentTarget.getBoundingClientRect()
    return Math.max(
      0,
      Math.min(points.length - 1, Math.floor(((event.clientX - box.left) / box.width) * points.length)),
    )
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const moves: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 }
    const by = moves[event.key]
    if (by !== undefined) {
      event.preventDefault()
      event.stopPropagation()
      setAt(Math.max(0, Math.min(points.length - 1, (active ?? (by > 0 ? -1 : points.length)) + by)))
    }
    if (event.key === 'Enter' && active !== undefined) props.onChoose?.(active)
    if (event.key === 'Escape') setAt(undefined)
  }
  return (
    <figure className={classes.chart}>
      <div className={classes.scale} aria-hidden="true">
        {ticks.toReversed().map((tick) => (
          <span key={tick} className="num">
            {format(tick)}
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
        aria-valuetext={active === undefined ? props.label : `${points[active]?.long}: ${format(totals[active] ?? 0)}`}
        data-opens={props.onChoose ? true : undefined}
        onPointerMove={(event) => setAt(placeOf(event))}
        onPointerLeave={() => setAt(undefined)}
        onClick={() => active !== undefined && props.onChoose?.(active)}
        onKeyDown={onKeyDown}
        onBlur={() => setAt(undefined)}
      >
        <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
          {ticks.map((tick) => {
            const y = height - (tick / most) * height
            return <line key={tick} x1={0} x2={width} y1={y} y2={y} className={classes.line} />
          })}
          {active !== undefined && (
            <rect x={active * step} width={step} height={height} className={classes.active} data-testid="active" />
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
        {active !== undefined && <Pointed {...props} at={active} />}
      </div>
      <div className={classes.axis} aria-hidden="true">
        {spreadOver(points.length, mostLabels).map((place, index, places) => (
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
