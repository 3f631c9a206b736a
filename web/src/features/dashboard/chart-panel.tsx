import { Button, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { beginsWithinHour, pointNames } from '../../components/chart/point-names.ts'
import { isMostlyRest, RankBars, type RankedBar } from '../../components/chart/rank-bars.tsx'
import { Legend, StackedBars } from '../../components/chart/stacked-bars.tsx'
import { ScrollFrame } from '../../components/scroll-frame.tsx'
import type { UsageMetric, UsageReport } from '../../lib/api/contract.ts'
import { useStatus } from '../../lib/status.ts'
import { formatCompact, formatInteger, formatMoney, formatQuota } from '../../lib/text/format.ts'
import { useTimeReader } from '../../lib/time/time-zone.ts'
import classes from './dashboard.module.css'
import { type SayDashboard, useDashboardMessages } from './messages.ts'
import { nameOf } from './names.ts'
import type { DashboardView } from './view.ts'

const titles = {
  quota: 'distribution',
  cost: 'costDistribution',
  margin: 'marginDistribution',
  count: 'calls',
  tokens: 'tokenDistribution',
} as const satisfies Record<UsageMetric, string>

const isMoney = (metric: UsageMetric): boolean => metric === 'quota' || metric === 'cost' || metric === 'margin'

const isOfCost = (metric: UsageMetric): boolean => metric === 'cost' || metric === 'margin'

/** How figures of a kind are written, and drawn: money in dollars, so that the lines across the chart are round. */
const useFigureText = (metric: UsageMetric) => {
  const status = useStatus()
  const inMoney = isMoney(metric) && status.display_in_currency
  const perUnit = inMoney ? status.quota_per_unit : 1
  return {
    format: (value: number): string => (isMoney(metric) ? formatQuota(value, status) : formatCompact(value)),
    perUnit,
    axis: (value: number): string => (inMoney ? formatMoney(value).replace(/\.00$/, '') : formatCompact(value)),
  }
}

const Table = (props: {
  title: string
  points: readonly { long: string }[]
  series: readonly { key: string; name: string; values: readonly number[] }[]
  format: (value: number) => string
}) => {
  const say = useDashboardMessages()
  return (
    <ScrollFrame className={classes.tableFrame} label={props.title}>
      <table className={classes.table} aria-label={props.title}>
        <thead>
          <tr>
            <th scope="col">{say('time')}</th>
            <th scope="col">{say('total')}</th>
            {props.series.map((line) => (
              <th key={line.key} scope="col">
                {line.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {props.points
            .map((point, place) => ({ point, place }))
            .toReversed()
            .map(({ point, place }) => (
              <tr key={point.long}>
                <th scope="row" className="num">
                  {point.long}
                </th>
                <td className="num strong">
                  {props.format(props.series.reduce((sum, line) => sum + (line.values[place] ?? 0), 0))}
                </td>
                {props.series.map((line) => (
                  <td key={line.key} className="num">
                    {props.format(line.values[place] ?? 0)}
                  </td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
    </ScrollFrame>
  )
}

const mostRanked = 10

/** The largest rows of the ranking, and everything else as one with its number, as far as that is known. */
const rankedBars = (report: UsageReport, view: DashboardView, say: SayDashboard): readonly RankedBar[] => {
  const valueIn = (row: UsageReport['top'][number]): number => row[view.metric] ?? 0
  const named = report.top.filter(({ rest }) => !rest)
  const others = [...named.slice(mostRanked), ...report.top.filter(({ rest }) => rest)]
  const isCounted = report.top.every(({ rest }) => !rest)
  const rest = {
    key: 'rest',
    name: isCounted ? say('restCount', { count: others.length }) : say('rest'),
    value: others.reduce((sum, row) => sum + valueIn(row), 0),
    rest: true,
  }
  const bars = named
    .slice(0, mostRanked)
    .map((row) => ({ key: row.key, name: nameOf(view.by, row, say), value: valueIn(row) }))
  return others.length === 0 ? bars : [...bars, rest]
}

/** Use over time as a chart or a table; choosing a point narrows the range to it. */
export const ChartPanel = (props: {
  report: UsageReport | undefined
  view: DashboardView
  onRange: (from: number, to: number) => void
}) => {
  const say = useDashboardMessages()
  const reader = useTimeReader()
  const [asTable, setAsTable] = useState(false)
  const { report, view } = props
  const { format, axis, perUnit } = useFigureText(view.metric)
  if (!report) return <Skeleton h={360} />
  const points = pointNames(report, reader)
  const series = report.series.map((line) => ({
    key: line.key,
    name: nameOf(view.by, line, say),
    rest: line.rest,
    values: line[view.metric] ?? [],
  }))
  // Stacked bars have no place for what is below zero.
  const isLoss = series.some(({ values }) => values.some((value) => value < 0))
  const { uncosted = 0 } = report.totals
  const title = say(titles[view.metric])
  const total = series.reduce((sum, line) => sum + line.values.reduce((all, value) => all + value, 0), 0)
  const isRanked = isMostlyRest(
    series.map(({ rest, values }) => ({ rest, value: values.reduce((all, value) => all + value, 0) })),
  )
  const notes = [
    ...(report.granularity === view.granularity
      ? []
      : [say('coarser', { granularity: say(report.granularity).toLowerCase() })]),
    ...(report.utc_days ? [say('utcDays')] : []),
    ...(beginsWithinHour(report) ? [say('wholeHours')] : []),
    ...(isOfCost(view.metric) && uncosted > 0 ? [say('uncostedNote', { count: formatInteger(uncosted) })] : []),
    ...(isLoss ? [say('lossNote')] : []),
  ]
  const choose = (index: number): void => {
    const from = report.buckets[index]
    if (from !== undefined && report.granularity !== 'hour') props.onRange(from, report.buckets[index + 1] ?? report.to)
  }
  return (
    <section className={`panel ${classes.section}`} aria-labelledby="dashboard-chart">
      <div className={classes.head}>
        <h2 id="dashboard-chart">
          {title} <small className="muted">{`${say('total')} ${format(total)}`}</small>
        </h2>
        {!isLoss && (
          <Button size="xs" variant="subtle" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
            {say(asTable ? 'showChart' : 'showTable')}
          </Button>
        )}
      </div>
      {notes.length > 0 && <p className={classes.note}>{notes.join(' · ')}</p>}
      {isRanked && !asTable && !isLoss && (
        <RankBars
          label={say('rank', { by: say(view.by) })}
          bars={rankedBars(report, view, say)}
          total={total}
          format={format}
        />
      )}
      {asTable || isLoss ? (
        <Table title={title} points={points} series={series} format={format} />
      ) : (
        !isRanked && (
          <>
            <Legend series={series} />
            <StackedBars
              label={say('chartLabel', { title, by: say(view.by), total: format(total), points: points.length })}
              points={points}
              series={series.map((line) => ({ ...line, values: line.values.map((value) => value / perUnit) }))}
              format={(value) => format(value * perUnit)}
              axis={axis}
              totalLabel={say('total')}
              {...(report.granularity === 'hour' ? {} : { onChoose: choose })}
            />
          </>
        )
      )}
    </section>
  )
}
