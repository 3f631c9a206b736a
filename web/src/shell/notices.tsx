import { useNetwork } from '@mantine/hooks'
import { useStore } from '../lib/preferences/store.ts'
import { statusProblem } from '../lib/status.ts'
import { useShellMessages } from './messages.ts'
import classes from './notices.module.css'

/** Global problems: no network, or no status from the server. */
export const Notices = () => {
  const say = useShellMessages()
  const { online } = useNetwork()
  const problem = useStore(statusProblem)
  const text = online ? problem && say(problem) : say('offline')
  return (
    <div role="status" aria-live="polite">
      {text && <div className={classes.notice}>{text}</div>}
    </div>
  )
}
