import { Skeleton } from '@mantine/core'
import { Quota } from '../../../components/display/quota.tsx'
import { TimeText } from '../../../components/display/time/time-text.tsx'
import { ScreenParts } from '../../../components/parts/screen-parts.tsx'
import { EmptyState, ErrorState } from '../../../components/states.tsx'
import { TabLinks } from '../../../components/tab-links.tsx'
import { WaitingPanel } from '../../../components/usage/panel.tsx'
import { useDay, useMonth } from '../../../components/usage/scope.ts'
import usage from '../../../components/usage/usage.module.css'
import { UsageStrip } from '../../../components/usage/usage-strip.tsx'
import { calls, type Token } from '../../../lib/api/contract.ts'
import { onDemand } from '../../../lib/loading/on-demand.tsx'
import { useEndpoint } from '../../../lib/query.ts'
import { useStatus } from '../../../lib/status.ts'
import { useSearchParams } from '../../../lib/url/search-params.ts'
import { BackToKeys, KeyHeader } from './header.tsx'
import { useTokenPageMessages } from './messages.ts'
import { keyScope } from './scope.ts'
import { firstRead, useShownKey } from './use-key.ts'

export { firstRead }

// The blocks come one by one: the head stands before the charts are loaded, and each keeps its place until then.
const chart = () => <WaitingPanel kind="chart" />
const list = () => <WaitingPanel />
const SpendChart = onDemand(async () => (await import('../../../components/usage/spend-chart.tsx')).SpendChart, chart)
const ModelTable = onDemand(async () => (await import('../../../components/usage/model-table.tsx')).ModelTable, list)
const FailureTable = onDemand(
  async () => (await import('../../../components/usage/failure-table.tsx')).FailureTable,
  list,
)
const RecentCalls = onDemand(async () => (await import('../../../components/usage/recent-calls.tsx')).RecentCalls, list)
const Limits = onDemand(async () => (await import('./limits.tsx')).Limits, list)
const LimitsTab = onDemand(async () => (await import('./limits-tab.tsx')).LimitsTab, list)
const UseIt = onDemand(async () => (await import('./use-it.tsx')).UseIt, list)
const History = onDemand(async () => (await import('./history.tsx')).History, list)
const EditToken = onDemand(async () => (await import('../form.tsx')).EditToken)

const tabs = ['overview', 'spend', 'calls', 'limits', 'use', 'history'] as const
type Tab = (typeof tabs)[number]

const Page = ({
  token,
  owner,
  username,
}: {
  token: Token
  owner: number | undefined
  username: string | undefined
}) => {
  const say = useTokenPageMessages()
  const [search, setSearch] = useSearchParams()
  const { enable_data_export: measured } = useStatus()
  const scope = keyScope(token, username)
  const month = useMonth(scope)
  const day = useDay(scope)
  const isOwn = owner === undefined
  const names = isOwn ? tabs : tabs.filter((name) => name !== 'use')
  const tab = names.find((name) => name === search.tab) ?? 'overview'
  const shows = (name: Tab): boolean => tab === 'overview' || tab === name
  return (
    <>
      <KeyHeader token={token} owner={owner} username={username} onEdit={() => setSearch({ edit: '1' })} />
      <TabLinks
        to="/token/$id"
        id={token.id}
        {...(isOwn ? {} : { search: { user: String(owner) } })}
        label={say('tabs')}
        names={names}
        current={tab}
        textOf={say}
      />
      {tab === 'overview' && <ScreenParts place="about a key" about={String(token.id)} />}
      <div className={usage.blocks} data-alone={tab === 'overview' ? undefined : ''}>
        {tab === 'overview' && (
          <div className={usage.whole}>
            <UsageStrip
              scope={scope}
              month={month}
              day={day}
              before={[
                {
                  label: say('remaining'),
                  value: token.unlimited_quota ? say('unlimited') : <Quota value={token.remain_quota} />,
                  ...(token.unlimited_quota || token.remain_quota > 0 ? {} : { tone: 'bad' as const }),
                },
              ]}
              after={[
                {
                  label: say('lastUsed'),
                  value:
                    token.accessed_time > token.created_time ? (
                      <TimeText at={token.accessed_time} relative />
                    ) : (
                      say('never')
                    ),
                },
              ]}
            />
          </div>
        )}
        {measured && shows('spend') && <SpendChart scope={scope} month={month} />}
        {tab === 'overview' && <Limits token={token} isOwn={isOwn} />}
        {tab === 'limits' && <LimitsTab token={token} isOwn={isOwn} />}
        {measured && shows('spend') && <ModelTable scope={scope} month={month} />}
        {measured && shows('calls') && <FailureTable scope={scope} day={day} />}
        {shows('calls') && (
          <div className={usage.whole}>
            <RecentCalls scope={scope} />
          </div>
        )}
        {isOwn && shows('use') && <UseIt token={token} />}
        {shows('history') && <History id={token.id} owner={owner} />}
      </div>
      {isOwn && search.edit && <EditToken id={token.id} onClose={() => setSearch({ edit: undefined })} />}
    </>
  )
}

/** The name of another user is part of what is asked of the log. */
const OthersPage = ({ token, owner }: { token: Token; owner: number }) => {
  const { data, error } = useEndpoint(calls.getUserOverview, { params: { id: owner } }, { staleTimeMs: 60_000 })
  if (error && !data) return <ErrorState error={error} />
  return data?.user.id === owner ? <Page token={token} owner={owner} username={data.user.username} /> : <Waiting />
}

const Waiting = () => (
  <div aria-busy="true">
    <Skeleton h={18} w={80} mb={8} />
    <Skeleton h={28} w={320} mb={16} />
    <Skeleton h={118} mb={12} />
    <Skeleton h={830} />
  </div>
)

/** Everything about one API key: spend, calls, what limits it, how to use it and its history. */
export const TokenScreen = () => {
  const say = useTokenPageMessages()
  const { id, owner, token, error, retry } = useShownKey()
  if (token && owner !== undefined) return <OthersPage key={id} token={token} owner={owner} />
  if (token) return <Page key={id} token={token} owner={undefined} username={undefined} />
  if (!error && token === undefined) return <Waiting />
  return (
    <>
      <BackToKeys owner={owner} />
      {error ? (
        <ErrorState error={error} onRetry={retry} />
      ) : (
        <div className="panel">
          <EmptyState icon="key" title={say('noEntry')} />
        </div>
      )}
    </>
  )
}
