import { useQuotaText } from '../../../components/display/quota.tsx'
import { useStatus } from '../../../lib/status.ts'
import { formatMoney } from '../../../lib/text/format.ts'

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
