import { Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Logo } from '#web/components/logo/logo.tsx'
import { ErrorState } from '#web/components/states.tsx'
import type { CallSession } from '#web/lib/api/contract.ts'
import { useSessionMessages } from './messages.ts'
import { clientsOf } from './other.ts'
import { SessionDetails, useSessionCalls } from './session-details.tsx'
import classes from './sessions.module.css'

/** One session beside the list of sessions. */
export const SessionPanel = ({ session, isAdmin }: { session: CallSession; isAdmin: boolean }) => {
  const say = useSessionMessages()
  const found = useSessionCalls(session, isAdmin)
  const [model = ''] = session.models
  // The calls of the session before this one stay in the cache of the list until these are here.
  const logs = found.isPlaceholderData ? undefined : found.data?.items
  return (
    <section className={`panel ${classes.panel}`} aria-label={`${say('session')} ${session.id.slice(0, 8)}`}>
      <header className={classes.panelHead}>
        {model && <Logo of={{ model }} name={model} />}
        <div className={classes.panelNames}>
          <h2 className="mono cut">{session.models.join(', ')}</h2>
          <p className="faint">
            {[clientsOf(logs ?? []), session.token_name, isAdmin && session.username, session.id.slice(0, 8)]
              .filter(Boolean)
              .join(' • ')}
          </p>
        </div>
        <Link to="/log" search={{ session: session.id, range: 'all' }}>
          {say('toLog')}
        </Link>
      </header>
      <div className={classes.panelBody}>
        {found.error ? (
          <ErrorState error={found.error} onRetry={() => void found.refetch()} />
        ) : logs === undefined ? (
          <Skeleton h={480} />
        ) : (
          <SessionDetails session={session} logs={logs} isAdmin={isAdmin} />
        )}
      </div>
    </section>
  )
}
