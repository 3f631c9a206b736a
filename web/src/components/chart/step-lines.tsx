import classes from './step-lines.module.css'

/** A figure that holds from a moment until the next one; undefined where there is none. */
export interface Steps {
  readonly name: string
  readonly values: readonly (number | undefined)[]
}

interface StepLinesProps {
  /** What the chart shows, for those who cannot see it. */
  label: string
  /** The moments from which the values hold, ascending. */
  from: readonly number[]
  /** Where the last values end. */
  until: number
  /** Drawn as a line across, where it lies between the first moment and the end. */
  now: number
  series: readonly Steps[]
  /** Names of the first moment and the end. */
  names: readonly [string, string]
}

const [width, height] = [100, 40]

/** A few figures that change at moments, as lines with steps from zero up. */
export const StepLines = ({ label, from, until, now, series, names }: StepLinesProps) => {
  const start = from[0] ?? now
  const most = Math.max(...series.flatMap(({ values }) => values.map((value) => value ?? 0)), Number.MIN_VALUE)
  const x = (moment: number): number => ((moment - start) / Math.max(1, until - start)) * width
  const y = (value: number): number => height - (value / most) * (height - 2)
  const path = (values: Steps['values']): string =>
    values
      .map((value, index) => {
        if (value === undefined) return ''
        const last = index > 0 ? values[index - 1] : undefined
        const begin = `${last === undefined ? 'M' : 'L'}${x(from[index] ?? start)} ${y(value)}`
        return `${begin}H${x(from[index + 1] ?? until)}`
      })
      .join('')
  return (
    <div>
      <svg
        className={classes.chart}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        <line x1="0" x2={width} y1={height} y2={height} />
        {now > start && now < until && <line data-now x1={x(now)} x2={x(now)} y1="0" y2={height} />}
        {series.map(({ name, values }, index) => (
          <path key={name} data-tone={index} d={path(values)} />
        ))}
      </svg>
      <div className={`num ${classes.axis}`}>
        <span>{names[0]}</span>
        <span>{names[1]}</span>
      </div>
      <ul className={classes.legend}>
        {series.map(({ name }, index) => (
          <li key={name}>
            <i data-tone={index} />
            {name}
          </li>
        ))}
      </ul>
    </div>
  )
}
