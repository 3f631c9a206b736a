import { useQuotaText } from '../../../components/display/quota.tsx'
import { formatInteger } from '../../../lib/text/format.ts'
import type { DayUse } from './by-day.ts'
import { useUserPageMessages } from './messages.ts'
import classes from './user-page.module.css'

const height = 120
const step = 20
const barWidth = 14

/** Spending by day as bars; each shows its value on hover, and a table beside the chart lists all values. */
export const DayChart = ({ days }: { days: readonly DayUse[] }) => {
  const say = useUserPageMessages()
  const quotaText = useQuotaText()
  const total = days.reduce((sum, { quota }) => sum + quota, 0)
  const top = days.reduce((most, day) => (day.quota > most.quota ? day : most), days[0] ?? { day: '', quota: 0 })
  const label =
    top.quota > 0
      ? say('chart', { total: quotaText(total), most: quotaText(top.quota), day: top.day })
      : say('chartNothing')
  const width = days.length * step
  return (
    <figure className={classes.chart}>
      <div className={classes.scale} aria-hidden="true">
        <span className="num">{quotaText(top.quota)}</span>
        <span className="num">{quotaText(0)}</span>
      </div>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={label}>
        {days.map(({ day, quota, count }, index) => {
          const size = top.quota > 0 ? Math.max(quota > 0 ? 2 : 0, (quota / top.quota) * height) : 0
          return (
            <g key={day}>
              <title>{say('dayValue', { day, amount: quotaText(quota), count: formatInteger(count) })}</title>
              <rect x={index * step} width={step} height={height} fill="transparent" />
              <rect
                x={index * step + (step - barWidth) / 2}
                y={height - size}
                width={barWidth}
                height={size}
                fill="var(--bar)"
              />
            </g>
          )
        })}
        <line x1={0} x2={width} y1={height} y2={height} stroke="var(--line)" vectorEffect="non-scaling-stroke" />
      </svg>
      <div className={classes.axis} aria-hidden="true">
        <span className="num">{days[0]?.day}</span>
        <span className="num">{days.at(-1)?.day}</span>
      </div>
    </figure>
  )
}
