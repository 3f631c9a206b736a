import { Link } from '@tanstack/react-router'
import { CopyText } from '../../../components/copy/copy-text.tsx'
import { GroupTag } from '../../../components/display/group-tag.tsx'
import { Quota } from '../../../components/display/quota.tsx'
import { TimeText } from '../../../components/display/time/time-text.tsx'
import { UserLink } from '../../../components/display/user-link.tsx'
import { ScreenParts } from '../../../components/parts/screen-parts.tsx'
import { WaitingPanel } from '../../../components/usage/panel.tsx'
import { useDay, useMonth } from '../../../components/usage/scope.ts'
import usage from '../../../components/usage/usage.module.css'
import { UsageStrip } from '../../../components/usage/usage-strip.tsx'
import type { User, UserOverview } from '../../../lib/api/contract.ts'
import { onDemand } from '../../../lib/loading/on-demand.tsx'
import { useStatus } from '../../../lib/status.ts'
import { formatInteger } from '../../../lib/text/format.ts'
import { Facts } from './facts.tsx'
import { type SayUserPage, useUserPageMessages } from './messages.ts'
import { userScope } from './scope.ts'
import type { UserTab } from './tabs.ts'

// The blocks come one by one: the figures stand before the charts are loaded, and each keeps its place until then.
const chart = () => <WaitingPanel kind="chart" />
const list = () => <WaitingPanel />
const SpendChart = onDemand(async () => (await import('../../../components/usage/spend-chart.tsx')).SpendChart, chart)
const ModelTable = onDemand(async () => (await import('../../../components/usage/model-table.tsx')).ModelTable, list)
const KeySpend = onDemand(async () => (await import('./key-spend.tsx')).KeySpend, list)
const FailureTable = onDemand(
  async () => (await import('../../../components/usage/failure-table.tsx')).FailureTable,
  list,
)
const RecentCalls = onDemand(async () => (await import('../../../components/usage/recent-calls.tsx')).RecentCalls, list)

const bindingsOf = (user: User, say: SayUserPage) =>
  [
    { label: say('email'), bound: user.email },
    { label: 'GitHub', bound: user.github_id },
    { label: 'OIDC', bound: user.oidc_id },
    { label: 'LinuxDO', bound: user.linux_do_id },
    { label: say('wechat'), bound: user.wechat_id },
    { label: 'Telegram', bound: user.telegram_id },
  ].map(({ label, bound }) => ({ label, value: bound || <span className="faint">{say('notBound')}</span> }))

/** Spending of the user and results of the calls, then the facts of the account. */
export const Overview = ({ overview: { user, inviter, tokens, sessions } }: { overview: UserOverview }) => {
  const say = useUserPageMessages()
  const { enable_data_export: measured } = useStatus()
  const scope = userScope(user)
  const month = useMonth(scope)
  const day = useDay(scope)
  const inTab = (tab: UserTab, count: number) => (
    <Link to="/user/$id" params={{ id: String(user.id) }} search={{ tab }} className="num">
      {formatInteger(count)}
    </Link>
  )
  const none = <span className="faint">{say('none')}</span>
  return (
    <div className={usage.blocks}>
      <div className={usage.whole}>
        <UsageStrip
          scope={scope}
          month={month}
          day={day}
          before={[
            { label: say('balance'), value: <Quota value={user.quota} />, ...(user.quota <= 0 ? { tone: 'bad' } : {}) },
          ]}
          after={[{ label: say('usedEver'), value: <Quota value={user.used_quota} /> }]}
        />
      </div>
      {measured && (
        <>
          <SpendChart scope={scope} month={month} />
          <ModelTable scope={scope} month={month} />
          <KeySpend userId={user.id} scope={scope} />
          <FailureTable scope={scope} day={day} />
        </>
      )}
      <div className={usage.whole}>
        <RecentCalls scope={scope} />
      </div>
      <div className={usage.whole}>
        <ScreenParts place="account of a user" about={String(user.id)} />
      </div>
      <Facts
        title={say('account')}
        facts={[
          { label: say('username'), value: user.username },
          { label: say('displayName'), value: user.display_name || none },
          { label: say('group'), value: <GroupTag name={user.group} /> },
          { label: say('requests'), value: formatInteger(user.request_count) },
          { label: say('tokenCount'), value: inTab('tokens', tokens) },
          { label: say('sessionCount'), value: inTab('sessions', sessions) },
          { label: say('created'), value: <TimeText at={user.created_time} /> },
          { label: say('lastLogin'), value: <TimeText at={user.last_login_time} /> },
        ]}
      />
      <div className={usage.column}>
        <Facts title={say('bindings')} facts={bindingsOf(user, say)} />
        <Facts
          title={say('invites')}
          facts={[
            { label: say('inviter'), value: inviter ? <UserLink id={inviter.id} name={inviter.username} /> : none },
            { label: say('inviteCode'), value: user.aff_code ? <CopyText text={user.aff_code} /> : none },
            { label: say('invited'), value: inTab('invites', user.aff_count) },
            { label: say('pending'), value: <Quota value={user.aff_quota} /> },
            { label: say('earned'), value: <Quota value={user.aff_history_quota} /> },
          ]}
        />
      </div>
    </div>
  )
}
