import { Quota } from '../../components/display/quota.tsx'
import type { Correction } from '../../lib/api/contract.ts'
import { formatDateTime } from '../../lib/text/format.ts'
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

export const windowText = ({ from, to }: Correction, zone: string | undefined): string =>
  `${formatDateTime(from, zone).slice(0, 16)} – ${formatDateTime(to, zone).slice(0, 16)}`
