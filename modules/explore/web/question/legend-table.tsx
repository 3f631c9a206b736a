import { Link } from '@tanstack/react-router'
import { figureMetrics } from '@tollgate/contract/records/figures'
import { isMostlyRest } from '#web/components/chart/rank-bars.tsx'
import { SeriesSwatch } from '#web/components/chart/time-chart.tsx'
import { summedRows } from '#web/components/figure-link.ts'
import { Logo } from '#web/components/logo/logo.tsx'
import { ScrollFrame } from '#web/components/scroll-frame.tsx'
import type { FigureDimension, FigureReport, FigureRow } from '#web/lib/api/contract.ts'
import { formatDuration, formatInteger } from '#web/lib/text/format.ts'
import classes from './explore.module.css'
import { changeText, dash, shareText, useFigureText } from './figure-text.ts'
import { isAloneInLog, isInLog, logLinkOf, type Value } from './log-search.ts'
import { useExploreMessages } from './messages.ts'
import { nameOf, restName } from './names.ts'
import type { ExploreView } from './view.ts'

const sparkWidth = 84
const sparkHeight = 20

/** The course of one series, without figures. */
const Spark = ({ values, index }: { values: readonly (number | null)[]; index: number | undefined }) => {
  const numbers = values.map((value) => value ?? 0)
  const most = Math.max(...numbers, Number.MIN_VALUE)
  const step = sparkWidth / Math.max(1, numbers.length - 1)
  const points = numbers.map((value, index) => {
    const y = sparkHeight - 1 - Math.max(0, value / most) * (sparkHeight - 3)
    return `${(index * step).toFixed(1)} ${y.toFixed(1)}`
  })
  return (
    <svg
      width={sparkWidth}
      height={sparkHeight}
      className={classes.spark}
      data-tone={index ?? 'rest'}
      aria-hidden="true"
    >
      {points.length > 1 && <path d={`M${points.join('L')}`} />}
    </svg>
  )
}

interface Line {
  readonly row: FigureRow
  readonly dimension: FigureDimension
  readonly name: string
  /** Values of the row; undefined if it sums several. */
  readonly values: readonly Value[] | undefined
  readonly series?: { readonly index: number | undefined; readonly values: readonly (number | null)[] }
}

/** Rows with the rest first, where it is most of the whole: it would be out of sight below the others. */
const sortedRows = (rows: FigureReport['rows']) => {
  const indexed = rows.map((row, index) => ({ row, index }))
  if (!isMostlyRest(rows.map(({ rest, value }) => ({ rest, value: value ?? 0 })))) return indexed
  return [...indexed.filter(({ row }) => row.rest), ...indexed.filter(({ row }) => !row.rest)]
}

const linesOf = (report: FigureReport, view: ExploreView, say: ReturnType<typeof useExploreMessages>): Line[] =>
  sortedRows(report.rows).flatMap(({ row, index }): Line[] => {
    const first = { dimension: view.by, key: row.key, name: row.name, owner: row.owner }
    const series = report.series.find(({ key, rest }) => key === row.key && rest === row.rest)
    const line: Line = {
      row,
      dimension: view.by,
      name: row.rest ? restName(view.by, report, say) : nameOf(view.by, row, say),
      values: row.rest ? undefined : [first],
      ...(series === undefined ? {} : { series: { index: row.rest ? undefined : index, values: series.values } }),
    }
    const { second } = view
    if (second === undefined) return [line]
    // Calls that succeeded are no errors: what adds nothing to a sum is left out.
    const shown = row.rows.filter(({ value }) => !figureMetrics[view.metric].adds || value !== 0)
    const children = shown.map(
      (child): Line => ({
        row: child,
        dimension: second,
        name: nameOf(second, child, say),
        values: child.rest
          ? undefined
          : [first, { dimension: second, key: child.key, name: child.name, owner: child.owner }],
      }),
    )
    return [line, ...children]
  })

