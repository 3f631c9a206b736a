import { Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { SparkBars } from '../../../components/chart/spark-bars.tsx'
import { Quota } from '../../../components/display/quota.tsx'
import { calls } from '../../../lib/api/contract.ts'
import { useEndpoint } from '../../../lib/query.ts'
import { formatInteger } from '../../../lib/text/format.ts'
import { useCurrentMinute } from '../../../lib/time/current-minute.ts'
import { useTimeZone } from '../../../lib/time/time-zone.ts'
import { useModelPageMessages } from './messages.ts'
import classes from './model.module.css'
import { Panel } from './panel.tsx'

const day = 86_400

/** Spending of the reader on a model in 30 days. */
export const OwnUse = ({ model }: { model: string }) => {
  const say = useModelPageMessages()
  const zone = useTimeZone()
  const now = useCurrentMinute()
  const today = now - (now % 3600)
  const query = {
    metric: 'spend',
    by: 'model',
    filters: JSON.stringify([{ dimension: 'model', is: 'is', values: [model] }]),
    start_timestamp: today - 29 * day,
    end_timestamp: today,
    rollup: 'day',
    zone,
    compare: 'none',
  } as const
  const { data, error } = useEndpoint(calls.exploreOwn, { query } as never, { staleTimeMs: 60_000 })
  if (error !== null && data === undefined) return null
  return (
    <Panel
      title={say('ownUse')}
      sub={say('ownUseSub')}
      action={
        <Link to="/log" search={{ model_name: `"${model}"` } as never} className="text-button">
          {say('log')}
        </Link>
      }
    >
      <div className={`${classes.body} ${classes.own}`}>
        {data === undefined ? (
          <Skeleton h={60} />
        ) : data.total.calls === 0 ? (
          <p className="muted">{say('noCalls')}</p>
        ) : (
          <>
            <p>
              <b>
                <Quota value={data.total.value ?? 0} />
              </b>{' '}
              <span className="muted">{say('ownCalls', { calls: formatInteger(data.total.calls) })}</span>
            </p>
            <SparkBars values={data.sums.map((value) => value ?? 0)} label={say('daily')} />
          </>
        )}
      </div>
    </Panel>
  )
}
