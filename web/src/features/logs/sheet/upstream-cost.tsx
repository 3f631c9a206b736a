import { CallQuota } from '../../../components/display/quota.tsx'
import type { LogEntry } from '../../../lib/api/contract.ts'
import { formatPercent } from '../../../lib/text/format.ts'
import { useLogMessages } from '../messages.ts'
import { marginOf, otherOf, upstreamCostOf } from '../other.ts'
import classes from './log-sheet.module.css'
import { useLogSheetMessages } from './messages.ts'

/** Cost of the call at its provider with its computation, and the margin; for operators. */
export const UpstreamCost = ({ log }: { log: LogEntry }) => {
  const say = useLogMessages()
  const saySheet = useLogSheetMessages()
  const cost = upstreamCostOf(log)
  const margin = marginOf(log)
  const hedge = otherOf(log).admin_info?.hedge
  if (cost === undefined || margin === undefined) return <p className={classes.note}>{saySheet('unknownCostNote')}</p>
  return (
    <p className={`num ${classes.costLine}`}>
      <span>
        {say('upstreamCost')} <CallQuota value={cost.quota} /> (
        {cost.stated === undefined ? (
          <>
            <span>{cost.version === 'channel' ? saySheet('costOfChannel') : cost.version}</span> × {cost.factor}
          </>
        ) : (
          <span>{saySheet('costStated', { provider: cost.stated.provider })}</span>
        )}
        )
      </span>
      {cost.stated?.computed !== undefined && cost.stated_gap !== undefined && (
        <span>
          {saySheet('costComputed')} <CallQuota value={cost.stated.computed} />
        </span>
      )}
      <span>
        {say('margin')} <CallQuota value={margin} />
        {log.quota > 0 && ` · ${formatPercent(margin / log.quota)}`}
      </span>
      {hedge !== undefined && hedge.cost > 0 && (
        <span>
          {saySheet('hedgeCost')} <CallQuota value={hedge.cost} />
        </span>
      )}
    </p>
  )
}
