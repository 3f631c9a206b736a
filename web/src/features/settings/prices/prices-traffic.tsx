import { Figures } from '../../../components/display/figures.tsx'
import { Quota } from '../../../components/display/quota.tsx'
import type { ModelTraffic, PriceTraffic } from '../../../lib/api/contract.ts'
import { formatInteger } from '../../../lib/text/format.ts'
import classes from './prices.module.css'
import { usePriceMessages } from './prices-messages.ts'
import { Share } from './prices-share.tsx'

const mostRows = 20

const ModelRows = ({ models }: { models: readonly ModelTraffic[] }) => {
  const say = usePriceMessages()
  const shown = models.slice(0, mostRows)
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling frame must be reachable by keyboard */}
      <div className={classes.scroll} tabIndex={0}>
        <table className={classes.table} aria-label={say('traffic')}>
          <thead>
            <tr>
              <th scope="col">{say('model')}</th>
              <th scope="col">{say('calls')}</th>
              <th scope="col">{say('charged')}</th>
              <th scope="col">{say('current')}</th>
              <th scope="col">{say('proposed')}</th>
              <th scope="col">{say('difference')}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={row.model}>
                <th scope="row" className="mono">
                  {row.model}
                </th>
                <td className="num">{formatInteger(row.calls)}</td>
                <td>
                  <Quota value={row.charged} />
                </td>
                <td>
                  <Quota value={row.current} />
                </td>
                <td>
                  <Quota value={row.proposed} />
                </td>
                <td>
                  <Share before={row.current} after={row.proposed} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {models.length > shown.length && <p className="faint">{say('more', { count: models.length - shown.length })}</p>}
    </>
  )
}

/** The cost of the last seven days' calls at the new prices, compared with their charges. */
export const TrafficChanges = ({ traffic }: { traffic: PriceTraffic }) => {
  const say = usePriceMessages()
  const { basis, calls, receipts, without_receipt: without } = traffic
  if (basis === 'none')
    return (
      <section>
        <h3>{say('traffic')}</h3>
        <p className="muted">{say('trafficNone')}</p>
      </section>
    )
  return (
    <section>
      <h3>{say('traffic')}</h3>
      <Figures
        figures={[
          { label: say('charged'), value: <Quota value={traffic.charged} /> },
          { label: say('current'), value: <Quota value={traffic.current} /> },
          { label: say('proposed'), value: <Quota value={traffic.proposed} /> },
          { label: say('difference'), value: <Share before={traffic.current} after={traffic.proposed} /> },
        ]}
      />
      <p className={classes.basis} data-estimate={basis === 'sample' || undefined}>
        {basis === 'receipts'
          ? say('trafficReceipts', { count: calls, calls: formatInteger(calls) })
          : say('trafficSample', { calls: formatInteger(calls), count: formatInteger(receipts) })}
        {without > 0 && ` · ${say('withoutReceipt', { count: without })}`}
      </p>
      {traffic.models.length > 0 && <ModelRows models={traffic.models} />}
    </section>
  )
}
