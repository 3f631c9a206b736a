import { useStatus } from '../../lib/status.ts'
import { formatInteger } from '../../lib/text/format.ts'
import classes from './statements.module.css'

const exact = new Intl.NumberFormat('en-US', { minimumFractionDigits: 6, maximumFractionDigits: 6 })

/** Quota units to the last digit: a statement that rounds does not add up. */
export const useAmountText = (): ((quota: number) => string) => {
  const { display_in_currency, quota_per_unit } = useStatus()
  return (quota) => {
    const size = Math.abs(quota)
    const text = display_in_currency ? `$${exact.format(size / quota_per_unit)}` : formatInteger(size)
    return quota < 0 ? `−${text}` : text
  }
}

export const Amount = ({ value }: { value: number }) => {
  const text = useAmountText()
  return <span className={`num ${classes.amount}`}>{text(value)}</span>
}
