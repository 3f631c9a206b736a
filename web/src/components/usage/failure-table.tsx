import { Link } from '@tanstack/react-router'
import { errorClasses } from '@tollgate/contract/records/figures'
import { logType } from '../../lib/api/contract.ts'
import { formatInteger, formatPercent } from '../../lib/text/format.ts'
import { summedRows } from '../figure-link.ts'
import { useUsageMessages } from './messages.ts'
import { OfReport, UsagePanel } from './panel.tsx'
import { rangeOf, type UsageQuery, type UsageScope } from './scope.ts'
import classes from './usage.module.css'

/** Failed calls of the last day by cause, and what usually helps. */
export const FailureTable = ({ scope, day }: { scope: UsageScope; day: UsageQuery }) => {
  const say = useUsageMessages()
  const { data } = day
  const counts = new Map((data?.rows ?? []).map(({ key, calls }) => [key, calls]))
  const failed = errorClasses
    .map((name) => ({ name, count: counts.get(name) ?? 0 }))
    .filter(({ count }) => count > 0)
    .sort((left, right) => right.count - left.count)
  const all = Math.max(1, data?.total.calls ?? 0)
  return (
    <UsagePanel
      title={say('failures')}
      note={
        <Link
          to="/log"
          search={{ ...scope.log, type: String(logType.error), range: data ? rangeOf(data) : '24h' } as never}
          {...(data ? summedRows({ calls: failed.reduce((sum, { count }) => sum + count, 0) }) : {})}
        >
          {say('failuresLog')}
        </Link>
      }
    >
      <OfReport report={day} empty={say('noFailures')} isEmpty={failed.length === 0}>
        {() => (
          <table className={`${classes.table} num`}>
            <thead>
              <tr>
                <th>{say('cause')}</th>
                <th className={classes.number}>{say('calls')}</th>
                <th className={classes.number}>{say('share')}</th>
              </tr>
            </thead>
            <tbody>
              {failed.map(({ name, count }) => (
                <tr key={name}>
                  <td className={classes.causeCell}>
                    <span className="strong">{say(name)}</span> <span className="muted">{say(`${name}Help`)}</span>
                  </td>
                  <td className={classes.number}>{formatInteger(count)}</td>
                  <td className={classes.number}>{formatPercent(count / all)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </OfReport>
    </UsagePanel>
  )
}
