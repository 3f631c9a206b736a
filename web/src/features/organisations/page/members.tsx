import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { Column, RowAction } from '../../../components/data-table/columns/column.ts'
import { DataTable } from '../../../components/data-table/data-table.tsx'
import { Quota } from '../../../components/display/quota.tsx'
import { StatusBadge } from '../../../components/display/status-badge.tsx'
import { ConfirmAction } from '../../../components/form/confirm-action.tsx'
import { calls, type Organisation, type OrganisationMember } from '../../../lib/api/contract.ts'
import { useSession } from '../../../lib/api/session.ts'
import { useAction } from '../../../lib/query.ts'
import { formatInteger } from '../../../lib/text/format.ts'
import { useTableState } from '../../../lib/url/table-state.ts'
import { CapCell } from '../cap-cell.tsx'
import { roleText } from '../member-text.ts'
import { type SayOrganisation, useOrganisationMessages } from '../messages.ts'
import { mayGrant, mayInvite } from '../rights.ts'
import { keywordOnly, pageOfRows } from '../use-rows.ts'
import classes from './lists.module.css'
import { OpenInvitations } from './open-invitations.tsx'
import { useSheet } from './sheet.ts'

const nameOf = ({ display_name, username }: OrganisationMember): string => display_name || username

const columnsOf = (organisation: Organisation, say: SayOrganisation): readonly Column<OrganisationMember>[] => [
  {
    id: 'name',
    header: say('member'),
    card: 'title',
    most: 220,
    cell: (member) => (
      <span className={classes.end}>
        <span className="strong">{nameOf(member)}</span>
        {member.suspended && <StatusBadge tone="neutral" label={say('deactivated')} />}
      </span>
    ),
    value: (member) => member.username,
  },
  {
    id: 'role',
    header: say('role'),
    most: 280,
    cell: (member) => roleText(member, organisation, say),
    value: (member) => roleText(member, organisation, say),
  },
  {
    id: 'keys',
    header: say('keys'),
    align: 'right',
    card: 'none',
    cell: (member) => <span className="num">{formatInteger(member.keys)}</span>,
    value: (member) => member.keys,
  },
  {
    id: 'spent',
    header: say('spentMonth'),
    align: 'right',
    card: 'amount',
    cell: (member) => (member.spent === null ? '—' : <Quota value={member.spent} />),
    value: (member) => member.spent,
    money: true,
    sum: true,
  },
  {
    id: 'cap',
    header: say('cap'),
    // Readers who may not see a member's spending do not see the cap either.
    cell: ({ cap, spent }) => (spent === null ? '—' : <CapCell cap={cap} />),
    value: ({ cap }) => cap?.amount ?? null,
  },
]

/** Members of the organisation, and its open invitations. */
export const Members = ({ organisation }: { organisation: Organisation }) => {
  const say = useOrganisationMessages()
  const navigate = useNavigate()
  const sheet = useSheet()
  const own = useSession()?.id
  const state = useTableState({ name: 'organisation-members', filters: keywordOnly })
  const [leaving, setLeaving] = useState<OrganisationMember>()
  const columns = useMemo(() => columnsOf(organisation, say), [organisation, say])
  const { id, may, members } = organisation
  const drop = useAction(calls.removeMember, {
    refresh: [calls.getOrganisation, calls.listOrganisations],
    done: (_, { body }) => say(body.user_id === own ? 'left' : 'removed'),
    onDone: (_, { body }) => {
      if (body.user_id === own) void navigate({ to: '/organisation' })
    },
  })
  const actions = (member: OrganisationMember): readonly RowAction[] => [
    // Of owners and who pays, an admin may still change the place in teams.
    ...(may.includes('manage_members') && (mayGrant(organisation, member.role) || organisation.teams.length > 0)
      ? [
          {
            label: say('changeRole'),
            icon: 'edit' as const,
            onClick: () => sheet.open(`role-member-${member.user_id}`),
          },
        ]
      : []),
    ...(may.includes('manage_caps')
      ? [{ label: say('setCap'), icon: 'sliders' as const, onClick: () => sheet.open(`cap-member-${member.user_id}`) }]
      : []),
    ...(member.user_id === own || mayGrant(organisation, member.role)
      ? [
          {
            label: say(member.user_id === own ? 'leave' : 'remove'),
            icon: 'trash' as const,
            danger: true,
            onClick: () => setLeaving(member),
          },
        ]
      : []),
  ]
  const source = { isPending: false, isPlaceholderData: false, error: null, refetch: () => undefined as never }
  return (
    <>
      <DataTable
        title={say('members')}
        columns={columns}
        query={pageOfRows(source, members, state, (one) => `${one.username} ${one.display_name}`)}
        state={state}
        rowId={({ user_id }) => user_id}
        rowName={nameOf}
        search={{ filter: 'keyword', placeholder: say('searchMembers') }}
        rowActions={actions}
        readRows={async () => ({ rows: members, capped: false })}
        empty={{
          icon: 'users',
          title: say('membersEmpty'),
          ...(mayInvite(organisation, own) && {
            action: <Button onClick={() => sheet.open('invite')}>{say('invite')}</Button>,
          }),
        }}
      />
      {mayInvite(organisation, own) && <OpenInvitations organisation={organisation} />}
      <ConfirmAction
        opened={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        title={
          leaving?.user_id === own
            ? say('leaveTitle', { name: organisation.name })
            : say('removeTitle', { name: leaving ? nameOf(leaving) : '' })
        }
        effect={say('removeEffect')}
        confirmLabel={say(leaving?.user_id === own ? 'leave' : 'remove')}
        onConfirm={() => leaving && drop.submit({ params: { id }, body: { user_id: leaving.user_id } })}
        danger
      />
    </>
  )
}
