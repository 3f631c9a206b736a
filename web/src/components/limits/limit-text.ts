import { isLimitDeadline } from '@tollgate/contract/limits/limit-choices'
import type { Limit, NamedSubject } from '../../lib/api/contract.ts'
import type { SayLimit } from './messages.ts'

/** Subjects of a limit as text: `key my key · each model`. */
export const whoText = (subjects: readonly NamedSubject[], say: SayLimit): string => {
  const [first = '', second] = subjects.map(({ kind, value, name }) => {
    if (value === '') return say(`each_${kind}`)
    if (kind === 'deadline' && isLimitDeadline(value)) return say(`deadline_${value}`)
    return say(kind, { name: name || say('gone', { value }) })
  })
  return second === undefined ? first : say('pair', { first, second })
}

/** In which time: `per day`, `in any 5 h`. */
export const windowText = ({ window, hours }: Pick<Limit, 'window' | 'hours'>, say: SayLimit): string =>
  window === 'rolling' ? say('rolling', { hours }) : say(window)

/** Upper bound of a limit with its measure and window: `500 requests per day`. `amount` is text. */
export const boundText = (limit: Pick<Limit, 'measure' | 'window' | 'hours'>, amount: string, say: SayLimit): string =>
  say(`bound_${limit.measure}`, { amount, window: windowText(limit, say) })
