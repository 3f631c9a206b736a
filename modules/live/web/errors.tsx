import { Link } from '@tanstack/react-router'
import { ScrollFrame } from '#web/components/scroll-frame.tsx'
import type { LiveError } from '#web/lib/api/contract.ts'
import { formatClock } from '#web/lib/text/format-time.ts'
import { useTimeZone } from '#web/lib/time/time-zone.ts'
import classes from './live.module.css'
import { useLiveMessages } from './messages.ts'
import { dash } from './texts.ts'

const shown = 8

/** Calls that failed a moment ago. */
export const LastErrors = ({ errors }: { errors: readonly LiveError[] }) => {
  const say = useLiveMessages()
  const zone = useTimeZone()
  return (
    <section className="panel">
      <div className={classes.head}>
        <h2>{say('errors')}</h2>
        <Link to="/log">{say('log')}</Link>
      </div>
      {errors.length === 0 ? (
        <p className={classes.empty}>{say('noErrors')}</p>
      ) : (
        <ScrollFrame className={classes.frame} label={say('errors')}>
          <table className={`${classes.table} num`}>
            <tbody>
              {errors.slice(0, shown).map((error) => (
                <tr key={error.request_id}>
                  <td data-text>{formatClock(error.at, zone)}</td>
                  <td data-text className={classes.code} title={error.code}>
                    {error.status === 0 ? error.code : error.status}
                  </td>
                  <td data-text>
                    <Link to="/log" search={{ request: error.request_id } as never}>
                      {error.model || dash}
                    </Link>
                  </td>
                  <td className={classes.why}>{error.channel_name || dash}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollFrame>
      )}
    </section>
  )
}
