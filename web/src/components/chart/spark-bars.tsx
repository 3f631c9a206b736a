import classes from './spark-bars.module.css'

const step = 4
const bar = 3
const height = 22
/** A small value is still seen beside a large one. */
const least = 2

/** A few values over time as small bars, without names; `label` says the same in words. Nothing yet keeps the place. */
export const SparkBars = ({ values, label }: { values: readonly number[]; label: string }) => {
  const most = Math.max(1, ...values)
  const heightOf = (value: number): number => (value > 0 ? Math.max(least, (value / most) * height) : 1)
  const drawn = (are: (value: number) => boolean): string =>
    values
      .map((value, place) => (are(value) ? `M${place * step} ${height}h${bar}v${-heightOf(value)}h${-bar}z` : ''))
      .join('')
  return (
    <svg
      className={classes.spark}
      viewBox={`0 0 ${Math.max(1, values.length) * step} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <path className={classes.none} d={drawn((value) => value <= 0)} />
      <path className={classes.some} d={drawn((value) => value > 0)} />
    </svg>
  )
}
