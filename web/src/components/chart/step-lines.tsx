import { ticksUpTo } from './scale.ts'
import classes from './step-lines.module.css'
import { useWidth } from './use-width.ts'

/** A figure that holds from a moment until the next one; undefined where there is none. */
export interface Steps {
  readonly name: string
  readonly values: readonly (number | undefined)[]
}

interface StepLinesProps {
  /** Accessible name of the chart. */
  label: string
  /** The moments from which the values hold, ascending. */
  from: readonly number[]
  /** End of the last values. */
  until: number
  /** Drawn as a line across, where it lies between the first moment and the end. */
  now: number
  series: readonly Steps[]
  /** Changes at a moment, in a few letters. */
  marks: readonly { readonly at: number; readonly text: string }[]
  /** Names of the first moment and the end. */
  names: readonly [string, string]
  /** Behind the name of a series. */
  format: (value: number) => string
  /** Beside the lines across the chart. */
  axis: (value: number) => string
}

const top = 24
const plotHeight = 140
const base = top + plotHeight
const height = base + 22
const characterWidth = 6.6
/** Letters of a name beside the end of its line are wider than figures of the axis. */
const nameWidth = 7
const lineHeight = 15

/** Vertical positions of the names beside the ends of their lines, from the lowest up, without overlap. */
const spread = (wanted: readonly number[]): readonly number[] => {
  const places = [...wanted]
  const order = wanted.map((_, index) => index).toSorted((one, other) => (wanted[other] ?? 0) - (wanted[one] ?? 0))
  let free = base + 4
  for (const index of order) {
    places[index] = Math.min(wanted[index] ?? 0, free)
    free = (places[index] ?? 0) - lineHeight
  }
  return places
}

/** Marks whose text has room behind the one before. */
const readable = (marks: StepLinesProps['marks'], x: (at: number) => number): ReadonlySet<number> => {
  const shown = new Set<number>()
  let end = Number.NEGATIVE_INFINITY
  for (const { at, text } of marks) {
    const half = (text.length * characterWidth) / 2
    if (x(at) - half < end) continue
    shown.add(at)
    end = x(at) + half + 8
  }
  return shown
}

/** A few figures that change at moments, as lines with steps from zero up. Drawn at the width shown. */
export const StepLines = (props: StepLinesProps) => {
  const { label, from, until, now, series, marks, names, format, axis } = props
  const { element, width } = useWidth()
  const start = from[0] ?? now
  const ticks = ticksUpTo(Math.max(...series.flatMap(({ values }) => values.map((value) => value ?? 0))), 4)
  const most = ticks.at(-1) ?? 1
  const ends = series.map(({ name, values }) => {
    const last = values.at(-1)
    return { value: last, text: last === undefined ? '' : `${name} ${format(last)}` }
  })
  const left = 12 + Math.max(...ticks.map((tick) => axis(tick).length)) * characterWidth
  const right = width - 12 - Math.max(...ends.map(({ text }) => [...text].length)) * nameWidth
  const x = (moment: number): number => left + ((moment - start) / Math.max(1, until - start)) * (right - left)
  const y = (value: number): number => base - (value / most) * plotHeight
  const at = (value: number): string => value.toFixed(1)
  const path = (values: Steps['values']): string =>
    values
      .map((value, index) => {
        if (value === undefined) return ''
        const before = index > 0 ? values[index - 1] : undefined
        const begin = `${before === undefined ? 'M' : 'L'}${at(x(from[index] ?? start))} ${at(y(value))}`
        return `${begin}H${at(x(from[index + 1] ?? until))}`
      })
      .join('')
  const places = spread(ends.map(({ value }) => (value === undefined ? base : y(value) + 4)))
  const named = readable(marks, x)
  return (
    <div ref={element} className={classes.frame} style={{ minHeight: height }}>
      <svg className={classes.chart} width={width} height={height} role="img" aria-label={label}>
        {ticks.map((tick) => (
          <g key={tick}>
            <line x1={left} x2={right} y1={y(tick)} y2={y(tick)} data-zero={tick === 0 || undefined} />
            <text x={left - 8} y={y(tick) + 4} textAnchor="end">
              {axis(tick)}
            </text>
          </g>
        ))}
        {marks.map((mark) => (
          <g key={mark.at}>
            <line data-mark x1={x(mark.at)} x2={x(mark.at)} y1={top - 6} y2={base} />
            {named.has(mark.at) && (
              <text
                x={Math.min(x(mark.at), width - (mark.text.length * characterWidth) / 2)}
                y={12}
                textAnchor="middle"
              >
                {mark.text}
              </text>
            )}
          </g>
        ))}
        {now > start && now < until && <line data-now x1={x(now)} x2={x(now)} y1={top} y2={base} />}
        {series.map(({ name, values }, index) => (
          <path key={name} data-tone={index} d={path(values)} />
        ))}
        {ends.map(({ text }, index) => (
          <text key={text} data-tone={index} x={right + 8} y={places[index]}>
            {text}
          </text>
        ))}
        <text x={left} y={height - 4}>
          {names[0]}
        </text>
        <text x={right} y={height - 4} textAnchor="end">
          {names[1]}
        </text>
      </svg>
    </div>
  )
}
