import { use } from 'react'
import { useStatus } from '../../lib/status.ts'
import { formatCallQuota, formatExactQuota, formatInteger, formatMoney, formatQuotaSum } from '../../lib/text/format.ts'
import { useUiMessages } from '../messages.ts'
import { FineMoney } from './fine-rows.tsx'
import { Hint } from './hint.tsx'
import classes from './numbers.module.css'

/** The whole amount: in currency, or in quota where the site shows no currency. */
const useExactText = (): ((value: number) => string) => {
  const say = useUiMessages()
  const status = useStatus()
  return (value) =>
    status.display_in_currency ? formatExactQuota(value, status) : say('units', { count: formatInteger(value) })
}

/** The cost of one call: six decimals, the last two quieter, so that a column lines up on its points. */
export const CallQuota = ({ value }: { value: number }) => {
  const status = useStatus()
  const text = formatCallQuota(value, status)
  const quiet = status.display_in_currency ? 2 : 0
  return (
    <Hint label={useExactText()(value)}>
      <span className="num">
        {text.slice(0, text.length - quiet)}
        {quiet > 0 && <span className={classes.quiet}>{text.slice(-quiet)}</span>}
      </span>
    </Hint>
  )
}

/** A sum of quota: two decimals or a compact number by the site's setting, exact on hover and focus; see `FineMoney`. */
export const Quota = ({ value }: { value: number }) => {
  const status = useStatus()
  const exact = useExactText()(value)
  if (use(FineMoney) && status.display_in_currency) return <CallQuota value={value} />
  return (
    <Hint label={exact}>
      <span className="num">{formatQuotaSum(value, status)}</span>
    </Hint>
  )
}

/** A sum of quota as plain text, for messages and exports. */
export const useQuotaText = (): ((value: number) => string) => {
  const status = useStatus()
  return (value) => formatQuotaSum(value, status)
}

/** The cost of one call as plain text. */
export const useCallQuotaText = (): ((value: number) => string) => {
  const status = useStatus()
  return (value) => formatCallQuota(value, status)
}

/** The money of an amount without cents, where it has enough dollars. */
export const useWholeText = (): ((quota: number) => string) => {
  const status = useStatus()
  const quotaText = useQuotaText()
  return (quota) => {
    const dollars = quota / status.quota_per_unit
    if (!status.display_in_currency || Math.abs(dollars) < 10) return quotaText(quota)
    return formatMoney(Math.round(dollars)).replace(/\.00$/, '')
  }
}
