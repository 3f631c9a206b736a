import { Button, Skeleton } from '@mantine/core'
import { figureMetrics } from '@tollgate/contract/records/figures'
import { beginsWithinHour, pointNames, unfinishedPoint } from '#web/components/chart/point-names.ts'
import { RankBars } from '#web/components/chart/rank-bars.tsx'
import { TimeChart } from '#web/components/chart/time-chart.tsx'
import { ScrollFrame } from '#web/components/scroll-frame.tsx'
import type { FigureDimension, FigureReport } from '#web/lib/api/contract.ts'
import { useTimeAnchor } from '#web/lib/time/time-anchor.ts'
import { useTimeReader } from '#web/lib/time/time-zone.ts'
import { Drop } from './drop.tsx'
import { EventList, useExploreEvents } from './events.tsx'
import classes from './explore.module.css'
import { changeText, useFigureText } from './figure-text.ts'
import { LegendTable } from './legend-table.tsx'
import { useExploreMessages } from './messages.ts'
import { nameOf, restName } from './names.ts'
import { type ExploreView, formOf, topChoices } from './view.ts'

type Figures = ReturnType<typeof useFigureText>

const PointTable = (props: {
  title: string
  points: readonly { long: string }[]
  report: FigureReport
  names: readonly string[]
  text: Figures['text']
}) => {
  const say = useExploreMessages()
  const { report, points, text } = props
  return (
    <ScrollFrame className={classes.tableFrame} label={props.title}>
      <table className={`${classes.table} num`} aria-label={props.title}>
        <thead>
          <tr>
            <th scope="col">{say('time')}</th>
            <th scope="col">{say('total')}</th>
            {report.series.map((line, index) => (
              <th key={`${line.key} ${line.rest}`} scope="col">
                {props.names[index]}
              </th>
            ))}
            {report.sums_before && <th scope="col">{say('before')}</th>}
          </tr>
        </thead>
        <tbody>
          {points.map((point, place) => (
            <tr key={point.long}>
              <th scope="row">{point.long}</th>
              <td className="strong">{text(report.sums[place] ?? null)}</td>
              {report.series.map((line) => (
                <td key={`${line.key} ${line.rest}`}>{text(line.values[place] ?? null)}</td>
              ))}
              {report.sums_before && <td>{text(report.sums_before[place] ?? null)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollFrame>
  )
}

interface PanelProps {
  report: FigureReport | undefined
  view: ExploreView
  nameOf: (dimension: FigureDimension, key: string) => string
  onOnly: (dimension: FigureDimension, key: string) => void
  /** Opens the log of a time; unix seconds, the end not included. */
  onBrush: (from: number, to: number) => void
  onTop: (top: string) => void
  action?: { readonly text: string; readonly onClick: () => void }
}

/** The answer: its figure, the chart, what happened, and the legend as a table. */
export const ChartPanel = (props: PanelProps) => {
  const say = useExploreMessages()
  const reader = useTimeReader()
  const { report, view } = props
  const figures = useFigureText(view.metric)
  const [asOf] = useTimeAnchor()
  const { events, all } = useExploreEvents(report, !view.mine)
  if (report === undefined) return <Skeleton h={620} radius={10} />
  const metric = say(`metric_${view.metric}`)
  const points = pointNames({ ...report, granularity: report.rollup }, reader)
  const names = report.series.map((line) => (line.rest ? restName(view.by, report, say) : nameOf(view.by, line, say)))
  const draw = (values: readonly (number | null)[]): (number | null)[] =>
    values.map((value) => (value === null ? null : figures.drawn(value)))
  const { value, before } = report.total
  const form = formOf(view, report)
  const notes = [
    ...(report.rollup === view.every ? [] : [say('coarser', { every: say(report.rollup) })]),
    ...(report.utc_days ? [say('utcDays')] : []),
    ...(beginsWithinHour(report) ? [say('wholeHours')] : []),
  ]
  return (
    <section className={`panel ${classes.answer}`} aria-label={metric}>
      <div className={classes.panelHead}>
        <p className={classes.figure}>
          <span>{metric}</span>
          <b className="num">{figures.text(value)}</b>
          {view.compared && before !== null && before !== 0 && (
            <small className="num">
              {changeText(value, before)} {say('on', { before: figures.text(before) })}
            </small>
          )}
        </p>
        <div className={classes.notes}>
          <div className={classes.noted}>
            {notes.join(' · ')}
            {view.compared && form !== 'table' && form !== 'rank' && (
              <span>
                <i className={classes.dots} /> {say('before')}
              </span>
            )}
            {all !== undefined && all > 0 && <span>{say('events', { count: all })}</span>}
          </div>
          <Drop
            word={say('top')}
            value={String(view.top)}
            choices={topChoices.map((count) => ({ value: String(count), label: say('topCount', { count }) }))}
            onChange={props.onTop}
          />
          {props.action && (
            <Button size="compact-sm" variant="default" onClick={props.action.onClick}>
              {props.action.text}
            </Button>
          )}
        </div>
      </div>
      {form === 'rank' && (
        <div className={classes.chart}>
          <RankBars
            label={say('rankLabel', { metric, by: say(`dimension_${view.by}`) })}
            bars={report.rows.map((row) => ({
              key: row.key,
              name: row.rest ? restName(view.by, report, say) : nameOf(view.by, row, say),
              value: row.value ?? 0,
              rest: row.rest,
            }))}
            total={report.total.value ?? 0}
            format={figures.text}
          />
        </div>
      )}
      {form === 'table' && (
        <PointTable title={metric} points={points} report={report} names={names} text={figures.text} />
      )}
      {form !== 'table' && form !== 'rank' && (
        <div className={classes.chart}>
          <TimeChart
            label={say('chartLabel', { metric, by: say(`dimension_${view.by}`), every: say(report.rollup) })}
            points={points}
            series={report.series.map((line, index) => ({
              key: `${line.key} ${line.rest}`,
              name: names[index] ?? '',
              rest: line.rest,
              values: draw(line.values),
            }))}
            form={form}
            stacked={figureMetrics[view.metric].adds}
            sums={draw(report.sums)}
            before={report.sums_before && draw(report.sums_before)}
            unfinished={unfinishedPoint({ ...report, granularity: report.rollup }, asOf)}
            marks={events}
            format={(drawn) => figures.drawnText(drawn)}
            axis={figures.axis}
            whole={figures.whole}
            beforeLabel={say('before')}
            onBrush={(first, last) => {
              const from = report.buckets[first]
              if (from !== undefined) props.onBrush(from, report.buckets[last + 1] ?? report.to)
            }}
          />
        </div>
      )}
      {!view.mine && <EventList events={events} all={all} />}
      <LegendTable report={report} view={view} nameOf={props.nameOf} onOnly={props.onOnly} />
    </section>
  )
}
