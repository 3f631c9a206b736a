import classes from './month-chart.module.css'
import pictureClasses from './picture.module.css'
import { ticksUpTo } from './scale.ts'
import { usePlace } from './use-place.ts'
import { useWidth } from './use-width.ts'

interface MonthChartProps {
  /** Accessible name of the chart. */
  label: string
  /** Names of the days of the month, short under the axis and long where they are pointed at. */
  days: readonly { short: string; long: string }[]
  /** Sum up to the end of each day that is over; the last one up to now. */
  sums: readonly number[]
  /** Days since the month began. */
  now: number
  /** At the end of the month: what is expected, and by how much it may differ. */
  ahead: { readonly value: number; readonly spread: number }
  /** A line across that stops what is above it. */
  limit?: { readonly value: number; readonly text: string } | undefined
  /** Beside the point of now. */
  nowText: string
  aheadText: string
  format: (value: number) => string
  axis: (value: number) => string
}

const plotHeight = 156
const top = 12
const height = top + plotHeight + 22
const rightEdge = 8
const characterWidth = 6.6
/** Letters of the strong texts. */
const nameWidth = 7.4
const week = 7

/** A sum that grows through a month: a line up to now, then dashed to what is expected, with its range. Drawn at the width shown. */
export const MonthChart = (props: MonthChartProps) => {
  const { days, sums, now, ahead, limit, format, axis } = props
  const { element, width } = useWidth()
  const last = sums.at(-1) ?? 0
  const ticks = ticksUpTo(Math.max(last, ahead.value + ahead.spread, limit?.value ?? 0), 3)
  const most = ticks.at(-1) ?? 1
  const left = 12 + Math.max(...ticks.map((tick) => axis(tick).length)) * characterWidth
  const right = width - rightEdge
  const base = top + plotHeight
  const x = (day: number): number => left + (day / days.length) * (right - left)
  const y = (value: number): number => base - (Math.max(0, value) / most) * plotHeight
  const at = (day: number, value: number): string => `${x(day).toFixed(1)} ${y(value).toFixed(1)}`
  const line = [at(0, 0), ...sums.map((sum, index) => at(index === sums.length - 1 ? now : index + 1, sum))].join('L')
  const end = days.length
  const [high, low] = [ahead.value + ahead.spread, Math.max(last, ahead.value - ahead.spread)]
  const { active, handlers } = usePlace({ count: sums.length, pointAt: (share) => Math.floor(share * end) })
  const isLate = now > end / 2
  // Beside the text of the line that stops it, below its point.
  const isBelow = limit !== undefined && y(last) - y(limit.value) < 44
  // Under the end of the dashed line, where nothing is drawn; above it where that stands near the bottom.
  const aheadAt = y(low) + 18 > base - 4 ? y(high) - 8 : y(low) + 18
  return (
    <div ref={element} className={classes.chart} style={{ minHeight: height }}>
      <svg className={pictureClasses.picture} width={width} height={height} aria-hidden="true">
        {ticks.map((tick) => (
          <g key={tick}>
            <line x1={left} x2={right} y1={y(tick)} y2={y(tick)} data-zero={tick === 0 || undefined} />
            <text x={left - 8} y={y(tick) + 4} textAnchor="end">
              {axis(tick)}
            </text>
          </g>
        ))}
        {limit && (
          <g className={classes.limit}>
            <line x1={left} x2={right} y1={y(limit.value)} y2={y(limit.value)} />
            <text x={left + 6} y={y(limit.value) < 24 ? y(limit.value) + 16 : y(limit.value) - 6}>
              {limit.text}
            </text>
          </g>
        )}
        <path className={classes.area} d={`M${line}L${x(now).toFixed(1)} ${base}Z`} />
        <path className={classes.range} d={`M${at(now, last)}L${at(end, high)}L${at(end, low)}Z`} />
        <path className={classes.line} d={`M${line}`} />
        <path className={classes.ahead} d={`M${at(now, last)}L${at(end, ahead.value)}`} />
        <line className={classes.now} x1={x(now)} x2={x(now)} y1={top} y2={base} />
        {active !== undefined && (
          <line className={classes.active} x1={x(active + 1)} x2={x(active + 1)} y1={top} y2={base} />
        )}
        <circle cx={x(now)} cy={y(last)} r={3.5} />
        <text
          className={classes.strong}
          x={x(now) + (isLate ? -10 : 10)}
          y={isBelow ? y(last) + 20 : Math.max(top + 12, y(last) - 8)}
          textAnchor={isLate ? 'end' : 'start'}
        >
          {props.nowText}
        </text>
        {/* At the end of a month both would cover each other. */}
        {right - x(now) > props.aheadText.length * nameWidth + 4 && (
          <text className={classes.strong} x={right} y={aheadAt} textAnchor="end">
            {props.aheadText}
          </text>
        )}
        {days.map((day, index) =>
          index % week === 0 && index + week < end + 4 && index < end - 1 ? (
            <text key={day.short} x={x(index)} y={height - 4} textAnchor={index === 0 ? 'start' : 'middle'}>
              {day.short}
            </text>
          ) : null,
        )}
        <text x={right} y={height - 4} textAnchor="end">
          {days.at(-1)?.short}
        </text>
      </svg>
      <div
        className={classes.surface}
        style={{ left, width: right - left, height: base }}
        role="slider"
        tabIndex={0}
        aria-label={props.label}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, sums.length - 1)}
        aria-valuenow={active ?? 0}
        aria-valuetext={active === undefined ? props.label : `${days[active]?.long}: ${format(sums[active] ?? 0)}`}
        {...handlers}
      />
      {active !== undefined && (
        <div
          className={classes.tip}
          style={x(active) > width / 2 ? { right: width - x(active) + 4 } : { left: x(active + 1) + 12 }}
        >
          <span>{days[active]?.long}</span>
          <strong className="num">{format(sums[active] ?? 0)}</strong>
          <span className="num">+{format((sums[active] ?? 0) - (sums[active - 1] ?? 0))}</span>
        </div>
      )}
    </div>
  )
}
