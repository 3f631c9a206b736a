import { Button, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { Icon } from '../../../components/display/icon.tsx'
import { OwnRows, RowWords } from '../../../components/display/own-rows.tsx'
import { StatusBadge } from '../../../components/display/status-badge.tsx'
import { TimeText } from '../../../components/display/time/time-text.tsx'
import { ConfirmAction } from '../../../components/form/confirm-action.tsx'
import { Section } from '../../../components/panel-section.tsx'
import { ErrorState } from '../../../components/states.tsx'
import { calls, type SessionView } from '../../../lib/api/contract.ts'
import { useAction, useEndpoint } from '../../../lib/query.ts'
import { deviceName } from '../../../lib/text/device-name.ts'
import { useSecurityMessages } from './security-messages.ts'

const SessionRow = ({ session }: { session: SessionView }) => {
  const say = useSecurityMessages()
  const end = useAction(calls.endSession, { refresh: [calls.listSessions], done: say('ended') })
  const name = deviceName(session.user_agent) ?? say('unknownDevice')
  return (
    <li>
      <Icon name="monitor" />
      <RowWords
        name={name}
        title={session.user_agent}
        badge={session.current && <StatusBadge tone="good" label={say('current')} />}
      >
        <span className="mono">{session.ip}</span> · {say('seen')} <TimeText at={session.last_seen_time} relative /> ·{' '}
        {say('signedIn')} <TimeText at={session.created_time} />
      </RowWords>
      {!session.current && (
        <Button
          aria-label={say('endNamed', { name })}
          loading={end.busy}
          onClick={() => void end.run({ params: { id: session.id } })}
        >
          {say('end')}
        </Button>
      )}
    </li>
  )
}

/** Browsers in which one is signed in; others can be signed out from here. */
export const SessionList = () => {
  const say = useSecurityMessages()
  const list = useEndpoint(calls.listSessions)
  const [asking, setAsking] = useState(false)
  const endOthers = useAction(calls.endOtherSessions, {
    refresh: [calls.listSessions],
    done: ({ ended }) => say('endedCount', { count: ended }),
  })
  const sessions = list.data
  return (
    <Section id="sessions" title={say('sessions')}>
      <p className="muted">{say('sessionsText')}</p>
      {sessions === undefined && list.error ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : sessions === undefined ? (
        <Skeleton h={104} mb={12} />
      ) : (
        <OwnRows>
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </OwnRows>
      )}
      {sessions?.some(({ current }) => !current) && <Button onClick={() => setAsking(true)}>{say('endOthers')}</Button>}
      <ConfirmAction
        opened={asking}
        onClose={() => setAsking(false)}
        title={say('endOthersTitle')}
        effect={say('endOthersEffect')}
        confirmLabel={say('endOthers')}
        onConfirm={() => endOthers.submit()}
        danger
      />
    </Section>
  )
}
