import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Column, RowAction } from '../../components/data-table/columns/column.ts'
import { DataTable } from '../../components/data-table/data-table.tsx'
import { Quota } from '../../components/display/quota.tsx'
import { TimeText } from '../../components/display/time/time-text.tsx'
import { calls, type DataOf, type listSiteOrganisations } from '../../lib/api/contract.ts'
import { useEndpoint } from '../../lib/query.ts'
import { formatInteger } from '../../lib/text/format.ts'
import { useTableState } from '../../lib/url/table-state.ts'
import { type SayOrganisation, useOrganisationMessages } from './messages.ts'
import { keywordOnly, pageOfRows } from './use-rows.ts'

type Row = DataOf<typeof listSiteOrganisations>[number]

const columnsOf = (say: SayOrganisation): readonly Column<Row>[] => [
  {
    id: 'name',
    header: say('name'),
    card: 'title',
    most: 280,
    cell: (row) => <span className="strong">{row.name}</span>,
    value: (row) => row.name,
  },
  { id: 'domain', header: say('domain'), cell: (row) => row.domain || '—', value: (row) => row.domain },
  {
    id: 'members',
    header: say('memberCount'),
    align: 'right',
    card: 'none',
    cell: (row) => <span className="num">{formatInteger(row.members)}</span>,
    value: (row) => row.members,
  },
  {
    id: 'used',
    header: say('usedEver'),
    align: 'right',
    cell: (row) => <Quota value={row.used} />,
    value: (row) => row.used,
    money: true,
    sum: true,
  },
  {
    id: 'balance',
    header: say('balance'),
    align: 'right',
    card: 'amount',
    cell: (row) => <Quota value={row.balance} />,
    value: (row) => row.balance,
    money: true,
    sum: true,
  },
  {
    id: 'created_time',
    header: say('created'),
    card: 'none',
    cell: (row) => <TimeText at={row.created_time} brief />,
    value: (row) => row.created_time,
  },
]

/** All organisations, for administrators of the site. */
export const SiteOrganisations = () => {
  const say = useOrganisationMessages()
  const navigate = useNavigate()
  const state = useTableState({ name: 'organisations', filters: keywordOnly })
  const all = useEndpoint(calls.listSiteOrganisations, { query: {} })
  const columns = useMemo(() => columnsOf(say), [say])
  const open = ({ id }: Row): void =>
    void navigate({ to: '/organisation/$id', params: { id: String(id) }, search: { site: '1' } })
  const actions = (row: Row): readonly RowAction[] => [
    { label: say('open'), icon: 'building', onClick: () => open(row) },
    {
      label: say('openWallet'),
      icon: 'wallet',
      onClick: () => void navigate({ to: '/user/$id', params: { id: String(row.wallet_user_id) } }),
    },
  ]
  return (
    <DataTable
      title={say('ofSite')}
      columns={columns}
      query={pageOfRows(all, all.data, state, ({ name, domain }) => `${name} ${domain}`)}
      state={state}
      rowId={({ id }) => id}
      rowName={({ name }) => name}
      search={{ filter: 'keyword', placeholder: say('searchName') }}
      rowActions={actions}
      onOpen={open}
      readRows={async () => ({ rows: all.data ?? [], capped: false })}
      empty={{ icon: 'building', title: say('ofSiteEmpty') }}
    />
  )
}
