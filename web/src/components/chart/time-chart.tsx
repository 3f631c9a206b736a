import { useId } from 'react'
import { type ChartMark, gathered, markWidth, shelter } from './chart-marks.ts'
import pictureClasses from './picture.module.css'
import { ticksBetween } from './scale.ts'
import classes from './time-chart.module.css'
import { areaPath, barPath, type ChartArea, linePath, partOf, stacksOf } from './time-chart-paths.ts'
import { usePlace } from './use-place.ts'
import { useWidth } from './use-width.ts'

export type ChartForm = 'line' | 'area' | 'bar'

export interface TimeSeries {
  readonly key: string
  readonly name: string
  /** null where nothing was measured. */
  readonly values: readonly (number | null)[]
  /** Everything that has no name of its own is drawn in grey. */
  readonly rest?: boolean
  /** Failures are drawn in red. */
  readonly bad?: boolean
}

interface TimeChartProps {
  /** Accessible description of the chart, in one sentence. */
  label: string
  /** The name of each point, short under the axis and long where it is pointed at. */
  points: readonly { short: string; long: string }[]
  series: readonly TimeSeries[]
  form: ChartForm
  /** True if values of series add up; others are lines, however they are asked for. */
  stacked: boolean
  /** Everything together, in each point of now and of the time before. */
  sums: readonly (number | null)[]
  before?: readonly (number | null)[] | undefined
  /** The first point whose time is not over; its bars and those after it are hatched. */
  unfinished?: number | undefined
  /** Room for them is kept above the plot; left out where there never are any. */
  marks?: readonly ChartMark[]
  format: (value: number) => string
  /** Values beside the lines across the chart. */
  axis: (value: number) => string
  /** Counts have no lines between whole numbers. */
  whole: boolean
  beforeLabel: string
  onBrush: (first: number, last: number) => void
  /** Pixels from the lowest line across to the highest; 240 when absent. */
  plotHeight?: number
}

const usualPlotHeight = 240
const topWithMarks = 28
const topAlone = 10
const rightEdge = 8
const characterWidth = 6.6
const labelWidth = 76
const labelGap = 16

const toneOf = ({ rest, bad }: TimeSeries, index: number): string => (rest ? 'rest' : bad ? 'bad' : String(index))

const dash = '—'
/** Pixels between the pointer and what it says. */
const away = 12

const Readout = (props: TimeChartProps & { first: number; last: number; x: number; width: number }) => {
  const { first, last, series, format, stacked, points } = props
  const over = (values: readonly (number | null)[]): number | null => {
    const there = values.slice(first, last + 1).filter((value) => value !== null)
    if (there.length === 0) return null
    // Values that do not add up have a text only if a single point is chosen.
    return stacked || first === last ? there.reduce((sum, value) => sum + value, 0) : null
  }
  const text = (value: number | null): string => (value === null ? dash : format(value))
  const name = first === last ? points[first]?.long : `${points[first]?.long} – ${points[last]?.long}`
  return (
    <div
      className={classes.tip}
      style={props.x > props.width / 2 ? { right: props.width - props.x + away } : { left: props.x + away }}
    >
      <div className={classes.tipHead}>
        <strong>{name}</strong>
        <strong className="num">{text(over(props.sums))}</strong>
      </div>
      <dl>
        {series.map((line, index) => (
          <div key={line.key}>
            <dt>
              <i className={classes.swatch} data-tone={toneOf(line, index)} />
              <span className="cut">{line.name}</span>
            </dt>
            <dd className="num">{text(over(line.values))}</dd>
          </div>
        ))}
        {props.before && (
          <div className={classes.tipBefore}>
            <dt>{props.beforeLabel}</dt>
            <dd className="num">{text(over(props.before))}</dd>
          </div>
        )}
      </dl>
    </div>
  )
}

const valuesOf = (lists: readonly (readonly (number | null)[])[]): readonly number[] =>
  lists.flat().filter((value) => value !== null)

/**
 * Labels below the axis: as many as fit, the first and the last among them. Beside lines these two stand inside the edges, so
 * that half a label more lies between them and the next one.
 */
