import { Outlet, useRouterState } from '@tanstack/react-router'
import { Icon } from '../components/display/icon.tsx'
import { useUiMessages } from '../components/messages.ts'
import { EmptyState } from '../components/states.tsx'
import { role } from '../lib/api/contract.ts'
import { useSession } from '../lib/api/session.ts'
import { mayWrite, ReadOnlyPage, roleIn } from '../lib/api/staff.ts'
import classes from './admin-only.module.css'
import { useShellMessages } from './messages.ts'

const From = ({ least }: { least: number }) => {
  const say = useShellMessages()
  const sayUi = useUiMessages()
  const user = useSession()
  const area = useRouterState({
    select: ({ matches }) => matches.findLast(({ staticData }) => staticData.area)?.staticData.area,
  })
  if ((area ? roleIn(user, area) : (user?.role ?? 0)) < least)
    return <EmptyState heading icon="warning" title={say('noAccess')} text={say('noAccessText')} />
  const isReadOnly = area !== undefined && !mayWrite(user, area)
  return (
    <ReadOnlyPage value={isReadOnly}>
      {isReadOnly && (
        <p className={classes.readOnly} role="note">
          <Icon name="eye" size={14} /> {sayUi('readOnly')}
        </p>
      )}
      <Outlet />
    </ReadOnlyPage>
  )
}

/**
 * Screens of administrators; others see that they have no access, and administrators whose permissions only let them look see
 * that. The server decides for itself.
 */
export const AdminOnly = () => <From least={role.admin} />

/** Screens of root. */
export const RootOnly = () => <From least={role.root} />
