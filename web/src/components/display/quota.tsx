import { useStatus } from '../../lib/status.ts'
import { formatExactQuota, formatInteger, formatQuota } from '../../lib/text/format.ts'
import { useUiMessages } from '../messages.ts'
import { Hint } from './hint.tsx'

/** An amount of quota: as currency or compact number by the site's setting, exact on hover and focus. */
export const Quota = ({ value }: { value: number }) => {
  const say = useUiMessages()
  const status = useStatus()
  const units = say('units', { count: formatInteger(value) })
  const exact = status.display_in_currency ? `${formatExactQuota(value, status)} · ${units}` : units
  return (
    <Hint label={exact}>
      <span className="num">{formatQuota(value, status)}</span>
    </Hint>
  )
}

/** The same amount as plain words, for messages and exports. */
export const useQuotaText = (): ((value: number) => string) => {
  const status = useStatus()
  return (value) => formatQuota(value, status)
}
