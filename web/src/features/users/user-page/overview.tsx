import { Link } from '@tanstack/react-router'
import { CopyText } from '../../../components/copy/copy-text.tsx'
import { Figures } from '../../../components/display/figures.tsx'
import { GroupTag } from '../../../components/display/group-tag.tsx'
import { Quota } from '../../../components/display/quota.tsx'
import { TimeText } from '../../../components/display/time-text.tsx'
import { UserLink } from '../../../components/display/user-link.tsx'
import type { User, UserOverview } from '../../../lib/api/contract.ts'
import { formatCompact, formatInteger } from '../../../lib/text/format.ts'
import { Facts } from './facts.tsx'
import { type SayUserPage, useUserPageMessages } from './messages.ts'
import type { TabName } from './tabs.ts'
import classes from './user-page.module.css'

const bindingsOf = (user: User, say: SayUserPage) =>
  [
    { label: say('email'), bound: user.email },
    { label: 'GitHub', bound: user.github_id },
    { label: 'OIDC', bound: user.oidc_id },
    { label: 'LinuxDO', bound: user.linux_do_id },
    { label: say('wechat'), bound: user.wechat_id },
    { label: 'Telegram', bound: user.telegram_id },
  ].map(({ label, bound }) => ({ label, value: bound || <span className="faint">{say('notBound')}</span> }))

/** Key figures and facts of the account. */
export const Overview = ({ overview: { user, inviter, tokens, sessions } }: { overview: UserOverview }) => {
  const say = useUserPageMessages()
  const inTab = (tab: TabName, count: number) => (
    <Link to="/user/$id" params={{ id: String(user.id) }} search={{ tab }} className="num">
      {formatInteger(count)}
    </Link>
  )
  const none = <span className="faint">{say('none')}</span>
  return (
    <>
      <Figures
        figures={[
          { label: say('balance'), value: <Quota value={user.quota} />, ...(user.quota <= 0 ? { tone: 'bad' } : {}) },
          { label: say('used'), value: <Quota value={user.used_quota} /> },
          { label: say('requests'), value: formatCompact(user.request_count) },
          { label: say('tokenCount'), value: formatInteger(tokens) },
          { label: say('sessionCount'), value: formatInteger(sessions) },
        ]}
      />
      <div className={classes.columns}>
        <Facts
          title={say('account')}
          facts={[
            { label: say('username'), value: user.username },
            { label: say('displayName'), value: user.display_name || none },
            { label: say('group'), value: <GroupTag name={user.group} /> },
            { label: say('created'), value: <TimeText at={user.created_time} /> },
            { label: say('lastLogin'), value: <TimeText at={user.last_login_time} /> },
          ]}
        />
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
        <Facts
          title={say('access')}
          facts={[
            { label: say('tokenCount'), value: inTab('tokens', tokens) },
            { label: say('sessionCount'), value: inTab('sessions', sessions) },
          ]}
        />
      </div>
    </>
  )
}
