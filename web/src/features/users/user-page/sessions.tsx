import { Button } from '@mantine/core'
import { useState } from 'react'
import type { Column } from '../../../components/data-table/columns/column.ts'
import { DataTable } from '../../../components/data-table/data-table.tsx'
import { readAll } from '../../../components/data-table/export/read-all.ts'
import { TimeText } from '../../../components/display/time/time-text.tsx'
import { ConfirmAction } from '../../../components/form/confirm-action.tsx'
import { useHeld } from '../../../components/form/held.ts'
import { call } from '../../../lib/api/api.ts'
import { calls, type User, type UserSession } from '../../../lib/api/contract.ts'
import { useAction, useEndpoint } from '../../../lib/query.ts'
import { deviceName } from '../../../lib/text/device-name.ts'
import { useTableState } from '../../../lib/url/table-state.ts'
import { type SayUserPage, useUserPageMessages } from './messages.ts'
import classes from './user-page.module.css'

const columnsOf = (say: SayUserPage): readonly Column<UserSession>[] => [
  {
    id: 'user_agent',
    header: say('browser'),
    card: 'title',
    cell: ({ user_agent }) => (
      <span className={`cut ${classes.agent}`} title={user_agent}>
        {deviceName(user_agent) || say('none')}
      </span>
    ),
    value: ({ user_agent }) => user_agent,
  },
  { id: 'ip', header: say('ip'), cell: ({ ip }) => <span className="mono">{ip}</span>, value: ({ ip }) => ip },
  {
    id: 'last_seen_time',
    header: say('lastSeen'),
    cell: ({ last_seen_time }) => <TimeText at={last_seen_time} relative />,
    value: ({ last_seen_time }) => last_seen_time,
  },
  {
    id: 'created_time',
    header: say('signedIn'),
    cell: ({ created_time }) => <TimeText at={created_time} />,
    value: ({ created_time }) => created_time,
  },
  {
    id: 'expires_time',
    header: say('expires'),
    cell: ({ expires_time }) => <TimeText at={expires_time} />,
    value: ({ expires_time }) => expires_time,
  },
]

const noFilters = [] as const

const aboutSessions = [calls.listUserSessions, calls.getUserOverview, calls.listAudit] as const

/** Sessions of the user; all of them can be ended at once. */
export const Sessions = ({ user }: { user: User }) => {
  const say = useUserPageMessages()
  const [asking, setAsking] = useState(false)
  const state = useTableState({ name: 'user-sessions', filters: noFilters })
  const sessions = useEndpoint(
    calls.listUserSessions,
    { params: { id: user.id }, query: state.query },
    { staleTimeMs: 0 },
  )

  const end = useAction(calls.endUserSession, {
    done: say('endDone'),
    refresh: aboutSessions,
    refreshAfterFailure: aboutSessions,
  })
  const held = useHeld()
  const endAll = useAction(calls.endUserSessions, {
    done: say('endAllDone'),
    refresh: aboutSessions,
    refreshAfterFailure: aboutSessions,
  })
  return (
    <>
      <DataTable
        title={say('sessions')}
        columns={columnsOf(say)}
        query={sessions}
        state={state}
        rowId={({ id }) => id}
        rowName={({ ip }) => ip}
        rowActions={({ id }) => [
          {
            label: say('end'),
            icon: 'monitor',
            danger: true,
            changes: true,
            onClick: () => void end.run({ params: { id: user.id, session: id } }),
          },
        ]}
        readRows={() =>
          readAll((p, page_size) =>
            call(calls.listUserSessions, { params: { id: user.id }, query: { ...state.query, p, page_size } }),
          )
        }
        tools={
          <Button color="bad" disabled={(sessions.data?.total ?? 0) === 0} onClick={() => setAsking(true)} {...held}>
            {say('endAll')}
          </Button>
        }
        empty={{ icon: 'monitor', title: say('sessionsEmpty') }}
      />
      <ConfirmAction
        opened={asking}
        onClose={() => setAsking(false)}
        title={say('endAllTitle', { name: user.username })}
        effect={say('endAllEffect')}
        confirmLabel={say('endAll')}
        onConfirm={() => endAll.submit({ params: { id: user.id } })}
        danger
      />
    </>
  )
}
