import { Link, useNavigate } from '@tanstack/react-router'
import type { Column } from '../../../components/data-table/columns/column.ts'
import { DataTable } from '../../../components/data-table/data-table.tsx'
import { readAll } from '../../../components/data-table/export/read-all.ts'
import { Figures } from '../../../components/display/figures.tsx'
import { Quota } from '../../../components/display/quota.tsx'
import { StatusBadge } from '../../../components/display/status-badge.tsx'
import { TimeText } from '../../../components/display/time/time-text.tsx'
import { call } from '../../../lib/api/api.ts'
import { calls, type Invitee, type User, userStatus } from '../../../lib/api/contract.ts'
import { useEndpoint } from '../../../lib/query.ts'
import { formatInteger } from '../../../lib/text/format.ts'
import { useTableState } from '../../../lib/url/table-state.ts'
import { type SayUserPage, useUserPageMessages } from './messages.ts'

const stateOf = ({ DeletedAt, status }: Invitee) =>
  DeletedAt !== null ? 'cancelled' : status === userStatus.enabled ? 'active' : 'banned'

const columnsOf = (say: SayUserPage): readonly Column<Invitee>[] => [
  {
    id: 'username',
    header: say('username'),
    card: 'title',
    cell: (user) => <span className="strong">{user.username}</span>,
    value: (user) => user.username,
  },
  { id: 'id', header: 'ID', align: 'right', cell: (user) => user.id, value: (user) => user.id },
  {
    id: 'status',
    header: say('status'),
    card: 'title',
    cell: (user) => <StatusBadge tone={stateOf(user) === 'active' ? 'good' : 'bad'} label={say(stateOf(user))} />,
    value: (user) => say(stateOf(user)),
  },
  {
    id: 'created_time',
    header: say('joined'),
    cell: (user) => <TimeText at={user.created_time} />,
    value: (user) => user.created_time,
  },
  {
    id: 'used_quota',
    header: say('used'),
    align: 'right',
    cell: (user) => <Quota value={user.used_quota} />,
    value: (user) => user.used_quota,
  },
]

const noFilters = [] as const

/** The earnings of the user's invitations, and the invited users. */
export const Invites = ({ user }: { user: User }) => {
  const say = useUserPageMessages()
  const navigate = useNavigate()
  const state = useTableState({ name: 'invitees', filters: noFilters })
  const invitees = useEndpoint(calls.listInvitees, { params: { id: user.id }, query: state.query })
  return (
    <>
      <Figures
        figures={[
          { label: say('invited'), value: formatInteger(user.aff_count) },
          { label: say('pending'), value: <Quota value={user.aff_quota} /> },
          { label: say('earned'), value: <Quota value={user.aff_history_quota} /> },
        ]}
      />
      <DataTable
        title={say('inviteesTitle')}
        columns={columnsOf(say)}
        query={invitees}
        state={state}
        rowId={(invitee) => invitee.id}
        rowName={(invitee) => invitee.username}
        quiet={(invitee) => stateOf(invitee) !== 'active'}
        readRows={() =>
          readAll((p, page_size) =>
            call(calls.listInvitees, { params: { id: user.id }, query: { ...state.query, p, page_size } }),
          )
        }
        tools={
          <Link to="/user/$id" params={{ id: String(user.id) }} search={{ tab: 'ledger', account: 'aff' }}>
            {say('showEarnings')}
          </Link>
        }
        onOpen={({ id }) => void navigate({ to: '/user/$id', params: { id: String(id) } })}
        empty={{ icon: 'users', title: say('invitesEmpty') }}
      />
    </>
  )
}
