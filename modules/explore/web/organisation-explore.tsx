import { Figures } from '#web/components/display/figures.tsx'
import { Quota } from '#web/components/display/quota.tsx'
import { EmptyState } from '#web/components/states.tsx'
import { calls, type FigureReport, type Organisation, type UsageReport } from '#web/lib/api/contract.ts'
import { useEndpoint } from '#web/lib/query.ts'
import { useStatus } from '#web/lib/status.ts'
import { formatCompact, formatInteger } from '#web/lib/text/format.ts'
import { useTimeAnchor } from '#web/lib/time/time-anchor.ts'
import { useTimeZone, zoneName } from '#web/lib/time/time-zone.ts'
import { useSearchParams } from '#web/lib/url/search-params.ts'
import { exportReport } from './question/export-report.ts'
import { changeText } from './question/figure-text.ts'
import { useExploreMessages } from './question/messages.ts'
import { Question } from './question/question.tsx'
import { partsOf, reportOf } from './question/report-of.ts'
import { type ExploreView, queryOf, readView } from './question/view.ts'

/** The same interval as Explore of the site. */
const refreshEveryMs = 300_000

/** Totals of the range, compared with the preceding period of the same length. */
const Totals = ({ report }: { report: UsageReport | undefined }) => {
  const say = useExploreMessages()
  const [now, before] = [report?.totals, report?.before]
  const change = (of: (totals: UsageReport['totals']) => number): string | undefined =>
    now && before && of(before) !== 0 ? `${changeText(of(now), of(before))} ${say('vsBefore')}` : undefined
  const tokensOf = (totals: UsageReport['totals']): number => totals.prompt_tokens + totals.completion_tokens
  // As below in the table, where calls that failed are calls, too.
  const callsOf = ({ count, failures }: UsageReport['totals']): number => count + failures
  return (
    <Figures
      notesBelow
      figures={[
        { label: say('metric_spend'), value: now && <Quota value={now.quota} />, unit: change(({ quota }) => quota) },
        { label: say('metric_calls'), value: now && formatInteger(callsOf(now)), unit: change(callsOf) },
        { label: say('metric_tokens'), value: now && formatCompact(tokensOf(now)), unit: change(tokensOf) },
        {
          label: say('metric_errors'),
          value: now && formatInteger(now.failures),
          unit: change(({ failures }) => failures),
          ...(now && now.failures > 0 ? { tone: 'warn' as const } : {}),
        },
      ]}
    />
  )
}

/** The report with members as other parts of the page call them. */
const withMemberNames = (
  report: FigureReport,
  { by, second }: ExploreView,
  { members }: Organisation,
): FigureReport => {
  const nameOf = new Map(members.map((one) => [String(one.user_id), one.display_name || one.username]))
  const named = <Row extends { key: string; name: string }>(rows: readonly Row[], isMember: boolean): Row[] =>
    rows.map((row) => (isMember ? { ...row, name: nameOf.get(row.key) ?? row.name } : row))
  return {
    ...report,
    series: named(report.series, by === 'member'),
    rows: named(report.rows, by === 'member').map((row) => ({ ...row, rows: named(row.rows, second === 'member') })),
  }
}

/** Any figure of the organisation's calls, as far as the reader may read them, by any two things, over any time. */
export const OrganisationExplore = ({ organisation }: { organisation: Organisation }) => {
  const { id } = organisation
  const say = useExploreMessages()
  const zone = useTimeZone()
  const { enable_data_export: enabled } = useStatus()
  const [search, setSearch] = useSearchParams()
  const [anchor] = useTimeAnchor()
  const view = readView(search, false, id)
  const query = queryOf(view, anchor, zoneName(zone))
  const often = { enabled, refreshEveryMs }
  const report = useEndpoint(reportOf(view), partsOf(view, query), often)
  const { start_timestamp, end_timestamp } = query
  const range = { start_timestamp, end_timestamp, zone: query.zone }
  const totals = useEndpoint(calls.getOrganisationUsageReport, { params: { id }, query: range }, often)
  if (!enabled)
    return (
      <div className="panel">
        <EmptyState icon="chart" title={say('offTitle')} text={say('offText')} />
      </div>
    )
  const data = report.data && withMemberNames(report.data, view, organisation)
  return (
    <>
      <Totals report={totals.data} />
      <Question
        view={view}
        report={data}
        error={report.error}
        onRetry={() => void report.refetch()}
        setSearch={setSearch}
        action={{ text: 'CSV', onClick: () => data && exportReport(data, view, zone, say) }}
      />
    </>
  )
}
