import { Quota } from '#web/components/display/quota.tsx'
import type { Correction } from '#web/lib/api/contract.ts'
import classes from './corrections.module.css'

/** How much more (+) or less (−) was charged. */
export const Difference = ({ before, after }: { before: number; after: number }) => {
  const change = after - before
  return (
    <span className={classes.difference} data-more={change > 0 || undefined} data-less={change < 0 || undefined}>
      {change > 0 ? '+' : ''}
      <Quota value={change} />
    </span>
  )
}

/** From when to when calls are corrected; `moment` writes one of them. */
export const windowText = (
  { from, to }: Correction,
  moment: (unixSeconds: number, minutes?: boolean) => string,
): string => `${moment(from, true)} – ${moment(to, true)}`
