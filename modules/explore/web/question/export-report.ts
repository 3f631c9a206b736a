import type { Column } from '#web/components/data-table/columns/column.ts'
import { printRows, saveFile } from '#web/components/data-table/export/export-rows.ts'
import type { FigureReport } from '#web/lib/api/contract.ts'
import { formatDate, formatDateTime } from '#web/lib/text/format.ts'
import type { SayExplore } from './messages.ts'
import { nameOf, restName } from './names.ts'
import type { ExploreView } from './view.ts'

interface Point {
  readonly time: string
  readonly at: number
}

/** Points are named the same in every language, so that programs can read the file. */
const timeOf = (at: number, { rollup, utc_days }: FigureReport, zone: string | undefined): string => {
  if (rollup === 'hour') return formatDateTime(at, zone).slice(0, 16)
  return formatDate(at, utc_days ? 'UTC' : zone).slice(0, rollup === 'month' ? 7 : 10)
}

/** Saves the points of the chart as a table, with exact values: quota units, shares of 1, milliseconds. */
export const exportReport = (
  report: FigureReport,
  view: ExploreView,
  zone: string | undefined,
  say: SayExplore,
): void => {
  const columnOf = (id: string, header: string, value: (point: Point) => string | number | null): Column<Point> => ({
    id,
    header,
    value,
    cell: (point) => String(value(point) ?? ''),
  })
  const points = report.buckets.map((start, at): Point => ({ time: timeOf(start, report, zone), at }))
  const columns = [
    columnOf('time', say('time'), ({ time }) => time),
    columnOf('total', say('total'), ({ at }) => report.sums[at] ?? null),
    ...report.series.map((line, index) =>
      columnOf(
        `series ${index}`,
        line.rest ? restName(view.by, report, say) : nameOf(view.by, line, say),
        ({ at }) => line.values[at] ?? null,
      ),
    ),
    ...(report.sums_before === undefined
      ? []
      : [columnOf('before', say('before'), ({ at }) => report.sums_before?.[at] ?? null)]),
  ]
  saveFile(`explore-${view.metric}`, printRows(points, columns, 'csv'), 'csv')
}
