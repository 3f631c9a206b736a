import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { BesideSheet } from '../../components/beside-sheet.tsx'
import { GroupTag } from '../../components/display/group-tag.tsx'
import { Quota } from '../../components/display/quota.tsx'
import { TimeText } from '../../components/display/time-text.tsx'
import { RecentCalls } from '../../components/usage/recent-calls.tsx'
import { useDay, useMonth } from '../../components/usage/scope.ts'
import { UsageStrip } from '../../components/usage/usage-strip.tsx'
import type { User } from '../../lib/api/contract.ts'
import { RoleBadge, UserStatusBadge } from './badges.tsx'
import { useUserMessages } from './messages.ts'
import { Facts } from './user-page/facts.tsx'
import { useUserPageMessages } from './user-page/messages.ts'
import { userScope } from './user-page/scope.ts'
import classes from './users.module.css'

/** A user beside the list: balance, spend, how the calls of the last day went, and the latest of them. */
export const UserPreview = (props: { user: User; onEdit?: (() => void) | undefined; onClose: () => void }) => {
  const say = useUserMessages()
  const sayPage = useUserPageMessages()
  const { user } = props
  const scope = userScope(user)
  const month = useMonth(scope)
  const day = useDay(scope)
  return (
    <BesideSheet
      key={user.id}
      onClose={props.onClose}
      title={user.display_name || user.username}
      name={user.display_name || user.username}
      subtitle={`${user.username} · #${user.id}`}
      actions={
        <>
          {props.onEdit && (
            <Button size="xs" onClick={props.onEdit}>
              {say('edit')}
            </Button>
          )}
          <Button
            size="xs"
            variant="filled"
            renderRoot={(root) => <Link to="/user/$id" params={{ id: String(user.id) }} {...root} />}
          >
            {say('open')}
          </Button>
        </>
      }
    >
      <div className={classes.preview}>
        <p className={classes.previewState}>
          <RoleBadge user={user} />
          <UserStatusBadge user={user} />
          <GroupTag name={user.group} />
        </p>
        <UsageStrip
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
      </div>
    </BesideSheet>
  )
}
