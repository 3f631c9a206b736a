import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Column } from '#web/components/data-table/columns/column.ts'
import { DataTable } from '#web/components/data-table/data-table.tsx'
import { readAll } from '#web/components/data-table/export/read-all.ts'
import { Icon } from '#web/components/display/icon.tsx'
import { Quota } from '#web/components/display/quota.tsx'
import { TimeText, useMomentText } from '#web/components/display/time/time-text.tsx'
import { usePageLeadsAbove } from '#web/components/page.ts'
import { PageHeader } from '#web/components/page-header.tsx'
import { EmptyState } from '#web/components/states.tsx'
import { call } from '#web/lib/api/api.ts'
import { type Correction, calls, role } from '#web/lib/api/contract.ts'
import { useSession } from '#web/lib/api/session.ts'
import { textIn, useLanguage } from '#web/lib/i18n.ts'
import { onDemand } from '#web/lib/loading/on-demand.tsx'
import type { FirstRead } from '#web/lib/loading/read-ahead.ts'
import { useEndpoint } from '#web/lib/query.ts'
import { formatDateTime, formatInteger } from '#web/lib/text/format.ts'
import { useSearchParams } from '#web/lib/url/search-params.ts'
import { tableQueryAt, useTableState } from '#web/lib/url/table-state.ts'
import { Difference, windowText } from './amounts.tsx'
import { type SayCorrection, useCorrectionMessages } from './messages.ts'
import { StateBadge } from './state-badge.tsx'

const CorrectionSheet = onDemand(async () => (await import('./details.tsx')).CorrectionSheet)
const CorrectionForm = onDemand(async () => (await import('./form.tsx')).CorrectionForm)

const table = { name: 'corrections', filters: [] } as const
const refreshMs = 3_000

const columnsOf = (
  say: SayCorrection,
  moment: (unixSeconds: number, minutes?: boolean) => string,
): readonly Column<Correction>[] => [
  {
    id: 'id',
    header: say('number'),
    card: 'title',
    cell: ({ id }) => <span className="num">#{id}</span>,
    value: ({ id }) => id,
  },
  {
    id: 'created_at',
    header: say('created'),
    cell: ({ created_at }) => <TimeText at={created_at} />,
    value: ({ created_at }) => new Date(created_at * 1000).toISOString(),
  },
  {
    id: 'state',
    header: say('state'),
    card: 'title',
    cell: (correction) => <StateBadge correction={correction} />,
    value: ({ state }) => state,
  },
  {
    id: 'models',
    header: say('models'),
    cell: ({ models }) => <span className="mono">{models.join(', ')}</span>,
    value: ({ models }) => models.join(' '),
  },
  {
    id: 'window',
    header: say('window'),
    cell: (correction) => <span className="num">{windowText(correction, moment)}</span>,
    value: (correction) => windowText(correction, (at) => formatDateTime(at, 'UTC')),
  },
  {
    id: 'calls',
    header: say('calls'),
    align: 'right',
    cell: (correction) => <span className="num">{formatInteger(correction.calls)}</span>,
    value: (correction) => correction.calls,
  },
  {
    id: 'before',
    header: say('before'),
    align: 'right',
    cell: ({ old_quota }) => <Quota value={old_quota} />,
    value: ({ old_quota }) => old_quota,
  },
  {
    id: 'difference',
    header: say('difference'),
    align: 'right',
    cell: ({ old_quota, new_quota }) => <Difference before={old_quota} after={new_quota} />,
    value: ({ old_quota, new_quota }) => new_quota - old_quota,
  },
]

export const firstRead: FirstRead = (read, search) =>
  read(calls.listCorrections, { query: tableQueryAt(table, search) })

const List = () => {
  const say = useCorrectionMessages()
  const moment = useMomentText()
  const state = useTableState(table)
  const [, setSearch] = useSearchParams()
  const corrections = useEndpoint(calls.listCorrections, { query: state.query }, { refreshEveryMs: refreshMs })
  const columns = useMemo(() => columnsOf(say, moment), [say, moment])
  return (
    <DataTable
      title={say('title')}
      columns={columns}
      query={corrections}
      state={state}
      rowId={({ id }) => id}
      rowName={({ id }) => say('name', { id })}
      onOpen={({ id }) => setSearch({ id: String(id) })}
      readRows={() =>
        readAll((p, page_size) => call(calls.listCorrections, { query: { ...state.query, p, page_size } }))
      }
      exportName="corrections"
      empty={{ icon: 'receipt', title: say('empty'), text: say('emptyText') }}
    />
  )
}

/** Charging calls anew that had a wrong price; for root. */
export const CorrectionsScreen = () => {
  const say = useCorrectionMessages()
  const navigate = useNavigate()
  const language = useLanguage()
  const leads = usePageLeadsAbove('/correction')
  const [search, setSearch] = useSearchParams()
  const isRoot = (useSession()?.role ?? 0) >= role.root
  const opened = Number(search.id)
  return (
    <>
      <PageHeader
        title={say('title')}
        text={say('text')}
        actions={
          <>
            {leads.map(({ path, title }) => (
              <Button
                key={path}
                leftSection={<Icon name="receipt" size={14} />}
                onClick={() => void navigate({ href: path })}
              >
                {textIn(title, language)}
              </Button>
            ))}
            {isRoot && (
              <Button
                data-create
                variant="filled"
                leftSection={<Icon name="plus" size={14} />}
                onClick={() => setSearch({ new: '1', id: undefined })}
              >
                {say('create')}
              </Button>
            )}
          </>
        }
      />
      {isRoot ? (
        <List />
      ) : (
        <div className="panel">
          <EmptyState icon="receipt" title={say('rootOnly')} />
        </div>
      )}
      {isRoot && search.new === '1' && (
        <CorrectionForm
          onClose={() => setSearch({ new: undefined })}
          onCreated={({ id }) => setSearch({ new: undefined, id: String(id) })}
        />
      )}
      {isRoot && opened > 0 && <CorrectionSheet id={opened} onClose={() => setSearch({ id: undefined })} />}
    </>
  )
}
