import { formatPercent } from '../../lib/text/format.ts'
import classes from './rank-bars.module.css'

export interface RankedBar {
  readonly key: string
  readonly name: string
  readonly value: number
  /** Everything that has no bar of its own. It stands first, and the other bars are not drawn in its scale. */
  readonly rest?: boolean
}

interface RankBarsProps {
  /** Accessible description, in one sentence. */
  label: string
  /** Largest first. */
  bars: readonly RankedBar[]
  /** Sum that shares are of. */
  total: number
  format: (value: number) => string
}

/** The part of the total from which on the rest hides more of a stack than the stack shows. */
const mostRest = 0.5

/** True where a stack over time would be mostly grey: ranked bars say more. */
export const isMostlyRest = (bars: readonly Pick<RankedBar, 'rest' | 'value'>[]): boolean => {
  const total = bars.reduce((sum, { value }) => sum + value, 0)
  const rest = bars.find((bar) => bar.rest)?.value ?? 0
  return total > 0 && rest / total > mostRest
}

/** One bar for each value, largest first; what stands for many is a line above them with its number. */
export const RankBars = ({ label, bars, total, format }: RankBarsProps) => {
  const named = bars.filter(({ rest }) => !rest)
  const most = Math.max(...named.map(({ value }) => value), Number.MIN_VALUE)
  const sorted = [...bars.filter(({ rest }) => rest), ...named]
  return (
    <ol className={classes.bars} aria-label={label}>
      {sorted.map(({ key, name, value, rest = false }) => (
        <li key={`${key} ${rest}`} className={rest ? classes.others : undefined}>
          <span className="cut" title={name}>
            {name}
          </span>
          <svg viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true">
            <rect width={Math.max(0, Math.min(100, (value / (rest ? total : most)) * 100))} height={12} />
          </svg>
          <b className="num">{format(value)}</b>
          <small className="num">{total > 0 ? formatPercent(value / total) : ''}</small>
        </li>
      ))}
    </ol>
  )
}