/** The legend of the chart as a table; values of the second dimension are indented, and each row leads to its log. */
export const LegendTable = (props: {
  report: FigureReport
  view: ExploreView
  nameOf: (dimension: FigureDimension, key: string) => string
  onOnly: (dimension: FigureDimension, key: string) => void
}) => {
  const say = useExploreMessages()
  const { report, view } = props
  const { columnText } = useFigureText(view.metric)
  const lines = linesOf(report, view, say)
  const text = columnText([...lines.map(({ row }) => row.value), report.total.value])
  const title =
    view.second === undefined
      ? say(`dimension_${view.by}`)
      : say('firstThen', { first: say(`dimension_${view.by}`), second: say(`dimension_${view.second}`) })
  const range = { from: report.from, to: report.to - 1 }
  const cells = (row: FigureReport['total']) => (
    <>
      {view.metric !== 'calls' && <td>{formatInteger(row.calls)}</td>}
      {view.metric !== 'cache_share' && <td>{shareText(row.cache_share)}</td>}
      {view.metric !== 'first_p95' && <td>{row.first_p95 === null ? dash : formatDuration(row.first_p95)}</td>}
    </>
  )
  return (
    <ScrollFrame className={classes.tableFrame} label={title}>
      <table className={`${classes.table} num`} aria-label={title}>
        <thead>
          <tr>
            <th scope="col">{title}</th>
            <th scope="col">{say(`metric_${view.metric}`)}</th>
            <th scope="col">{say('share')}</th>
            {view.compared && <th scope="col">{say('vsBefore')}</th>}
            <th scope="col">{say('overTime')}</th>
            {view.metric !== 'calls' && <th scope="col">{say('calls')}</th>}
            {view.metric !== 'cache_share' && <th scope="col">{say('cacheShare')}</th>}
            {view.metric !== 'first_p95' && <th scope="col">{say('firstToken')}</th>}
            <th scope="col">
              <span className="visually-hidden">{say('log')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => {
            const { row, series, values, name } = line
            const isChild = series === undefined
            return (
              <tr
                key={`${values?.map(({ key }) => key).join('\0') ?? `rest ${name}`} ${row.rest}`}
                data-child={isChild || undefined}
              >
                <th scope="row">
                  <span className={classes.name}>
                    {series && <SeriesSwatch index={series.index} />}
                    {line.dimension === 'model' && !row.rest && <Logo of={{ model: row.key }} name={name} />}
                    {row.rest ? (
                      name
                    ) : (
                      <button
                        type="button"
                        className={`cut ${line.dimension === 'model' || line.dimension === 'session' ? 'mono' : ''}`}
                        title={say('only', { name })}
                        onClick={() => props.onOnly(line.dimension, row.key)}
                      >
                        {name}
                      </button>
                    )}
                  </span>
                </th>
                <td className={isChild ? '' : 'strong'}>{text(row.value)}</td>
                <td>{shareText(row.share)}</td>
                {view.compared && <td>{changeText(row.value, row.before)}</td>}
                <td>{series && <Spark values={series.values} index={series.index} />}</td>
                {cells(row)}
                <td>
                  {values?.every((value) => isInLog(view, value)) && (
                    <Link
                      {...(logLinkOf(view, range, values, props.nameOf) as { to: '/log' })}
                      aria-label={say('openLog', { name })}
                      {...(values.every(isAloneInLog)
                        ? summedRows({ calls: row.calls, quota: view.metric === 'spend' ? row.value : undefined })
                        : {})}
                    >
                      {say('log')}
                    </Link>
                  )}
                </td>
              </tr>
            )
          })}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{say('total')}</th>
            <td className="strong">{text(report.total.value)}</td>
            <td>{shareText(report.total.share)}</td>
            {view.compared && <td>{changeText(report.total.value, report.total.before)}</td>}
            <td />
            {cells(report.total)}
            <td />
          </tr>
        </tfoot>
      </table>
    </ScrollFrame>
  )
}
