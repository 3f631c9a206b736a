import { useCallQuotaText } from '../../../components/display/quota.tsx'
import { calls } from '../../../lib/api/contract.ts'
import { storedUser } from '../../../lib/api/session.ts'
import { useEndpoint } from '../../../lib/query.ts'
import { usePlaygroundMessages } from '../messages.ts'
import type { PlaygroundSettings } from '../settings.ts'
import classes from './calls.module.css'
import { picturesOf, qualityOf, sizeOf } from './requests.ts'

/** Price of the pictures of one call, computed by the code that charges; empty if no price is known. */
export const PriceBefore = ({ settings, model }: { settings: PlaygroundSettings; model: string }) => {
  const say = usePlaygroundMessages()
  const quotaText = useCallQuotaText()
  const [pictures, size, quality] = [picturesOf(settings, model), sizeOf(settings, model), qualityOf(settings, model)]
  const query = { model, pictures, ...(size ? { size } : {}), ...(quality ? { quality } : {}) }
  const { data = [], isPlaceholderData } = useEndpoint(calls.estimateCost, { query })
  const group = settings.group || storedUser()?.group
  const cost = data.find((entry) => entry.group === group)
  if (cost === undefined) return null
  return (
    <span className={`num muted ${classes.before}`} aria-live="polite" aria-busy={isPlaceholderData}>
      {say('priceBefore', { amount: quotaText(cost.quota) })}
    </span>
  )
}
