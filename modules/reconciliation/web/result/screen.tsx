import { Button, SegmentedControl } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { DataTable } from '#web/components/data-table/data-table.tsx'
import { Figures } from '#web/components/display/figures.tsx'
import { PageHeader } from '#web/components/page-header.tsx'
import { ErrorState } from '#web/components/states.tsx'
import { calls, type DataOf, type getReportImport, type ReconciledDay } from '#web/lib/api/contract.ts'
import { onDemand } from '#web/lib/loading/on-demand.tsx'
import { useEndpoint } from '#web/lib/query.ts'
import { formatInteger, formatPercent } from '#web/lib/text/format.ts'
import { refusalText } from '#web/lib/text/refusal-text.ts'
import { useTitleOf } from '#web/lib/url/page-object.ts'
import { useSearchParams } from '#web/lib/url/search-params.ts'
import { useTableState } from '#web/lib/url/table-state.ts'
import { Amount, CauseText, Difference } from '../amount.tsx'
import { useChannelName } from '../channel-names.ts'
import { Period, periodText } from '../columns.tsx'
import { useReconciliationMessages } from '../messages.ts'
import classes from '../reconciliation.module.css'
import { zoneText } from '../zone-text.ts'
import { useCallMessages } from './call-messages.ts'
import { callsText } from './calls-text.ts'
import { dayColumns } from './columns.tsx'
import { useResultMessages } from './result-messages.ts'

const CallTable = onDemand(async () => (await import('./call-table.tsx')).CallTable)
const DaySheet = onDemand(async () => (await import('./day-sheet.tsx')).DaySheet)

type Result = DataOf<typeof getReportImport>

const watchEveryMs = 1_500
const table = { name: 'reconciliation-result', filters: ['show'] } as const

const placeOf = ({ day, model }: ReconciledDay): string => `${day}.${model}`

const Totals = ({ result }: { result: Result | undefined }) => {
  const say = useResultMessages()
  const ours = Number(result?.ours_cost ?? 0)
  const share = ours === 0 ? '–' : formatPercent(Number(result?.difference ?? 0) / ours)
  return (
    <Figures
      figures={[
        { label: say('recorded'), value: result && <Amount value={result.ours_cost} /> },
        { label: say('reported'), value: result && <Amount value={result.theirs_cost} /> },
        { label: say('difference'), value: result && <Difference value={result.difference} /> },
        { label: say('share'), value: result && share },
        { label: say('reportLines'), value: result && formatInteger(result.lines) },
      ]}
    />
  )
}

/** The comparison of one imported report, by day and model. */
export const ResultScreen = () => {
  const say = useResultMessages()
  const sayList = useReconciliationMessages()
  const sayCalls = useCallMessages()
  const { id } = useParams({ strict: false }) as { id: string }
  const [search, setSearch] = useSearchParams()
  const state = useTableState(table)
  const channelName = useChannelName()
  const [watching, setWatching] = useState(true)
  const result = useEndpoint(
    calls.getReportImport,
    { params: { id: Number(id) } },
    watching ? { refreshEveryMs: watchEveryMs } : {},
  )
  const { data } = result
  useTitleOf(data && `${data.source_name} ${periodText(data)}`)
  const isRunning = data === undefined ? result.error === null : data.status === 'running'
  if (isRunning !== watching) setWatching(isRunning)
  if (result.error && data === undefined) {
    return <ErrorState error={result.error} onRetry={() => void result.refetch()} />
  }
  const onlyDifferent = state.filters.show === 'different'
  const days = data?.days.filter(({ causes }) => !onlyDifferent || causes.length > 0) ?? []
  const shown = days.slice((state.page - 1) * state.pageSize, state.page * state.pageSize)
  const page = { items: shown, total: days.length, page: state.page, page_size: state.pageSize }
  const isByCall = search.view === 'calls' && data?.calls?.ids === 'matched'
  const views = data?.calls?.ids === 'matched' && (
    <SegmentedControl
      aria-label={sayCalls('view')}
      value={isByCall ? 'calls' : 'days'}
      onChange={(value) => setSearch({ view: value === 'calls' ? value : undefined, p: undefined })}
      data={[
        { value: 'days', label: sayCalls('byDay') },
        { value: 'calls', label: sayCalls('byCall') },
      ]}
    />
  )
  const opened = data?.days.find((row) => placeOf(row) === search.open)
  return (
    <>
      <PageHeader
        title={data?.source_name ?? sayList('title')}
        text={
          data && (
            <>
              <Period of={data} /> {zoneText(data.utc_offset)} · {data.channel_ids.map(channelName).join(', ')}
            </>
          )
        }
        actions={
          <Button component={Link} to="/reconciliation">
            {say('back')}
          </Button>
        }
      />
      {data?.error && (
        <p className={classes.problem} role="alert">
          {refusalText(data.error, data)}
        </p>
      )}
      <Totals result={data} />
      {data !== undefined && data.causes.length > 0 && (
        <p className={classes.summary}>
          {data.causes.map((cause) => (
            <CauseText key={cause.cause} cause={cause} say={sayList} />
          ))}
        </p>
      )}
      {!isByCall && data?.calls && <p className={classes.matched}>{callsText(data.calls, sayCalls)}</p>}
      {isByCall && data?.calls && <CallTable importId={data.id} matched={data.calls} views={views} />}
      {!isByCall && (
        <DataTable
          title={say('table')}
          columns={dayColumns(sayList, say)}
          query={{
            data: data && page,
            isPending: data === undefined || (isRunning && data.days.length === 0),
            isPlaceholderData: false,
            error: null,
            refetch: result.refetch,
          }}
          state={state}
          rowId={placeOf}
          rowName={placeOf}
          onOpen={(row) => setSearch({ open: placeOf(row) })}
          readRows={async () => ({ rows: days, capped: false })}
          filters={
            <>
              {views}
              <SegmentedControl
                aria-label={say('show')}
                value={onlyDifferent ? 'different' : 'all'}
                onChange={(value) => state.setFilter('show', value === 'all' ? undefined : value)}
                data={[
                  { value: 'all', label: say('all') },
                  { value: 'different', label: say('onlyDifferent') },
                ]}
              />
            </>
          }
          empty={
            onlyDifferent && (data?.days.length ?? 0) > 0
              ? { icon: 'check', title: say('agreesTitle'), text: say('agreesText') }
              : { icon: 'balance', title: say('nothingTitle'), text: say('nothingText') }
          }
        />
      )}
      {opened && data && (
        <DaySheet
          importId={data.id}
          row={opened}
          channelIds={data.channel_ids}
          onClose={() => setSearch({ open: undefined })}
        />
      )}
    </>
  )
}
