import { Button } from '@mantine/core'
import { useMemo } from 'react'
import type { Column } from '#web/components/data-table/columns/column.ts'
import { DataTable } from '#web/components/data-table/data-table.tsx'
import { readAll } from '#web/components/data-table/export/read-all.ts'
import { Icon } from '#web/components/display/icon.tsx'
import { CallQuota } from '#web/components/display/quota.tsx'
import { TimeText } from '#web/components/display/time/time-text.tsx'
import { PageHeader } from '#web/components/page-header.tsx'
import { ScreenParts } from '#web/components/parts/screen-parts.tsx'
import { call } from '#web/lib/api/api.ts'
import { type CaptureRow, calls } from '#web/lib/api/contract.ts'
import { onDemand } from '#web/lib/loading/on-demand.tsx'
import type { FirstRead } from '#web/lib/loading/read-ahead.ts'
import { useEndpoint } from '#web/lib/query.ts'
import { formatDuration, formatInteger } from '#web/lib/text/format.ts'
import { useSearchParams } from '#web/lib/url/search-params.ts'
import { tableQueryAt, useTableState } from '#web/lib/url/table-state.ts'
import { type SayInspector, useInspectorMessages } from './messages.ts'
import { Running } from './running.tsx'

const CaptureSheet = onDemand(async () => (await import('./details.tsx')).CaptureSheet)
const InspectionForm = onDemand(async () => (await import('./form.tsx')).InspectionForm)

const table = { name: 'inspector', filters: ['request_id'] } as const
const refreshMs = 5_000

const columnsOf = (say: SayInspector): readonly Column<CaptureRow>[] => [
  {
    id: 'created_time',
    header: say('time'),
    card: 'title',
    cell: ({ created_time }) => <TimeText at={created_time} />,
    value: ({ created_time }) => new Date(created_time * 1000).toISOString(),
  },
  { id: 'username', header: say('user'), cell: ({ username }) => username, value: ({ username }) => username },
  {
    id: 'token_name',
    header: say('token'),
    cell: ({ token_name }) => token_name,
    value: ({ token_name }) => token_name,
  },
  {
    id: 'model',
    header: say('model'),
    card: 'title',
    cell: ({ model }) => <span className="mono">{model}</span>,
    value: ({ model }) => model,
  },
  {
    id: 'channel_id',
    header: say('channel'),
    align: 'right',
    cell: ({ channel_id }) => <span className="num">#{channel_id}</span>,
    value: ({ channel_id }) => channel_id,
  },
  {
    id: 'status',
    header: say('status'),
    align: 'right',
    cell: ({ status, replay_of, pinned }) => (
      <span className="num">
        {status || '—'}
        {replay_of > 0 ? ` · ${say('replay')}` : pinned ? ` · ${say('pinned')}` : ''}
      </span>
    ),
    value: ({ status }) => status,
  },
  {
    id: 'quota',
    header: say('cost'),
    align: 'right',
    card: 'amount',
    cell: ({ quota }) => <CallQuota value={quota} />,
    value: ({ quota }) => quota,
  },
  {
    id: 'tokens',
    header: say('tokens'),
    align: 'right',
    cell: ({ prompt_tokens, completion_tokens }) => (
      <span className="num">
        {formatInteger(prompt_tokens)} + {formatInteger(completion_tokens)}
      </span>
    ),
    value: ({ prompt_tokens, completion_tokens }) => prompt_tokens + completion_tokens,
  },
  {
    id: 'took_ms',
    header: say('took'),
    align: 'right',
    cell: ({ took_ms }) => <span className="num">{formatDuration(took_ms)}</span>,
    value: ({ took_ms }) => took_ms,
  },
]

export const firstRead: FirstRead = (read, search) => {
  read(calls.listInspections, {})
  read(calls.listCaptures, { query: tableQueryAt(table, search) })
}

/** Inspections, and the calls that they captured. */
export const InspectorScreen = () => {
  const say = useInspectorMessages()
  const state = useTableState(table)
  const [search, setSearch] = useSearchParams()
  const captures = useEndpoint(calls.listCaptures, { query: state.query }, { refreshEveryMs: refreshMs })
  const columns = useMemo(() => columnsOf(say), [say])
  const opened = Number(search.id)
  const open = (id: number): void => setSearch({ id: String(id) })
  return (
    <>
      <PageHeader
        title={say('title')}
        text={say('text')}
        actions={
          <Button
            variant="filled"
            leftSection={<Icon name="plus" size={14} />}
            onClick={() => setSearch({ new: '1', id: undefined })}
          >
            {say('start')}
          </Button>
        }
      />
      <Running />
      <DataTable
        title={say('captures')}
        columns={columns}
        query={captures}
        state={state}
        rowId={({ id }) => id}
        rowName={({ id }) => say('name', { id })}
        onOpen={({ id }) => open(id)}
        readRows={() =>
          readAll((p, page_size) => call(calls.listCaptures, { query: { ...state.query, p, page_size } }))
        }
        exportName="captures"
        empty={{ icon: 'eye', title: say('empty'), text: say('emptyText') }}
      />
      <ScreenParts place="below captures" />
      {search.new === '1' && <InspectionForm onClose={() => setSearch({ new: undefined })} />}
      {opened > 0 && <CaptureSheet id={opened} onClose={() => setSearch({ id: undefined })} onOpen={open} />}
    </>
  )
}
