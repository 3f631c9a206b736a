import { UnstyledButton } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Menu } from '../components/menu/menu.tsx'
import { calls } from '../lib/api/contract.ts'
import { forgetUser, type SessionUser } from '../lib/api/session.ts'
import { useAction } from '../lib/query.ts'
import classes from './avatar-menu.module.css'
import { useShellMessages } from './messages.ts'
import { personalPage } from './pages.ts'
import { usePageTitle } from './use-page-title.ts'

/** Ends the session on the server, forgets the user and everything that was read for him. */
export const useLogout = (): (() => Promise<void>) => {
  const navigate = useNavigate()
  const client = useQueryClient()
  const leave = async (): Promise<void> => {
    forgetUser()
    // The session is over, so there is no form left to save.
    await navigate({ to: '/login', search: { done: 'loggedOut' }, ignoreBlocker: true })
    // Not before: the page that is left would ask anew, and be refused.
    client.clear()
  }
  const end = useAction(calls.logout, { onDone: () => void leave() })
  return async () => {
    await end.run()
  }
}

export const AvatarMenu = ({ user }: { user: SessionUser }) => {
  const say = useShellMessages()
  const titleOf = usePageTitle()
  const logout = useLogout()
  const name = user.display_name || user.username
  return (
    <Menu
      width={200}
      button={(buttonProps) => (
        <UnstyledButton className={classes.target} aria-label={say('account', { name })} {...buttonProps}>
          <span className={classes.avatar} aria-hidden="true">
            {[...name][0]?.toUpperCase()}
          </span>
        </UnstyledButton>
      )}
      head={
        <div className={classes.identity}>
          <strong className="strong cut">{name}</strong>
          <span className="faint cut">{user.username}</span>
        </div>
      }
      entries={() => [
        { label: titleOf(personalPage), icon: 'user', to: '/personal' },
        { label: say('logout'), icon: 'logout', onClick: () => void logout() },
      ]}
    />
  )
}
