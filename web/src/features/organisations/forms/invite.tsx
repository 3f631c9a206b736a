import { Button, Select, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { CopyText } from '../../../components/copy/copy-text.tsx'
import { FormDrawer } from '../../../components/form/form-drawer.tsx'
import { Sheet } from '../../../components/sheet.tsx'
import {
  calls,
  type DataOf,
  type inviteToOrganisation,
  type Organisation,
  type OrganisationRole,
} from '../../../lib/api/contract.ts'
import { useSession } from '../../../lib/api/session.ts'
import { useAction } from '../../../lib/query.ts'
import { ownAddress } from '../../../lib/url/page-paths.ts'
import { roleChoices } from '../member-text.ts'
import { useOrganisationMessages } from '../messages.ts'
import { teamsToInvite } from '../rights.ts'
import classes from './forms.module.css'
import { useOrganisationFormMessages } from './messages.ts'

type Made = DataOf<typeof inviteToOrganisation> & { readonly email: string }

/** The link of a new invitation, which is shown this once. */
const MadeSheet = ({ made, onClose }: { made: Made; onClose: () => void }) => {
  const say = useOrganisationMessages()
  const sayForm = useOrganisationFormMessages()
  const { secret, mailed, email } = made
  return (
    <Sheet
      opened
      onClose={onClose}
      title={sayForm('invited')}
      footer={
        <Button variant="filled" onClick={onClose} ml="auto">
          {say('done')}
        </Button>
      }
    >
      <div className={classes.link}>
        <p className="muted">
          {mailed ? sayForm('invitedMailed', { email }) : sayForm(email === '' ? 'invitedLink' : 'invitedNotMailed')}
        </p>
        <CopyText text={`${ownAddress()}/join#${secret}`} name={sayForm('link')} secret />
      </div>
    </Sheet>
  )
}

/** Invites somebody by mail or by a link. */
export const InviteForm = ({ organisation, onClose }: { organisation: Organisation; onClose: () => void }) => {
  const say = useOrganisationMessages()
  const sayForm = useOrganisationFormMessages()
  const [made, setMade] = useState<Made>()
  const { id } = organisation
  const teams = teamsToInvite(organisation, useSession()?.id)
  const everywhere = organisation.may.includes('manage_members')
  const form = useForm<{ email: string; role: OrganisationRole; team: string }>({
    initialValues: { email: '', role: 'member', team: everywhere ? '0' : String(teams[0]?.id ?? 0) },
    validate: { email: (email) => (email === '' || /^\S+@\S+\.\S+$/.test(email) ? null : sayForm('emailInvalid')) },
  })
  const invite = useAction(calls.inviteToOrganisation, { refresh: [calls.listOrganisationInvitations] })
  if (made) return <MadeSheet made={made} onClose={onClose} />
  const teamId = Number(form.getValues().team)
  const choices = roleChoices(organisation, teamId, say)
  return (
    <FormDrawer
      title={sayForm('inviteTitle')}
      form={form}
      submitLabel={sayForm('makeInvitation')}
      onClose={onClose}
      stayOpen
      onSubmit={async ({ email, role, team }) => {
        const body = { email: email.trim(), role, team_id: Number(team) }
        setMade({ ...(await invite.submit({ params: { id }, body })), email: body.email })
      }}
    >
      <p className="muted">{sayForm('inviteText')}</p>
      <TextInput
        label={sayForm('email')}
        description={sayForm('emailHint')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        type="email"
        data-autofocus
        {...form.getInputProps('email')}
      />
      {teams.length > 0 && (
        <Select
          label={say('team')}
          allowDeselect={false}
          data={[
            ...(everywhere ? [{ value: '0', label: say('wholeOrganisation') }] : []),
            ...teams.map((team) => ({ value: String(team.id), label: team.name })),
          ]}
          {...form.getInputProps('team')}
          onChange={(team) => form.setValues({ team: team ?? '0', role: 'member' })}
        />
      )}
      <Select label={say('role')} allowDeselect={false} data={choices} {...form.getInputProps('role')} />
    </FormDrawer>
  )
}