const labelledPlaces = (count: number, width: number, isBar: boolean, longest: number): readonly number[] => {
  const wide = Math.max(labelWidth, longest * characterWidth + labelGap)
  const apart = isBar ? wide : wide * 1.5
  const most = Math.max(2, Math.floor(width / apart))
  if (count <= most) return Array.from({ length: count }, (_, index) => index)
  const step = Math.ceil((count - 1) / (most - 1))
  const places = Array.from({ length: Math.ceil((count - 1) / step) }, (_, index) => index * step)
  // One that stands too near to the last gives way, never the first.
  const last = places.at(-1) ?? 0
  // At an edge a bar's label is pushed inwards by half of itself.
  const near = last > 0 && ((count - 1 - last) * width) / (count - 1) < (isBar ? apart + wide / 2 : apart)
  return [...(near ? places.slice(0, -1) : places), count - 1]
}

const anchorOf = (index: number, count: number, isBar: boolean): 'start' | 'middle' | 'end' => {
  if (isBar || count === 1) return 'middle'
  if (index === 0) return 'start'
  return index === count - 1 ? 'end' : 'middle'
}

/** Stripes through which bars of a time that is not over are drawn. */
const Hatch = ({ id }: { id: string }) => (
  <defs>
    <pattern id={`${id}s`} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect width="3" height="6" fill="#fff" />
    </pattern>
    <mask id={id} maskUnits="userSpaceOnUse" x="0" y="0" width="100%" height="100%">
      <rect width="100%" height="100%" fill={`url(#${id}s)`} />
    </mask>
  </defs>
)

const OpenBars = ({ path, hatch }: { path: string; hatch: string }) => (
  <>
    <path className={classes.open} d={path} />
    <path className={classes.bar} data-unfinished d={path} mask={`url(#${hatch})`} />
  </>
)

