import { GroupTag } from '../../components/display/group-tag.tsx'
import { Quota } from '../../components/display/quota.tsx'
import { TimeText } from '../../components/display/time/time-text.tsx'
import { PreviewSheet } from '../../components/preview-sheet.tsx'
import { RecentCalls } from '../../components/usage/recent-calls.tsx'
import { useDay, useMonth } from '../../components/usage/scope.ts'
import { UsageStrip } from '../../components/usage/usage-strip.tsx'
import type { User } from '../../lib/api/contract.ts'
import { RoleBadge, UserStatusBadge } from './badges.tsx'
import { useUserMessages } from './messages.ts'
import { Facts } from './user-page/facts.tsx'
import { useUserPageMessages } from './user-page/messages.ts'
import { userScope } from './user-page/scope.ts'

/** A user beside the list: balance, spend, how the calls of the last day went, and the latest of them. */
export const UserPreview = (props: { user: User; onEdit?: (() => void) | undefined; onClose: () => void }) => {
  const say = useUserMessages()
  const sayPage = useUserPageMessages()
  const { user } = props
  const scope = userScope(user)
  const month = useMonth(scope)
  const day = useDay(scope)
  return (
    <PreviewSheet
      key={user.id}
      name={user.display_name || user.username}
      subtitle={`${user.username} · #${user.id}`}
      edit={props.onEdit && { label: say('edit'), onClick: props.onEdit }}
      page={{ label: say('open'), to: '/user/$id', id: user.id }}
      states={
        <>
          <RoleBadge user={user} />
          <UserStatusBadge user={user} />
          <GroupTag name={user.group} />
        </>
      }
      onClose={props.onClose}
    >
      <UsageStrip
        scope={scope}
        month={month}
        day={day}
        before={[
          {
            label: sayPage('balance'),
            value: <Quota value={user.quota} />,
            ...(user.quota <= 0 ? { tone: 'bad' as const } : {}),
          },
        ]}
      />
      <Facts
        title={sayPage('account')}
        facts={[
          { label: sayPage('usedEver'), value: <Quota value={user.used_quota} /> },
          { label: sayPage('created'), value: <TimeText at={user.created_time} /> },
          { label: sayPage('lastLogin'), value: <TimeText at={user.last_login_time} /> },
        ]}
      />
      <RecentCalls scope={scope} />
    </PreviewSheet>
  )
}
