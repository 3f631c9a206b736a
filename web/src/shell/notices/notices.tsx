import { Button } from '@mantine/core'
import { renewalStore, renewSession } from '../../lib/api/renew-session.ts'
import { outdatedStore } from '../../lib/loading/load-part.ts'
import { useStore } from '../../lib/preferences/store.ts'
import { statusProblem } from '../../lib/status.ts'
import { useShellMessages } from '../messages.ts'
import { usePageMessages } from '../page-words.ts'
import classes from './notices.module.css'
import { useConnection } from './use-connection.ts'

const SessionEnded = () => {
  const say = useShellMessages()
  return (
    <div className={classes.notice}>
      {say('sessionEnded')}{' '}
      <Button size="compact-xs" onClick={() => void renewSession(false)}>
        {say('signInAgain')}
      </Button>
    </div>
  )
}

/** Files of this page's version are gone; what is typed is still there, and the browser asks before it is lost. */
const Outdated = () => {
  const say = usePageMessages()
  return (
    <div className={classes.notice}>
      {say('outdated')}{' '}
      <Button size="compact-xs" onClick={() => window.location.reload()}>
        {say('reload')}
      </Button>
    </div>
  )
}

/** Global problems: no connection, a session that ended, a new version of the console, or no status from the server. */
export const Notices = () => {
  const say = useShellMessages()
  const isConnected = useConnection()
  const problem = useStore(statusProblem)
  const isPutOff = useStore(renewalStore) === 'put_off'
  const isOutdated = useStore(outdatedStore)
  const text = isConnected ? problem && say(problem) : say('offline')
  return (
    <div role="status" aria-live="polite">
      {text && <div className={classes.notice}>{text}</div>}
      {isPutOff && <SessionEnded />}
      {isOutdated && <Outdated />}
    </div>
  )
}
