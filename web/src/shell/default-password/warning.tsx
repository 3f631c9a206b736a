import { ActionIcon, Button } from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import { Icon } from '../../components/display/icon.tsx'
import { useSession } from '../../lib/api/session.ts'
import { onDemand } from '../../lib/loading/on-demand.tsx'
import classes from './default-password.module.css'
import { usePasswordMessages } from './messages.ts'

const Dialog = onDemand(async () => (await import('./dialog.tsx')).DefaultPasswordDialog)

const dismissedKey = 'default-password-dismissed'

/** A reload is the same visit; another tab is another. Where storage is forbidden, the warning comes with each page load. */
const wasDismissed = (): boolean => {
  try {
    return sessionStorage.getItem(dismissedKey) !== null
  } catch {
    return false
  }
}

const rememberDismissed = (): void => {
  try {
    sessionStorage.setItem(dismissedKey, '1')
  } catch {
    // Shown again, then.
  }
}

const Note = ({ onClose }: { onClose: () => void }) => {
  const say = usePasswordMessages()
  return (
    <div className={classes.note} role="note">
      <Icon name="warning" />
      <p>
        <strong>{say('title')}</strong> {say('text')}
      </p>
      <Button component={Link} to="/personal/security" hash="password" size="xs">
        {say('change')}
      </Button>
      <ActionIcon aria-label={say('later')} title={say('later')} onClick={onClose}>
        <Icon name="close" size={14} />
      </ActionIcon>
    </div>
  )
}

/**
 * Warns while the default password is in use: a note above every page, and a dialog on the account page. Where the
 * password is changed, neither is in the way. Both can be closed for this visit.
 */
export const DefaultPasswordWarning = () => {
  const user = useSession()
  const { pathname } = useLocation()
  const [dismissed, setDismissed] = useState(wasDismissed)
  const [dialogSeen, setDialogSeen] = useState(false)
  if (user?.default_password !== true) return null
  const close = (): void => {
    rememberDismissed()
    setDismissed(true)
  }
  const [, page, section] = pathname.split('/')
  // The form itself says so.
  if (page === 'personal' && section === 'security') return null
  if (page === 'personal') return <Dialog opened={!dismissed && !dialogSeen} onClose={() => setDialogSeen(true)} />
  return !dismissed && <Note onClose={close} />
}
