import { Button } from '@mantine/core'
import { useLocation, useNavigate, useParams, useRouter } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Facet, RowAction } from '../../components/data-table/columns/column.ts'
import { DataTable } from '../../components/data-table/data-table.tsx'
import { readAll } from '../../components/data-table/export/read-all.ts'
import { withCounts } from '../../components/data-table/filters/counted-facets.ts'
import { Icon } from '../../components/display/icon.tsx'
import { useFigureAction } from '../../components/figure-link.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { call } from '../../lib/api/api.ts'
import { calls, cancelledUsers, role, type User, userStatus } from '../../lib/api/contract.ts'
import { useSession } from '../../lib/api/session.ts'
import { onDemand } from '../../lib/loading/on-demand.tsx'
import type { FirstRead } from '../../lib/loading/read-ahead.ts'
import { useEndpoint } from '../../lib/query.ts'
import { useSearchParams } from '../../lib/url/search-params.ts'
import { tableQueryAt, useTableState } from '../../lib/url/table-state.ts'
import type { Search } from '../../lib/url/url-state.ts'
import { useListed } from './about-users.ts'
import { isCancelled } from './badges.tsx'
import { BulkManageDialogs, useBulkManage } from './bulk.tsx'
import { userColumns } from './columns.tsx'
import { ManageUserDialog, mayChange, useManageUser } from './manage.tsx'
import { useUserMessages } from './messages.ts'

const CreateUser = onDemand(async () => (await import('./new-user/form.tsx')).CreateUser)
const UserPreview = onDemand(async () => (await import('./preview.tsx')).UserPreview)
const EditUser = onDemand(async () => (await import('./form.tsx')).EditUser)

/** The preview gives way to the form. */
const withoutPreview = ({ show: _, ...kept }: Search): Search => kept

const filters = ['keyword', 'group', 'role', 'status', 'kind'] as const
const table = { name: 'users', filters, defaults: { kind: 'people' } } as const
const none: readonly User[] = []
type UserFilter = (typeof filters)[number]

const useUserFacets = (): readonly Facet<UserFilter>[] => {
  const say = useUserMessages()
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

/** Wallets of organisations are users to the ledger, and no people. It has no values to count. */
const useKindFacet = (): Facet<UserFilter> => {
  const say = useUserMessages()
  return {
    kind: 'choice',
    id: 'kind',
    label: say('kind'),
    single: true,
    options: [
      { value: 'people', label: say('kindPeople') },
      { value: 'wallets', label: say('kindWallets') },
    ],
  }
}

export const firstRead: FirstRead = (read, search) => read(calls.searchUsers, { query: tableQueryAt(table, search) })

export const UsersScreen = () => {
  const say = useUserMessages()
  const navigate = useNavigate()
  const toFigures = useFigureAction()
  const { pathname } = useLocation()
  const { id } = useParams({ strict: false })
  const [search, setSearch] = useSearchParams()
  const state = useTableState(table)
  const users = useEndpoint(calls.searchUsers, { query: state.query })
  const facets = useUserFacets()
  const kindFacet = useKindFacet()
  const rows = useListed(users.data?.items ?? none)
  const columns = useMemo(() => userColumns(say), [say])
  const manage = useManageUser()
  const bulk = useBulkManage()
  const viewer = useSession()?.role ?? 0

  const router = useRouter()
  const pageOf = (user: User) => ({ to: '/user/$id', params: { id: String(user.id) } }) as const
  const open = (user: User): void => void navigate(pageOf(user))
  const preview = (user: User): void => setSearch({ show: String(user.id) })
  const shown = users.data?.items.find((user) => String(user.id) === search.show)
  // A failed prefetch is ignored: the page fetches again when it opens, and reports failures.
  const prepare = (user: User): void => void router.preloadRoute(pageOf(user)).catch(() => undefined)
  const edit = (user: User): void =>
    void navigate({
      to: '/user/edit/$id',
      params: { id: String(user.id) },
      search: withoutPreview as never,
      resetScroll: false,
    })
  const close = (): void => void navigate({ to: '/user', search: true, resetScroll: false })
  const actions = (user: User): readonly RowAction[] =>
    isCancelled(user)
      ? []
      : [
          { label: say('open'), icon: 'user', onClick: () => open(user) },
          {
            label: say('edit'),
            icon: 'edit',
            changes: true,
            onClick: () => edit(user),
            ...(mayChange(viewer, user) ? {} : { disabled: true, hint: say('higherLevel') }),
          },
          {
            label: say('logs'),
            icon: 'document',
            onClick: () => void navigate({ to: '/log', search: { username: user.username } }),
          },
          ...toFigures({ by: 'model', filters: [{ dimension: 'user', is: 'is', values: [String(user.id)] }] }),
          ...manage.actions(user),
        ]
  const add = (variant: 'filled' | 'default') => (
    <Button
      data-create
      variant={variant}
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
      <PageHeader title={say('title')} text={say('text')} actions={add('filled')} />
      <DataTable
        title={say('title')}
        columns={columns}
        query={{
          data: users.data && { ...users.data, items: rows },
          isPending: users.isPending,
          isPlaceholderData: users.isPlaceholderData,
          error: users.error,
          refetch: users.refetch,
        }}
        state={state}
        rowId={(user) => user.id}
        rowName={(user) => user.username}
        quiet={(user) => isCancelled(user) || user.status !== userStatus.enabled}
        search={{ filter: 'keyword', placeholder: say('search') }}
        facets={[...withCounts(facets, calls.countUsers, state.query), kindFacet]}
        onOpen={preview}
        onEnter={open}
        current={search.show}
        onPoint={prepare}
        rowActions={actions}
        bulkActions={bulk.actions}
        readRows={() => readAll((p, page_size) => call(calls.searchUsers, { query: { ...state.query, p, page_size } }))}
        empty={{ icon: 'users', title: say('emptyTitle'), text: say('emptyText'), action: add('default') }}
      />
      {shown && (
        <UserPreview
          user={shown}
          {...(mayChange(viewer, shown) && !isCancelled(shown) ? { onEdit: () => edit(shown) } : {})}
          onClose={() => setSearch({ show: undefined })}
        />
      )}
      {adding && <CreateUser onClose={close} />}
      {edited > 0 && <EditUser key={edited} id={edited} onClose={close} />}
      <ManageUserDialog {...manage} />
      <BulkManageDialogs {...bulk} />
    </>
  )
}
