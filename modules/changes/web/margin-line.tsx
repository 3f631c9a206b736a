import { Link } from '@tanstack/react-router'
import { useFigurePage } from '#web/components/figure-link.ts'
import type { ChangeReport } from '#web/lib/api/contract.ts'
import { useStatus } from '#web/lib/status.ts'
import { formatQuota } from '#web/lib/text/format.ts'
import { useAmountText } from './amount.ts'
import { useChangeMessages } from './messages.ts'
import classes from './why.module.css'

interface MarginLineProps {
  readonly margin: NonNullable<ChangeReport['margin']>
  readonly report: Pick<ChangeReport, 'from' | 'to'>
}

/** The margin beside the usual one, as the change of what was sold less that of its cost. */
export const MarginLine = ({ margin, report: { from, to } }: MarginLineProps) => {
  const say = useChangeMessages()
  const status = useStatus()
  const amount = useAmountText()
  const page = useFigurePage()
  const { sold, cost, usual_sold: usualSold, usual_cost: usualCost } = margin
  const text = say('margin', {
    now: formatQuota(sold - cost, status),
    usual: formatQuota(usualSold - usualCost, status),
    sold: amount(sold - usualSold),
    cost: amount(cost - usualCost),
  })
  const href = page?.hrefOf({ metric: 'margin', by: 'model', range: `${from}..${to - 1}` })
  return <p className={`num muted ${classes.margin}`}>{href === undefined ? text : <Link to={href}>{text}</Link>}</p>
}
