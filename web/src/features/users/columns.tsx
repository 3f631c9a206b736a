import type { ReactNode } from 'react'
import type { Column } from '../../components/data-table/columns/column.ts'
import { GroupTag } from '../../components/display/group-tag.tsx'
import { Hint } from '../../components/display/hint.tsx'
import { Quota } from '../../components/display/quota.tsx'
import { TimeText } from '../../components/display/time/time-text.tsx'
import { UserLink } from '../../components/display/user-link.tsx'
import { cancelledUsers, role, type User } from '../../lib/api/contract.ts'
import { formatCompact } from '../../lib/text/format.ts'
import type { ListedUser } from './about-users.ts'
import { isCancelled, RoleBadge, roleWord, statusWord, UserStatusBadge } from './badges.tsx'
import type { SayUser } from './messages.ts'
import classes from './users.module.css'

const Named = ({ label, children }: { label: string; children: ReactNode }) => (
  <Hint label={label}>
    <span>
      <span className="visually-hidden">{label} </span>
      {children}
    </span>
  </Hint>
)

const hasInvites = ({ aff_count, aff_history_quota, inviter_id }: User): boolean =>
  aff_count > 0 || aff_history_quota > 0 || inviter_id > 0

const Invites = ({ user, say }: { user: User; say: SayUser }) => (
  <span className={`num ${classes.figures}`}>
    <Named label={say('invited')}>{formatCompact(user.aff_count)}</Named>
    <span className="faint">·</span>
    <Named label={say('inviteEarnings')}>
      <Quota value={user.aff_history_quota} />
    </Named>
    <span className="faint">·</span>
    <Named label={say('inviter')}>
      {user.inviter_id > 0 ? <UserLink id={user.inviter_id} name={`#${user.inviter_id}`} /> : say('none')}
    </Named>
  </span>
)

/** Columns of user management. */
export const userColumns = (say: SayUser): readonly Column<ListedUser>[] => [
  {
    id: 'username',
    header: say('username'),
    sortable: true,
    card: 'title',
    cell: (user) => (
      <span className={`strong ${classes.name}`}>
        {user.username}
        {user.display_name !== '' && user.display_name !== user.username && <small>{user.display_name}</small>}
      </span>
    ),
    value: (user) => user.username,
  },
  {
    id: 'id',
    header: say('id'),
    sortable: true,
    card: 'none',
    align: 'right',
    cell: (user) => user.id,
    value: (user) => user.id,
  },
  {
    id: 'group',
    header: say('group'),
    filters: (user) => [{ facet: 'group', value: user.group }],
    sortable: true,
    cell: (user) => <GroupTag name={user.group} />,
    value: (user) => user.group,
  },
  {
    id: 'quota',
    header: say('balance'),
    sortable: true,
    align: 'right',
    card: 'amount',
    cell: (user) => <Quota value={user.quota} />,
    value: (user) => user.quota,
    money: true,
    sum: true,
  },
  {
    id: 'used_quota',
    header: say('used'),
    sortable: true,
    align: 'right',
    cell: (user) => <Quota value={user.used_quota} />,
    value: (user) => user.used_quota,
    money: true,
    sum: true,
  },
  {
    id: 'request_count',
    header: say('requests'),
    card: 'none',
    sortable: true,
    align: 'right',
    cell: (user) => formatCompact(user.request_count),
    value: (user) => user.request_count,
  },
  {
    id: 'spend_30d',
    header: say('monthSpend'),
    card: 'none',
    align: 'right',
    cell: ({ activity }) => (activity ? <Quota value={activity.spend} /> : null),
    value: ({ activity }) => activity?.spend ?? '',
    money: true,
    sum: true,
  },
  {
    id: 'last_active',
    header: say('lastActive'),
    cell: ({ activity }) =>
      activity && activity.last_active > 0 ? (
        <TimeText at={activity.last_active} relative />
      ) : (
        activity && <span className="faint">{say('never')}</span>
      ),
    value: ({ activity }) => activity?.last_active ?? '',
  },
  {
    id: 'invites',
    header: say('invites'),
    hidden: true,
    card: 'none',
    cell: (user) => (hasInvites(user) ? <Invites user={user} say={say} /> : <span className="faint">—</span>),
    value: (user) => user.aff_count,
  },
  {
    id: 'role',
    header: say('role'),
    filters: (user) => [{ facet: 'role', value: String(user.role) }],
    sortable: true,
    cell: (user) => <RoleBadge user={user} />,
    // On a phone only what is no ordinary user: staff, with the set of their permissions, and wallets of organisations.
    cardCell: (user) =>
      user.role === role.user && user.organisation_id === undefined ? null : <RoleBadge user={user} />,
    value: (user) => roleWord(user, say),
  },
  {
    id: 'status',
    header: say('status'),
    filters: (user) => [{ facet: 'status', value: String(isCancelled(user) ? cancelledUsers : user.status) }],
    sortable: true,
    card: 'title',
    cell: (user) => <UserStatusBadge user={user} />,
    value: (user) => statusWord(user, say),
  },
  {
    id: 'email',
    header: say('email'),
    hidden: true,
    card: 'none',
    cell: (user) => user.email,
    value: (user) => user.email,
  },
  {
    id: 'created_time',
    header: say('created'),
    sortable: true,
    hidden: true,
    card: 'none',
    cell: (user) => <TimeText at={user.created_time} />,
    value: (user) => user.created_time,
  },
  {
    id: 'last_login_time',
    header: say('lastLogin'),
    sortable: true,
    hidden: true,
    card: 'none',
    cell: (user) => <TimeText at={user.last_login_time} relative />,
    value: (user) => user.last_login_time,
  },
]
