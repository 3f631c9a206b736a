import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Column, RowAction } from '../../components/data-table/columns/column.ts'
import { DataTable } from '../../components/data-table/data-table.tsx'
import { Icon } from '../../components/display/icon.tsx'
import { Quota } from '../../components/display/quota.tsx'
import { StatusBadge } from '../../components/display/status-badge.tsx'
import { TimeText } from '../../components/display/time/time-text.tsx'
import { usePageLeadsAbove } from '../../components/page.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { calls, type DeclaredUsage, role } from '../../lib/api/contract.ts'
import { useSession } from '../../lib/api/session.ts'
import { useIsStaff } from '../../lib/api/staff.ts'
import { textIn, useLanguage } from '../../lib/i18n.ts'
import { onDemand } from '../../lib/loading/on-demand.tsx'
import type { FirstRead } from '../../lib/loading/read-ahead.ts'
import { useEndpoint } from '../../lib/query.ts'
import { formatInteger } from '../../lib/text/format.ts'
import { useSearchParams } from '../../lib/url/search-params.ts'
import { tableQueryAt, useTableState } from '../../lib/url/table-state.ts'
import { type SayDeclaredUsage, useDeclaredUsageMessages } from './messages.ts'

const DeclareForm = onDemand(async () => (await import('./form.tsx')).DeclareForm)

const table = { name: 'declared-usage', filters: [] } as const
const refreshMs = 10_000
const kinds = ['usage', 'cache', 'geo', 'tool', 'tier', 'version', 'model', 'price', 'cost'] as const

const kindText = (say: SayDeclaredUsage, kind: string): string => {
  const known = kinds.find((each) => each === kind)
  return known === undefined ? kind : say(`kind_${known}`)
}

const declaredText = (say: SayDeclaredUsage, declaration: NonNullable<DeclaredUsage['declaration']>): string => {
  switch (declaration.as) {
    case 'piece':
      return say('piece', { piece: say(`piece_${declaration.piece}`) })
    case 'factor':
      return say('factor', { factor: declaration.factor })
    case 'call':
      return say('perCall', { price: `$${declaration.price}` })
    case 'model':
      return say('asModel', { model: declaration.model })
    case 'priced':
      return say('priced')
    case 'informative':
      return say('informative')
  }
}

const columnsOf = (say: SayDeclaredUsage): readonly Column<DeclaredUsage>[] => [
  {
    id: 'name',
    header: say('name'),
    most: 230,
    card: 'title',
    cell: ({ name }) => <span className="mono">{name}</span>,
    value: ({ name }) => name,
  },
  {
    id: 'state',
    header: say('state'),
    card: 'title',
    cell: ({ kind, declaration }) => {
      const isCost = kind === 'cost'
      if (declaration === undefined) {
        const waits = kind === 'price' ? 'noPrice' : 'waiting'
        return <StatusBadge tone="warn" label={say(isCost ? 'differs' : waits)} />
      }
      return <StatusBadge tone="good" label={isCost ? say('seen') : declaredText(say, declaration)} />
    },
    value: ({ declaration }) => (declaration === undefined ? '' : JSON.stringify(declaration)),
  },
  { id: 'kind', header: say('where'), cell: ({ kind }) => kindText(say, kind), value: ({ kind }) => kind },
  {
    id: 'place',
    header: say('place'),
    cell: ({ place }) => <span className="mono">{place}</span>,
    value: ({ place }) => place,
  },
  {
    id: 'model',
    header: say('model'),
    cell: ({ model_name }) => <span className="mono">{model_name}</span>,
    value: ({ model_name }) => model_name,
  },
  {
    id: 'first',
    header: say('first'),
    cell: ({ first_time }) => <TimeText at={first_time} brief />,
    value: ({ first_time }) => new Date(first_time * 1000).toISOString(),
  },
  {
    id: 'calls',
    header: say('calls'),
    align: 'right',
    cell: (kind) => <span className="num">{formatInteger(kind.calls)}</span>,
    value: (kind) => kind.calls,
  },
  {
    id: 'money',
    header: say('money'),
    align: 'right',
    card: 'amount',
    cell: ({ quota }) => <Quota value={quota} />,
    value: ({ quota }) => quota,
  },
  {
    id: 'sample',
    header: say('sample'),
    most: 130,
    cell: ({ request_id }) => <span className="mono">{request_id}</span>,
    value: ({ request_id }) => request_id,
  },
]

/** The log of the calls of a kind. */
const callsOf = ({ kind, place, name }: DeclaredUsage) =>
  ({ to: '/log', search: { provisional: `${kind} ${place} ${name}`, range: 'all' } as never }) as const

export const firstRead: FirstRead = (read, search) =>
  read(calls.listDeclaredUsage, { query: tableQueryAt(table, search) })

/** Parts of answers that no table of prices knows; root declares what they cost. */
export const DeclaredUsageScreen = () => {
  const say = useDeclaredUsageMessages()
  const navigate = useNavigate()
  const language = useLanguage()
  const leads = usePageLeadsAbove('/unknown-usage')
  const [search, setSearch] = useSearchParams()
  const seesLog = useIsStaff('logs')
  const isRoot = (useSession()?.role ?? 0) >= role.root
  const state = useTableState(table)
  const usages = useEndpoint(calls.listDeclaredUsage, { query: state.query }, { refreshEveryMs: refreshMs })
  const columns = useMemo(() => columnsOf(say), [say])
  const opened = usages.data?.items.find(({ id, kind }) => id === Number(search.id) && kind !== 'price')
  const open = (id: number) => () => setSearch({ id: String(id) })
  /** The price of a new model is set with the prices; a cost that was noted needs nothing more. */
  const actionsOf = ({ kind, declaration, id }: DeclaredUsage): RowAction[] => {
    const isOpen = declaration === undefined
    if (kind === 'price')
      return [
        {
          label: say('setPrice'),
          onClick: () => void navigate({ to: '/setting/$section', params: { section: 'prices' } }),
        },
      ]
    if (kind === 'cost') return isOpen ? [{ label: say('note'), onClick: open(id) }] : []
    return [{ label: say(isOpen ? 'declare' : 'change'), onClick: open(id) }]
  }
  return (
    <>
      <PageHeader
        title={say('title')}
        text={say('text')}
        actions={leads.map(({ path, title }) => (
          <Button
            key={path}
            leftSection={<Icon name="receipt" size={14} />}
            onClick={() => void navigate({ href: path })}
          >
            {textIn(title, language)}
          </Button>
        ))}
      />
      <DataTable
        title={say('title')}
        columns={columns}
        query={usages}
        state={state}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        {...(isRoot ? { onOpen: ({ id }: DeclaredUsage) => setSearch({ id: String(id) }) } : {})}
        rowActions={(usage: DeclaredUsage) => [
          ...(isRoot ? actionsOf(usage) : []),
          // Costs that a provider states make no charge provisional, so there are no such calls to show.
          ...(seesLog && usage.kind !== 'cost'
            ? [{ label: say('showCalls'), icon: 'document' as const, onClick: () => void navigate(callsOf(usage)) }]
            : []),
        ]}
        exportName="unknown-usage"
        empty={{ icon: 'receipt', title: say('empty'), text: say('emptyText') }}
      />
      {isRoot && opened !== undefined && <DeclareForm kind={opened} onClose={() => setSearch({ id: undefined })} />}
    </>
  )
}
