import { useState } from 'react'
import { useSession } from '../lib/api/session.ts'
import { onDemand } from '../lib/loading/on-demand.tsx'

const Dialog = onDemand(async () => (await import('./default-password-dialog.tsx')).DefaultPasswordDialog)

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
    // Asked again, then.
  }
}

/** Warns once per visit while the default password is in use. */
export const DefaultPasswordWarning = () => {
  const user = useSession()
  const [dismissed, setDismissed] = useState(wasDismissed)
  const close = (): void => {
    rememberDismissed()
    setDismissed(true)
  }
  return user?.default_password === true && <Dialog opened={!dismissed} onClose={close} />
}
