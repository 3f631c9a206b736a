import type { HealthPoint } from '../../../lib/api/contract.ts'
import classes from './health.module.css'

const step = 3
const bar = 2
const least = 2

/**
 * A day in half hours: the height shows the number of calls, red the failed share. `label` says the same as text.
 * Heights follow the square root, so that a quiet hour stays visible beside a busy one.
 */
export const Sparkline = ({
  points,
  label,
  height = 22,
}: {
  points: readonly HealthPoint[]
  label: string
  height?: number
}) => {
  const most = Math.max(1, ...points.map(({ answered, failed }) => answered + failed))
  return (
    <svg
      className={classes.spark}
      viewBox={`0 0 ${points.length * step} ${height}`}
      width={points.length * step}
      height={height}
      role="img"
      aria-label={label}
      preserveAspectRatio="none"
    >
      {points.map(({ time, answered, failed }, index) => {
        const calls = answered + failed
        const x = index * step
        if (calls === 0) return <rect key={time} className={classes.none} x={x} y={height - 1} width={bar} height={1} />
        const whole = Math.max(least, Math.sqrt(calls / most) * height)
        const red = failed === 0 ? 0 : Math.max(least, (whole * failed) / calls)
        return (
          <g key={time}>
            <rect className={classes.answered} x={x} y={height - whole} width={bar} height={whole - red} />
            <rect className={classes.failed} x={x} y={height - red} width={bar} height={red} />
          </g>
        )
      })}
    </svg>
  )
}
