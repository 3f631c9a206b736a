import { Link } from '@tanstack/react-router'
import { Sheet } from '#web/components/sheet.tsx'
import type { CallSession } from '#web/lib/api/contract.ts'
import { useSessionMessages } from './messages.ts'
import { SessionDetails, useSessionCalls } from './session-details.tsx'

/** One session in a sheet, where the window has no place for it beside the list. */
export const SessionSheet = (props: { session: CallSession; isAdmin: boolean; onClose: () => void }) => {
  const say = useSessionMessages()
  const { session, isAdmin } = props
  const found = useSessionCalls(session, isAdmin)
  return (
    <Sheet
      opened
      onClose={props.onClose}
      title={say('session')}
      subtitle={session.models.join(', ')}
      width={760}
      loading={found.isPending}
      error={found.error}
      onRetry={() => void found.refetch()}
    >
      <SessionDetails session={session} logs={found.data?.items ?? []} isAdmin={isAdmin} />
      <p>
        <Link to="/log" search={{ session: session.id, range: 'all' }}>
          {say('toLog')}
        </Link>
      </p>
    </Sheet>
  )
}
