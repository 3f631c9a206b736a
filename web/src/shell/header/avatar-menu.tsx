import { UnstyledButton } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Menu } from '../../components/menu/menu.tsx'
import { call } from '../../lib/api/api.ts'
import { calls } from '../../lib/api/contract.ts'
import { forgetUser, type SessionUser } from '../../lib/api/session.ts'
import { endSession } from '../../lib/loading/hold-reads.ts'
import { useAction } from '../../lib/query.ts'
import { useShellMessages } from '../messages.ts'
import { organisationsPage, personalPage } from '../pages.ts'
import { usePageTitle } from '../use-page-title.ts'
import classes from './avatar-menu.module.css'

/** Ends the session on the server, forgets the user and everything that was read for him. */
export const useLogout = (): (() => Promise<void>) => {
  const navigate = useNavigate()
  const client = useQueryClient()
  const end = useAction(() =>
    endSession(client, async () => {
      const there = await call(calls.logout)
      forgetUser()
      if (there?.url !== undefined) {
        // To the identity provider, which ends its own session and sends the browser back.
        window.location.assign(there.url)
        return
      }
      // The session is over, so there is no form left to save.
      await navigate({ to: '/login', search: { done: 'loggedOut' }, ignoreBlocker: true })
      // Not before: the page that is left would ask anew, and be refused.
      client.clear()
    }),
  )
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
        ...(user.organisations === 'open'
          ? [{ label: titleOf(organisationsPage), icon: 'users', to: '/organisation' } as const]
          : []),
        { label: say('logout'), icon: 'logout', onClick: () => void logout() },
      ]}
    />
  )
}
