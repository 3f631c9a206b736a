import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { RowMenu, useHeldActions } from '../../../components/data-table/rows/row-menu.tsx'
import { GroupTag } from '../../../components/display/group-tag.tsx'
import { Icon } from '../../../components/display/icon.tsx'
import { FigureButton } from '../../../components/figure-button.tsx'
import page from '../../../components/object-page.module.css'
import type { User } from '../../../lib/api/contract.ts'
import { useSession } from '../../../lib/api/session.ts'
import { mayWrite, useReadOnly } from '../../../lib/api/staff.ts'
import { useTitleOf } from '../../../lib/url/page-object.ts'
import { isCancelled, RoleBadge, UserStatusBadge } from '../badges.tsx'
import { ManageUserDialog, useManageUser } from '../manage.tsx'
import { ResetSecondFactorDialog, useResetSecondFactor } from '../reset-second-factor.tsx'
import { useUserPageMessages } from './messages.ts'
import classes from './user-page.module.css'

export const BackToUsers = () => {
  const say = useUserPageMessages()
  return (
    <Link to="/user" className={page.back}>
      <Icon name="left" size={14} /> {say('back')}
    </Link>
  )
}

/** The user's name, state and actions; no actions for a cancelled user. */
export const UserHeader = (props: { user: User; onEdit: () => void; onAdjust: () => void }) => {
  const say = useUserPageMessages()
  const navigate = useNavigate()
  const manage = useManageUser()
  const reset = useResetSecondFactor()
  const viewer = useSession()
  const isReadOnly = useReadOnly()
  const held = useHeldActions()
  const { user } = props
  const name = user.display_name || user.username
  useTitleOf(name)
  const showLogs = {
    label: say('logs'),
    icon: 'document',
    onClick: () => void navigate({ to: '/log', search: { username: user.username, range: '30d' } }),
  } as const
  const identity = (
    <span className={classes.identity}>
      <span>
        {user.username} <span className="faint num">#{user.id}</span>
      </span>
      <RoleBadge user={user} />
      <UserStatusBadge user={user} />
      <GroupTag name={user.group} />
    </span>
  )
  return (
    <>
      <BackToUsers />
      <div className={classes.head}>
        <div className={classes.words}>
          <h1>{name}</h1>
          {identity}
        </div>
        <div className={classes.actions}>
          {!isCancelled(user) && (
            <>
              <Button
                leftSection={<Icon name="wallet" size={14} />}
                disabled={isReadOnly || !mayWrite(viewer, 'billing')}
                onClick={props.onAdjust}
              >
                {say('adjust')}
              </Button>
              <Button leftSection={<Icon name="edit" size={14} />} disabled={isReadOnly} onClick={props.onEdit}>
                {say('edit')}
              </Button>
            </>
          )}
          <FigureButton link={{ by: 'model', filters: [{ dimension: 'user', is: 'is', values: [String(user.id)] }] }} />
          <RowMenu
            name={user.username}
            actions={() => held([showLogs, ...reset.actions(user), ...manage.actions(user)])}
          />
        </div>
      </div>
      {isCancelled(user) && (
        <p className={classes.cancelled} role="note">
          {say('isCancelled')}
        </p>
      )}
      <ManageUserDialog {...manage} />
      <ResetSecondFactorDialog {...reset} />
    </>
  )
}
