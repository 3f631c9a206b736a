import { Facts, FactsHeading } from '../../components/display/facts.tsx'
import { Quota } from '../../components/display/quota.tsx'
import type { Log } from '../../lib/api/contract.ts'
import { formatPercent } from '../../lib/text/format.ts'
import classes from './log-sheet.module.css'
import { useLogMessages } from './messages.ts'
import { marginOf, upstreamCostOf } from './other.ts'

/** What the call costs at its provider, how that came about, and what is left of the charge; for operators. */
export const UpstreamCost = ({ log }: { log: Log }) => {
  const say = useLogMessages()
  const cost = upstreamCostOf(log)
  const margin = marginOf(log)
  return (
    <>
      <FactsHeading>{say('upstreamCost')}</FactsHeading>
      {cost === undefined || margin === undefined ? (
        <p className={classes.note}>{say('unknownCostNote')}</p>
      ) : (
        <Facts
          facts={[
            { label: say('upstreamCost'), value: <Quota value={cost.quota} /> },
            {
              label: say('margin'),
              value: (
                <>
                  <Quota value={margin} />
                  {log.quota > 0 && <span className="muted"> {formatPercent(margin / log.quota)}</span>}
                </>
              ),
            },
            { label: say('costVersion'), value: cost.version === 'channel' ? say('costOfChannel') : cost.version },
            { label: say('costFactor'), value: <span className="num">× {cost.factor}</span> },
          ]}
        />
      )}
    </>
  )
}
