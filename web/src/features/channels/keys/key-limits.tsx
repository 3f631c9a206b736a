import { useState } from 'react'
import { Meter } from '../../../components/display/meter.tsx'
import type { ChannelKey, LearnedKeyLimits } from '../../../lib/api/contract.ts'
import { formatInteger } from '../../../lib/text/format.ts'
import { formatClock } from '../../../lib/text/format-time.ts'
import { useTimeZone } from '../../../lib/time/time-zone.ts'
import { useKeyMessages } from './key-messages.ts'
import classes from './keys.module.css'

/** Models that are listed before somebody asks for all. */
const mostShown = 2

const ModelLimits = ({ known }: { known: LearnedKeyLimits }) => {
  const say = useKeyMessages()
  const zone = useTimeZone()
  return (
    <li>
      <span className="mono">{known.model}</span>
      {known.used_up_until > 0 && (
        <span className={classes.usedUp}>{say('usedUp', { time: formatClock(known.used_up_until, zone) })}</span>
      )}
      {known.limits.map(({ kind, most, left, resets_at: resets }) => (
        <span key={kind} className={classes.limit}>
          {most > 0 && <Meter used={1 - Math.min(left, most) / most} />}
          {say(most > 0 ? `${kind}Of` : kind, {
            left: formatInteger(left),
            most: formatInteger(most),
            time: formatClock(resets, zone),
          })}
        </span>
      ))}
    </li>
  )
}

/** Rate limits of a key as the provider's answers stated them, least remaining first. */
export const KeyLimits = ({ limits }: Pick<ChannelKey, 'limits'>) => {
  const say = useKeyMessages()
  const [isOpen, setOpen] = useState(false)
  if (limits.length === 0) return null
  const shareOf = (known: LearnedKeyLimits): number =>
    known.used_up_until > 0 ? -1 : Math.min(1, ...known.limits.map(({ left, most }) => (most > 0 ? left / most : 1)))
  const sorted = limits.toSorted((one, other) => shareOf(one) - shareOf(other))
  const shown = isOpen ? sorted : sorted.slice(0, mostShown)
  return (
    <div className={classes.learned}>
      <span className="faint">{say('learned')}</span>
      <ul>
        {shown.map((known) => (
          <ModelLimits key={known.model} known={known} />
        ))}
      </ul>
      {sorted.length > shown.length && (
        <button type="button" className="text-button" onClick={() => setOpen(true)}>
          {say('moreModels', { count: sorted.length - shown.length })}
        </button>
      )}
    </div>
  )
}
