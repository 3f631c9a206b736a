import type { LimitState as State } from '../../lib/api/contract.ts'
import { useStatus } from '../../lib/status.ts'
import { formatInteger, formatPercent, formatQuotaSum } from '../../lib/text/format.ts'
import { Meter } from '../display/meter.tsx'
import { useMomentText } from '../display/time/time-text.tsx'
import classes from './limits.module.css'
import { useLimitTexts } from './messages.ts'

/** Writes amounts of a limit: money as the site shows it, all others as numbers. */
export const useAmountText = (): ((measure: State['measure'], amount: number) => string) => {
  const status = useStatus()
  return (measure, amount) => (measure === 'money' ? formatQuotaSum(amount, status) : formatInteger(amount))
}

/** State of one counter of a limit: a bar, the used and remaining amount, and the time when it is free again. */
export const LimitState = ({ state, who }: { state: State; who?: string }) => {
  const say = useLimitTexts()
  const amountText = useAmountText()
  const momentText = useMomentText()
  const { measure, amount, left, window, refuses } = state
  const over = state.used - amount
  // A limit that only sends notices goes on counting.
  const used = !refuses && over > 0 ? state.used / amount : Math.min(1, 1 - left / amount)
  const end = refuses ? say('full') : over > 0 ? say('overBy', { amount: amountText(measure, over) }) : say('reached')
  const free = state.free_at > 0 ? say('freeAt', { when: momentText(state.free_at, true) }) : say('neverFree')
  const isTouched = left < amount || state.used > 0
  return (
    <div className={classes.state}>
      <div>
        {who !== undefined && <span className={classes.who}>{who}</span>}
        <span className="num">
          {say('usedOf', { used: amountText(measure, state.used), amount: amountText(measure, amount) })}
        </span>
        <span className="num faint">{formatPercent(used, 0)}</span>
      </div>
      <Meter used={used} soft={!refuses} />
      <div className={classes.rest} data-full={left <= 0 ? (refuses ? 'hard' : 'soft') : undefined}>
        <span className="num">{left <= 0 ? end : say('left', { left: amountText(measure, left) })}</span>
        {window !== 'now' && isTouched && <span>{free}</span>}
        {state.used_up_at > 0 && (
          <span className={classes.soon}>{say('usedUpAt', { when: momentText(state.used_up_at, true) })}</span>
        )}
      </div>
    </div>
  )
}
