import { Outlet } from '@tanstack/react-router'
import { EmptyState } from '../components/states.tsx'
import { role } from '../lib/api/contract.ts'
import { useSession } from '../lib/api/session.ts'
import { useShellMessages } from './messages.ts'

const From = ({ least }: { least: number }) => {
  const say = useShellMessages()
  const user = useSession()
  if ((user?.role ?? 0) >= least) return <Outlet />
  return <EmptyState heading icon="warning" title={say('noAccess')} text={say('noAccessText')} />
}

/** Screens of administrators; others see that they have no access. The server decides for itself. */
export const AdminOnly = () => <From least={role.admin} />

/** Screens of root. */
export const RootOnly = () => <From least={role.root} />