/** Figures over time as lines, stacked areas or bars, with the time before and what happened; drawn at the width shown. */
export const TimeChart = (props: TimeChartProps) => {
  const { points, series, format, axis, sums, before, marks = [], plotHeight = usualPlotHeight } = props
  const top = props.marks === undefined ? topAlone : topWithMarks
  const height = top + plotHeight + 22
  const { element, width } = useWidth()
  const hatch = useId().replace(/\W/g, '')
  const count = points.length
  const form = props.stacked ? props.form : 'line'
  const isBar = form === 'bar' || count === 1
  const stacks = stacksOf(series, form !== 'line')
  // Beside single lines of what adds up, the sum of the time before would stand far above them.
  const shownBefore = form === 'line' && props.stacked && series.length > 1 ? undefined : before?.slice(0, count)
  const drawn = valuesOf([...stacks.map(({ to }) => to), shownBefore ?? []])
  const [least, most] = [Math.min(0, ...drawn), Math.max(0, ...drawn)]
  const ticks = ticksBetween(least, most, 4, { whole: props.whole })
  const [low, high] = [ticks[0] ?? 0, ticks.at(-1) ?? 1]
  const isEmpty = least === 0 && most === 0
  const left = 12 + Math.max(...ticks.map((tick) => (isEmpty && tick > 0 ? 0 : axis(tick).length))) * characterWidth
  const plotWidth = Math.max(40, width - left - rightEdge)
  const place: ChartArea = {
    x: (index) => left + (isBar ? ((index + 0.5) / count) * plotWidth : (index / (count - 1)) * plotWidth),
    y: (value) => top + plotHeight - ((value - low) / (high - low)) * plotHeight,
    band: plotWidth / count,
    base: top + plotHeight - ((0 - low) / (high - low)) * plotHeight,
  }
  const { active, first, last, handlers } = usePlace({
    count,
    onBrush: props.onBrush,
    ...(isBar ? {} : { pointAt: (share: number) => Math.round(share * (count - 1)) }),
  })
  const sumAt = (index: number): string => {
    const value = sums[index] ?? null
    return value === null ? dash : format(value)
  }
  const open = props.unfinished ?? count
  const half = isBar ? place.band / 2 : 0
  const longest = Math.max(0, ...points.map(({ short }) => short.length))
  // Half of the longest label: one in the middle of a narrow bar at an edge would be cut off.
  const room = isBar ? Math.min((longest * characterWidth) / 2, width / 2) : 0
  return (
    <div ref={element} className={classes.chart} style={{ minHeight: height }}>
      <svg className={pictureClasses.picture} width={width} height={height} aria-hidden="true">
        {ticks.map((tick) => (
          <g key={tick}>
            <line
              x1={left}
              x2={width - rightEdge}
              y1={place.y(tick)}
              y2={place.y(tick)}
              data-zero={tick === 0 || undefined}
            />
            <text x={left - 8} y={place.y(tick) + 4} textAnchor="end">
              {isEmpty && tick > 0 ? '' : axis(tick)}
            </text>
          </g>
        ))}
        {isBar && open < count && <Hatch id={hatch} />}
        {series.map((line, index) => {
          const stack = stacks[index]
          if (stack === undefined) return null
          const tone = toneOf(line, index)
          if (isBar)
            return (
              <g key={line.key} data-tone={tone}>
                <path className={classes.bar} d={barPath(partOf(stack, 0, open), place)} />
                {open < count && <OpenBars path={barPath(partOf(stack, open, count), place)} hatch={hatch} />}
              </g>
            )
          return (
            <g key={line.key} data-tone={tone}>
              {form === 'area' && <path className={classes.area} d={areaPath(stack, place)} />}
              <path className={classes.line} d={linePath(stack.to, place)} />
            </g>
          )
        })}
        {shownBefore && <path className={classes.before} d={linePath(shownBefore, place)} />}
        {gathered(marks, place.x).map(({ x, text, bad }) => (
          <g key={text} className={classes.mark} data-bad={bad || undefined}>
            <line x1={x} x2={x} y1={top - 6} y2={top + plotHeight} />
            <rect x={shelter(x, text, width)} y={3} width={markWidth(text)} height={18} rx={9} />
            <text x={shelter(x, text, width) + markWidth(text) / 2} y={16} textAnchor="middle">
              {text}
            </text>
          </g>
        ))}
        {first !== undefined && (
          <g className={classes.active}>
            {first !== last && (
              <rect
                x={place.x(first) - half}
                width={place.x(last) - place.x(first) + 2 * half}
                y={top}
                height={plotHeight}
              />
            )}
            <line data-at x1={place.x(active ?? 0)} x2={place.x(active ?? 0)} y1={top} y2={top + plotHeight} />
          </g>
        )}
        {labelledPlaces(count, plotWidth, isBar, longest).map((index) => (
          <text
            key={index}
            x={Math.min(Math.max(place.x(index), room), width - room)}
            y={height - 4}
            textAnchor={anchorOf(index, count, isBar)}
          >
            {points[index]?.short}
          </text>
        ))}
      </svg>
      <div
        className={classes.surface}
        style={{ left, width: plotWidth, height: plotHeight + top }}
        role="slider"
        tabIndex={0}
        aria-label={props.label}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, count - 1)}
        aria-valuenow={active ?? 0}
        aria-valuetext={active === undefined ? props.label : `${points[active]?.long}: ${sumAt(active)}`}
        {...handlers}
      />
      {first !== undefined && <Readout {...props} first={first} last={last} x={place.x(active ?? 0)} width={width} />}
    </div>
  )
}

/** The colour of a series beside its name; `index` counts from 0, undefined is everything else. */
export const SeriesSwatch = ({ index }: { index: number | 'bad' | undefined }) => (
  <i className={classes.swatch} data-tone={index ?? 'rest'} />
)

/** Which colour is what, for the head of a panel. */
export const SeriesLegend = ({ series }: { series: readonly Pick<TimeSeries, 'key' | 'name' | 'bad'>[] }) => (
  <span className={classes.legend}>
    {series.map(({ key, name, bad }, index) => (
      <span key={key}>
        <SeriesSwatch index={bad ? 'bad' : index} /> {name}
      </span>
    ))}
  </span>
)
