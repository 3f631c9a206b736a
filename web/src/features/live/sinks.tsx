import { TimeText } from '../../components/display/time-text.tsx'
import { ScrollFrame } from '../../components/scroll-frame.tsx'
import { calls } from '../../lib/api/contract.ts'
import { useEndpoint } from '../../lib/query.ts'
import { formatInteger } from '../../lib/text/format.ts'
import classes from './live.module.css'
import { useLiveMessages } from './messages.ts'
import { dash } from './texts.ts'

const refreshMs = 10_000

/** How far the sinks are that usage is sent to; nothing where none is set up. */
export const UsageSinks = () => {
  const say = useLiveMessages()
  const { data = [] } = useEndpoint(calls.listUsageSinks, {}, { refreshEveryMs: refreshMs })
  if (data.length === 0) return null
  return (
    <section className="panel">
      <div className={classes.head}>
        <h2>{say('sinks')}</h2>
      </div>
      <ScrollFrame className={classes.frame} label={say('sinks')}>
        <table className={`${classes.table} num`}>
          <tbody>
            {data.map(({ name, sent, waiting, sent_time, error }) => (
              <tr key={name}>
                <td data-text>{say(`sink_${name}`)}</td>
                <td data-text>{say('sinkSent', { count: formatInteger(sent) })}</td>
                <td data-text>{say('sinkWaiting', { count: formatInteger(waiting) })}</td>
                <td data-text>{sent_time === 0 ? dash : <TimeText at={sent_time} />}</td>
                <td className={classes.why} title={error}>
                  {error}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollFrame>
    </section>
  )
}
