import { Button } from '@mantine/core'
import { useLocation, useNavigate, useParams } from '@tanstack/react-router'
import type { Facet, RowAction } from '../../components/data-table/column.ts'
import { DataTable } from '../../components/data-table/data-table.tsx'
import { Icon } from '../../components/icon.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { calls, cancelledUsers, role, type User, userStatus } from '../../lib/contract.ts'
import { useEndpoint } from '../../lib/query.ts'
import { useSession } from '../../lib/session.ts'
import { useTableState } from '../../lib/table-state.ts'
import { isCancelled } from './badges.tsx'
import { useBulkManage } from './bulk.tsx'
import { userColumns } from './columns.tsx'
import { CreateUser, EditUser } from './form.tsx'
import { mayChange, useManageUser } from './manage.tsx'
import { useUserWords } from './messages.ts'

const filters = ['keyword', 'group', 'role', 'status'] as const
type UserFilter = (typeof filters)[number]

const useUserFacets = (): readonly Facet<UserFilter>[] => {
  const say = useUserWords()
  const { data: groups } = useEndpoint(calls.listGroups)
  return [
    {
      kind: 'choice',
      id: 'group',
      label: say('group'),
      single: true,
      options: (groups ?? []).map((name) => ({ value: name, label: name })),
    },
    {
      kind: 'choice',
      id: 'role',
      label: say('role'),
      options: [
        { value: String(role.user), label: say('role1') },
        { value: String(role.admin), label: say('role10') },
        { value: String(role.root), label: say('role100') },
      ],
    },
    {
      kind: 'choice',
      id: 'status',
      label: say('status'),
      options: [
        { value: String(userStatus.enabled), label: say('status1') },
        { value: String(userStatus.disabled), label: say('status2') },
        { value: String(userStatus.retired), label: say('status3') },
        { value: String(cancelledUsers), label: say('cancelled') },
      ],
    },
  ]
}

export const UsersScreen = () => {
  const say = useUserWords()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const { id } = useParams({ strict: false })
  const state = useTableState({ name: 'users', filters })
  const users = useEndpoint(calls.searchUsers, { query: state.query })
  const facets = useUserFacets()
  const manage = useManageUser()
  const bulk = useBulkManage()
  const viewer = useSession()?.role ?? 0

  const open = (user: User): void => void navigate({ to: '/user/$id', params: { id: String(user.id) } })
  const edit = (user: User): void =>
    void navigate({ to: '/user/edit/$id', params: { id: String(user.id) }, search: true, resetScroll: false })
  const close = (): void => void navigate({ to: '/user', search: true, resetScroll: false })
  const actions = (user: User): readonly RowAction[] =>
    isCancelled(user)
      ? []
      : [
          { label: say('open'), icon: 'user', onClick: () => open(user) },
          {
            label: say('edit'),
            icon: 'edit',
            onClick: () => edit(user),
            ...(mayChange(viewer, user) ? {} : { disabled: true, hint: say('higherLevel') }),
          },
          {
            label: say('logs'),
            icon: 'document',
            onClick: () => void navigate({ to: '/log', search: { username: user.username } }),
          },
          ...manage.actions(user),
        ]
  const add = (
    <Button
      variant="filled"
      leftSection={<Icon name="plus" size={14} />}
      onClick={() => void navigate({ to: '/user/add', search: true, resetScroll: false })}
    >
      {say('add')}
    </Button>
  )
  const adding = /^\/user\/(add|edit)\/?$/.test(pathname)
  const edited = Number(id)
  return (
    <>
      <PageHeader title={say('title')} text={say('text')} actions={add} />
      <DataTable
        title={say('title')}
        columns={userColumns(say)}
        query={users}
        state={state}
        rowId={(user) => user.id}
        rowName={(user) => user.username}
        quiet={(user) => isCancelled(user) || user.status !== userStatus.enabled}
        search={{ filter: 'keyword', placeholder: say('search') }}
        facets={facets}
        onOpen={open}
        rowActions={actions}
        bulkActions={bulk.actions}
        empty={{ icon: 'users', title: say('emptyTitle'), text: say('emptyText'), action: add }}
      />
      {adding && <CreateUser onClose={close} />}
      {edited > 0 && <EditUser key={edited} id={edited} onClose={close} />}
      {manage.dialog}
      {bulk.dialog}
    </>
  )
}
