import { Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useQuotaText } from '#web/components/display/quota.tsx'
import { StatusBadge } from '#web/components/display/status-badge.tsx'
import { ScrollFrame } from '#web/components/scroll-frame.tsx'
import { EmptyState, ErrorState } from '#web/components/states.tsx'
import { calls, type DataOf, type readHedging } from '#web/lib/api/contract.ts'
import { useEndpoint } from '#web/lib/query.ts'
import { formatInteger } from '#web/lib/text/format.ts'
import { useRouteMessages } from './messages.ts'
import classes from './routes.module.css'

type Hedging = DataOf<typeof readHedging>

const Spent = ({ label, cost, limit }: { label: string; cost: number; limit: number }) => {
  const say = useRouteMessages()
  const quotaText = useQuotaText()
  const isReached = limit > 0 && cost >= limit
  return (
    <div className={classes.spent}>
      <dt className="faint">{label}</dt>
      <dd>
        <span className="num strong">{quotaText(cost)}</span>{' '}
        <span className="faint">
          {limit === 0 ? say('hedgingNoLimit') : say('hedgingLimit', { limit: quotaText(limit) })}
        </span>
        {isReached && (
          <div>
            <StatusBadge tone="warn" label={say('hedgingStopped')} />
          </div>
        )}
      </dd>
    </div>
  )
}

const Sums = ({ sums }: Pick<Hedging, 'sums'>) => {
  const say = useRouteMessages()
  const quotaText = useQuotaText()
  if (sums.length === 0) return <p className="faint">{say('hedgingNone')}</p>
  return (
    <ScrollFrame label={say('hedgingTab')} className={classes.scroll}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th>{say('hedgingLost')}</th>
            <th>{say('model')}</th>
            <th className={classes.number}>{say('hedgingCount')}</th>
            <th className={classes.number}>{say('hedgingWon')}</th>
            <th className={classes.number}>{say('hedgingCost')}</th>
          </tr>
        </thead>
        <tbody>
          {sums.map(({ channel_id: id, channel_name: name, model_name: model, count, won, cost }) => (
            <tr key={`${id} ${model}`}>
              <td>
                {name === '' ? (
                  <span className="muted">{say('hedgingDeleted', { id })}</span>
                ) : (
                  <Link to="/channel/$id" params={{ id: String(id) }}>
                    {name}
                  </Link>
                )}
              </td>
              <td className="mono">{model}</td>
              <td className={`num ${classes.number}`}>{formatInteger(count)}</td>
              <td className={`num ${classes.number}`}>{formatInteger(won)}</td>
              <td className={`num ${classes.number}`}>{quotaText(cost)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollFrame>
  )
}

/** Cost of asking second channels, with its limits. */
export const HedgingCosts = () => {
  const say = useRouteMessages()
  const hedging = useEndpoint(calls.readHedging, { query: {} })
  if (hedging.error && !hedging.data) return <ErrorState error={hedging.error} onRetry={() => void hedging.refetch()} />
  if (hedging.data === undefined) return <Skeleton h={200} />
  const { on, spent, sums } = hedging.data
  return (
    <section className={`panel ${classes.explain}`} aria-label={say('hedgingTab')}>
      <p className="faint">
        {say('hedgingText')}{' '}
        <Link to="/setting/$section" params={{ section: 'groups' }}>
          {say('hedgingSettings')}
        </Link>
      </p>
      {!on && <EmptyState icon="branch" title={say('hedgingOff')} text={say('hedgingOffText')} />}
      {(on || sums.length > 0) && (
        <>
          <dl className={classes.spending}>
            <Spent label={say('hedgingHour')} cost={spent.hour} limit={spent.hour_limit} />
            <Spent label={say('hedgingDay')} cost={spent.day} limit={spent.day_limit} />
          </dl>
          <Sums sums={sums} />
        </>
      )}
    </section>
  )
}
