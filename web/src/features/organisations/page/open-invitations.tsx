import { Button } from '@mantine/core'
import { TimeText } from '../../../components/display/time/time-text.tsx'
import { calls, type Organisation } from '../../../lib/api/contract.ts'
import { useAction, useEndpoint } from '../../../lib/query.ts'
import { useOrganisationMessages } from '../messages.ts'
import classes from './lists.module.css'

/** Invitations that nobody has used yet; nothing where there are none. */
export const OpenInvitations = ({ organisation: { id, teams } }: { organisation: Organisation }) => {
  const say = useOrganisationMessages()
  const open = useEndpoint(calls.listOrganisationInvitations, { params: { id } })
  const revoke = useAction(calls.revokeOrganisationInvitation, {
    done: say('revoked'),
    refresh: [calls.listOrganisationInvitations],
  })
  if (!open.data?.length) return null
  return (
    <section className={`panel ${classes.below}`} aria-label={say('openInvitations')}>
      <h2 className={classes.head}>{say('openInvitations')}</h2>
      <ul className={classes.rows}>
        {open.data.map((invitation) => (
          <li key={invitation.id}>
            <span>
              <span className="strong">{invitation.email || say('anybody')}</span>{' '}
              <span className="muted">
                {say(invitation.role)}
                {invitation.team_id !== 0 && ` · ${teams.find((team) => team.id === invitation.team_id)?.name ?? ''}`}
              </span>
            </span>
            <span className={classes.end}>
              <span className="faint">
                {say('expires')} <TimeText at={invitation.expires_time} brief />
              </span>
              <Button
                loading={revoke.busy}
                onClick={() => void revoke.run({ params: { id }, body: { invitation_id: invitation.id } })}
              >
                {say('revoke')}
              </Button>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
