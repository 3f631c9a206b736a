import { formatChange, formatPercent } from '../../../lib/text/format.ts'
import classes from './prices.module.css'

/** By how much a figure grows or shrinks; dearer and cheaper differ in sign and colour. */
export const Share = ({ before, after }: { before: number; after: number }) => {
  if (before === after) return <span className="num faint">{formatPercent(0)}</span>
  const text = before === 0 ? '+∞' : formatChange((after - before) / before)
  return (
    <span className={`num ${classes.share}`} data-tone={after > before ? 'up' : 'down'}>
      {text}
    </span>
  )
}
