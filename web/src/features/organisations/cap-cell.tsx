import { useQuotaText } from '../../components/display/quota.tsx'
import type { SpendCap } from '../../lib/api/contract.ts'
import classes from './cap-cell.module.css'
import { toneOf } from './forecast.ts'
import { type SayOrganisation, useOrganisationMessages } from './messages.ts'

const periods = { day: 'day', month: 'monthly', total: 'total' } as const

export const periodText = (period: SpendCap['period'], say: SayOrganisation): string => say(periods[period])

/** How far a cap is used, as a bar and in words. */
export const CapCell = ({ cap }: { cap: SpendCap | null }) => {
  const say = useOrganisationMessages()
  const quotaText = useQuotaText()
  if (cap === null) return <span className="faint">{say('noCap')}</span>
  const share = cap.amount === 0 ? 1 : Math.min(1, cap.spent / cap.amount)
  return (
    <span className={classes.cap}>
      <span className={classes.meter} aria-hidden="true">
        <i data-tone={toneOf(cap)} style={{ width: `${share * 100}%` }} />
      </span>
      <span className="num">
        {say('capOf', {
          spent: quotaText(cap.spent),
          amount: quotaText(cap.amount),
          period: periodText(cap.period, say),
        })}
      </span>
    </span>
  )
}
