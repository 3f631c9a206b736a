import classes from './live.module.css'

const [width, height] = [96, 28]

/** A figure over the last hour as a small line without names; the number beside it says what it is now. */
export const Spark = ({ values }: { values: readonly number[] }) => {
  const most = Math.max(1, ...values)
  const path = values
    .map((value, index) => {
      const x = (index / Math.max(1, values.length - 1)) * width
      return `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${(height - 2 - (value / most) * (height - 4)).toFixed(1)}`
    })
    .join('')
  return (
    <svg className={classes.spark} width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <path d={path} />
    </svg>
  )
}
