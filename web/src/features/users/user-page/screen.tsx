import { Skeleton } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ScreenParts } from '../../../components/parts/screen-parts.tsx'
import { ErrorState } from '../../../components/states.tsx'
import { TabLinks } from '../../../components/tab-links.tsx'
import { calls, type UserOverview } from '../../../lib/api/contract.ts'
import { useIsStaff } from '../../../lib/api/staff.ts'
import { onDemand } from '../../../lib/loading/on-demand.tsx'
import type { FirstRead } from '../../../lib/loading/read-ahead.ts'
import { useEndpoint } from '../../../lib/query.ts'
import { useSearchParams } from '../../../lib/url/search-params.ts'
import { isCancelled } from '../badges.tsx'
import { BackToUsers, UserHeader } from './header.tsx'
import { useUserPageMessages } from './messages.ts'
import { Overview } from './overview.tsx'
import { tabNames, tabOf, type UserTab } from './tabs.ts'

const LedgerTable = onDemand(async () => (await import('../../../components/ledger/ledger-table.tsx')).LedgerTable)
const Sessions = onDemand(async () => (await import('./sessions.tsx')).Sessions)
const Access = onDemand(async () => (await import('./access.tsx')).Access)
const Invites = onDemand(async () => (await import('./invites.tsx')).Invites)
const Tokens = onDemand(async () => (await import('./tokens.tsx')).Tokens)
const Audit = onDemand(async () => (await import('./audit.tsx')).Audit)
const Usage = onDemand(async () => (await import('./usage.tsx')).Usage)
const LimitStates = onDemand(async () => (await import('../../../components/limits/limit-states.tsx')).LimitStates)
const AdjustQuota = onDemand(async () => (await import('../adjust.tsx')).AdjustQuota)
const EditUser = onDemand(async () => (await import('../form.tsx')).EditUser)

const parts: Readonly<Record<UserTab, (overview: UserOverview) => ReactNode>> = {
  overview: (overview) => <Overview overview={overview} />,
  ledger: ({ user }) => <LedgerTable userId={user.id} />,
  tokens: ({ user }) => <Tokens userId={user.id} />,
  usage: ({ user }) => <Usage userId={user.id} />,
  limits: ({ user }) => <LimitStates of={{ user: user.id }} isOwn={false} />,
  invites: ({ user }) => <Invites user={user} />,
  sessions: ({ user }) => <Sessions user={user} />,
  access: ({ user }) => <Access user={user} />,
  audit: ({ user }) => <Audit userId={user.id} />,
}

const Page = ({ overview }: { overview: UserOverview }) => {
  const say = useUserPageMessages()
  const [search, setSearch] = useSearchParams()
  const { user } = overview
  const seesAudit = useIsStaff('audit')
  const names = tabNames.filter((name) => name !== 'audit' || seesAudit)
  const tab = tabOf(search.tab, names)
  const close = (): void => setSearch({ edit: undefined, adjust: undefined })
  return (
    <>
      <UserHeader user={user} onEdit={() => setSearch({ edit: '1' })} onAdjust={() => setSearch({ adjust: '1' })} />
      <TabLinks to="/user/$id" id={user.id} label={say('tabs')} names={names} current={tab} textOf={say} />
      {tab === 'overview' && <ScreenParts place="about a user" about={String(user.id)} />}
      {parts[tab](overview)}
      {search.edit && <EditUser id={user.id} onClose={close} />}
      {search.adjust && !isCancelled(user) && <AdjustQuota user={user} onClose={close} />}
    </>
  )
}

const Waiting = () => (
  <div aria-busy="true">
    <Skeleton h={28} w={220} mb={8} />
    <Skeleton h={18} w={320} mb={24} />
    <Skeleton h={280} />
  </div>
)

export const firstRead: FirstRead = (read, _search, { id }) =>
  read(calls.getUserOverview, { params: { id: Number(id) } })

/** Everything about one user: balance, ledger, keys, usage, invitations, sessions and audit log. For admins. */
export const UserScreen = () => {
  const { id } = useParams({ strict: false })
  const overview = useEndpoint(calls.getUserOverview, { params: { id: Number(id) } }, { staleTimeMs: 5000 })
  const { data, error } = overview
  // Another user's answer stays while this one is on its way.
  if (data && data.user.id === Number(id)) return <Page key={id} overview={data} />
  if (error)
    return (
      <>
        <BackToUsers />
        <ErrorState error={error} onRetry={() => void overview.refetch()} />
      </>
    )
  return <Waiting />
}
