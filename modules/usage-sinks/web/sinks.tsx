import { TimeText } from '#web/components/display/time/time-text.tsx'
import { calls } from '#web/lib/api/contract.ts'
import { useEndpoint } from '#web/lib/query.ts'
import { formatInteger } from '#web/lib/text/format.ts'
import { refusalText } from '#web/lib/text/refusal-text.ts'
import { useSinkMessages } from './messages.ts'
import classes from './sinks.module.css'

const refreshMs = 10_000

/** How far the sinks are that usage is sent to; nothing where none is set up. */
export const UsageSinks = () => {
  const say = useSinkMessages()
  const { data = [] } = useEndpoint(calls.listUsageSinks, {}, { refreshEveryMs: refreshMs })
  if (data.length === 0) return null
  return (
    <section className="panel" aria-label={say('sinks')}>
      <div className={classes.head}>
        <h2>{say('sinks')}</h2>
      </div>
      {data.map(({ name, sent, waiting, sent_time, error, code, params }) => (
        <div key={name} className={`${classes.sink} num`}>
          <p>
            {say(`sink_${name}`)}
            <small>{sent_time === 0 ? '—' : <TimeText at={sent_time} />}</small>
          </p>
          <span>{say('sinkSent', { count: formatInteger(sent) })}</span>
          <span>{say('sinkWaiting', { count: formatInteger(waiting) })}</span>
          {error !== '' && <p className={classes.reason}>{refusalText(error, { code, params })}</p>}
        </div>
      ))}
    </section>
  )
}
