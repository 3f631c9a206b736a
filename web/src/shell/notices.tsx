import { Button } from '@mantine/core'
import { useRenewMessages } from '../components/sign-in/renew/messages.ts'
import { renewalStore, renewSession } from '../lib/api/renew-session.ts'
import { useStore } from '../lib/preferences/store.ts'
import { statusProblem } from '../lib/status.ts'
import { useShellMessages } from './messages.ts'
import classes from './notices.module.css'
import { useConnection } from './use-connection.ts'

const SessionEnded = () => {
  const say = useRenewMessages()
  return (
    <div className={classes.notice}>
      {say('ended')}{' '}
      <Button size="compact-xs" onClick={() => void renewSession(false)}>
        {say('signIn')}
      </Button>
    </div>
  )
}

/** Global problems: no connection, a session that ended, or no status from the server. */
export const Notices = () => {
  const say = useShellMessages()
  const isConnected = useConnection()
  const problem = useStore(statusProblem)
  const isPutOff = useStore(renewalStore) === 'put_off'
  const text = isConnected ? problem && say(problem) : say('offline')
  return (
    <div role="status" aria-live="polite">
      {text && <div className={classes.notice}>{text}</div>}
      {isPutOff && <SessionEnded />}
    </div>
  )
}
