import { Link } from '@tanstack/react-router'
import { formatDuration, formatInteger, formatPercent } from '../../lib/text/format.ts'
import { SeriesSwatch } from '../chart/time-chart.tsx'
import { FineRows } from '../display/fine-rows.tsx'
import { Quota } from '../display/quota.tsx'
import { summedRows } from '../figure-link.ts'
import { Logo } from '../logo/logo.tsx'
import { ScrollFrame } from '../scroll-frame.tsx'
import { useUsageMessages } from './messages.ts'
import { OfReport, UsagePanel } from './panel.tsx'
import { rangeOf, type UsageQuery, type UsageScope } from './scope.ts'
import classes from './usage.module.css'

/** The models of the last month: spend, share, calls, share of cached prompts, first token. The legend of the chart beside it. */
export const ModelTable = ({ scope, month }: { scope: UsageScope; month: UsageQuery }) => {
  const say = useUsageMessages()
  const { data } = month
  const share = (value: number | null): string => (value === null ? '—' : formatPercent(value))
  return (
    <UsagePanel title={say('models')} note={say('lastMonth')}>
      <OfReport report={month} empty={say('noCallsMonth')} isEmpty={data?.total.calls === 0}>
        {() => (
          <ScrollFrame label={say('tableOf', { name: say('models') })} className={classes.scroll}>
            <table className={`${classes.table} num`}>
              <thead>
                <tr>
                  <th>{say('model')}</th>
                  <th className={classes.number}>{say('spend')}</th>
                  <th className={classes.number}>{say('share')}</th>
                  <th className={`${classes.number} ${classes.broad}`}>{say('calls')}</th>
                  <th className={`${classes.number} ${classes.wide}`}>{say('cached')}</th>
                  <th className={`${classes.number} ${classes.wide}`}>{say('firstToken')}</th>
                </tr>
              </thead>
              <FineRows amounts={(data?.rows ?? []).map(({ value }) => value)}>
                <tbody>
                  {data?.rows.map((row, index) => (
                    <tr key={`${row.key} ${row.rest}`}>
                      <td>
                        <span className={classes.named}>
                          <SeriesSwatch index={row.rest ? undefined : index} />
                          {row.rest ? (
                            say('others')
                          ) : (
                            <>
                              <Logo of={{ model: row.name }} name={row.name} />
                              <Link
                                to="/log"
                                search={{ ...scope.log, model_name: `"${row.name}"`, range: rangeOf(data) } as never}
                                {...summedRows({ calls: row.calls, quota: row.value })}
                                className="mono"
                                aria-label={say('logOf', { name: row.name })}
                              >
                                {row.name}
                              </Link>
                            </>
                          )}
                        </span>
                      </td>
                      <td className={classes.number}>
                        <Quota value={row.value ?? 0} />
                      </td>
                      <td className={classes.number}>{share(row.share)}</td>
                      <td className={`${classes.number} ${classes.broad}`}>{formatInteger(row.calls)}</td>
                      <td className={`${classes.number} ${classes.wide}`}>{share(row.cache_share)}</td>
                      <td className={`${classes.number} ${classes.wide}`}>
                        {row.first_p95 === null ? '—' : formatDuration(row.first_p95)}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </FineRows>
            </table>
          </ScrollFrame>
        )}
      </OfReport>
    </UsagePanel>
  )
}
