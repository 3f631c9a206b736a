import { Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Quota } from '../../components/display/quota.tsx'
import { summedRows } from '../../components/figure-link.ts'
import { ScrollFrame } from '../../components/scroll-frame.tsx'
import type { UsageMetric, UsageReport } from '../../lib/api/contract.ts'
import { formatCompact, formatInteger, formatPercent } from '../../lib/text/format.ts'
import classes from './dashboard.module.css'
import { type SayDashboard, useDashboardMessages } from './messages.ts'
import { logSearchOf, nameOf } from './names.ts'
import type { DashboardView } from './view.ts'

type Row = UsageReport['top'][number]

const totalOf = ({ totals }: UsageReport, metric: UsageMetric): number =>
  metric === 'tokens' ? totals.prompt_tokens + totals.completion_tokens : (totals[metric] ?? 0)

const Share = ({ share }: { share: number }) => (
  <span className={classes.share}>
    <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect width={100} height={6} className={classes.track} />
      <rect width={Math.max(0, Math.min(100, share * 100))} height={6} className={classes.filled} />
    </svg>
    <span className={`num ${classes.percent}`}>{formatPercent(share)}</span>
  </span>
)

/** Cost of a row at its providers, and its margin; unknown if no call's cost is known. */
const Costs = ({ row, say }: { row: Row; say: SayDashboard }) => {
  const { cost = 0, margin = 0, uncosted = 0, count } = row
  if (uncosted >= count)
    return (
      <>
        <td className="muted">{count > 0 ? say('unknown') : ''}</td>
        <td className="muted">{count > 0 ? say('unknown') : ''}</td>
      </>
    )
  return (
    <>
      <td>
        <Quota value={cost} />
        {uncosted > 0 && <small className="muted"> {say('uncostedCalls', { count: formatInteger(uncosted) })}</small>}
      </td>
      <td className={margin < 0 ? classes.loss : ''}>
        <Quota value={margin} />
      </td>
    </>
  )
}

/** Within a sentence only names made of capitals, such as API, keep theirs. */
const inSentence = (text: string): string =>
  /^\p{Lu}{2}/u.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1)

/** The top consumers, each with a link that filters the page by it and one to its logs. */
export const Ranking = (props: {
  report: UsageReport | undefined
  view: DashboardView
  onOnly: (key: string) => void
}) => {
  const say = useDashboardMessages()
  const { report, view } = props
  if (!report) return <Skeleton h={240} />
  const total = totalOf(report, view.metric)
  const title = say('rank', { by: inSentence(say(view.by)) })
  const hasCosts = report.totals.cost !== undefined
  const name = (row: Row): string => nameOf(view.by, row, say)
  const canNarrow = (row: Row): boolean => !row.rest && view.only[view.by] === undefined && row.key !== '0'
  return (
    <section className={`panel ${classes.section}`}>
      <h2>{title}</h2>
      <ScrollFrame className={classes.tableFrame} label={title}>
        <table className={classes.table} aria-label={title}>
          <thead>
            <tr>
              <th scope="col">{say(view.by)}</th>
              <th scope="col">{say('cost')}</th>
              {hasCosts && (
                <>
                  <th scope="col">{say('upstreamCost')}</th>
                  <th scope="col">{say('margin')}</th>
                </>
              )}
              <th scope="col">{say('count')}</th>
              <th scope="col">{say('tokens')}</th>
              <th scope="col">{say('failures')}</th>
              <th scope="col">{say('share')}</th>
              <th scope="col">
                <span className="visually-hidden">{say('logs')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {report.top.map((row) => {
              const search = logSearchOf(view.by, row, report)
              return (
                <tr key={row.key}>
                  <th scope="row">
                    {canNarrow(row) ? (
                      <button
                        type="button"
                        className={`text-button cut ${classes.rowName} ${view.by === 'model' ? 'mono' : ''}`}
                        title={say('only', { name: name(row) })}
                        onClick={() => props.onOnly(row.key)}
                      >
                        {name(row)}
                      </button>
                    ) : (
                      <span className={view.by === 'model' && !row.rest ? 'mono' : ''}>{name(row)}</span>
                    )}
                  </th>
                  <td>
                    <Quota value={row.quota} />
                  </td>
                  {hasCosts && <Costs row={row} say={say} />}
                  <td className="num">{formatInteger(row.count)}</td>
                  <td className="num">{formatCompact(row.tokens)}</td>
                  <td className="num">{row.failures > 0 ? formatInteger(row.failures) : ''}</td>
                  <td>
                    {/* Losses have no share in a sum. */}
                    {view.metric !== 'margin' && <Share share={total > 0 ? (row[view.metric] ?? 0) / total : 0} />}
                  </td>
                  <td>
                    {search && (
                      <Link
                        to="/log"
                        search={search as never}
                        aria-label={say('openLogs', { name: name(row) })}
                        {...summedRows({ calls: row.count + row.failures, quota: row.quota })}
                      >
                        {say('logs')}
                      </Link>
                    )}
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </ScrollFrame>
    </section>
  )
}
