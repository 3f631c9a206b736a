import type { NamedCause } from '#web/lib/api/contract.ts'
import { formatMoney, formatSum } from '#web/lib/text/format.ts'
import type { SayReconciliation } from './messages.ts'
import classes from './reconciliation.module.css'
import { zoneText } from './zone-text.ts'

/** Amounts below this many dollars are shown as 0: list prices are exact to a quota unit. */
const smallest = 0.000005

const isNothing = (amount: number): boolean => Math.abs(amount) < smallest

/** Dollars of exact decimal text; a dash where there is none. */
export const Amount = ({ value }: { value: string | null }) =>
  value === null ? (
    <span className="faint">–</span>
  ) : (
    <span className="num" title={`$${value}`}>
      {formatSum(Number(value))}
    </span>
  )

/** A difference with its sign, in the colour of what costs more; exact, since small ones name their cause. */
export const Difference = ({ value }: { value: string | null }) => {
  if (value === null) return <span className="faint">–</span>
  const amount = Number(value)
  if (isNothing(amount)) return <span className="num faint">{formatSum(0)}</span>
  return (
    <span className={`num ${classes.difference}`} data-dearer={amount > 0 || undefined} title={`$${value}`}>
      {amount > 0 ? '+' : '−'}
      {formatMoney(Math.abs(amount))}
    </span>
  )
}

/** A cause in one line: `Different price ×1.25 +$0.0513`, `Calls not reported (10) −$0.05`. */
export const CauseText = ({ cause, say }: { cause: NamedCause; say: SayReconciliation }) => (
  <span className={classes.cause} data-cause={cause.cause}>
    {say(`cause_${cause.cause}`)}
    {cause.factor !== undefined && <span className="num"> ×{cause.factor}</span>}
    {cause.hours !== undefined && <span className="num"> {zoneText(cause.hours)}</span>}
    {cause.calls !== undefined && <span className="num"> ({cause.calls})</span>}
    {!isNothing(Number(cause.amount)) && (
      <>
        {' '}
        <Difference value={cause.amount} />
      </>
    )}
  </span>
)

/** All causes of a difference, or that there is none. */
export const Causes = ({ causes, say }: { causes: readonly NamedCause[]; say: SayReconciliation }) =>
  causes.length === 0 ? (
    <span className={classes.agrees}>{say('agrees')}</span>
  ) : (
    <span className={classes.causes}>
      {causes.map((cause) => (
        <CauseText key={cause.cause} cause={cause} say={say} />
      ))}
    </span>
  )

/** For exports: names and amounts without colours. */
export const causesText = (causes: readonly NamedCause[], say: SayReconciliation): string =>
  causes.map(({ cause, amount }) => `${say(`cause_${cause}`)} ${amount}`).join('; ')
