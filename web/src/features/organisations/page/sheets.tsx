import type { Organisation } from '../../../lib/api/contract.ts'
import { onDemand } from '../../../lib/loading/on-demand.tsx'
import { CapForm } from '../forms/cap.tsx'
import { InviteForm } from '../forms/invite.tsx'
import { KeyForm } from '../forms/key.tsx'
import { ProjectForm, TeamForm } from '../forms/place.tsx'
import { RoleForm } from '../forms/role.tsx'
import { TransferForm } from '../forms/transfer.tsx'
import type { OpenSheet } from './sheet.ts'

const ProviderSheet = onDemand(async () => (await import('../providers/provider-sheet.tsx')).ProviderSheet)

/** The form over the page; nothing where its subject is not there. */
export const Sheets = (props: { organisation: Organisation; sheet: OpenSheet; onClose: () => void }) => {
  const { organisation, sheet, onClose } = props
  const { kind, id, of } = sheet
  const member = organisation.members.find(({ user_id }) => user_id === id)
  const project = organisation.projects.find((one) => one.id === id)
  const team = organisation.teams.find((one) => one.id === id)
  const common = { organisation, onClose }
  if (kind === 'invite') return <InviteForm {...common} />
  if (kind === 'key') return <KeyForm {...common} />
  if (kind === 'provider') return organisation.own_providers ? <ProviderSheet {...common} id={id} /> : null
  if (kind === 'transfer') return <TransferForm {...common} />
  if (kind === 'team') return id === 0 || team ? <TeamForm {...common} team={team} /> : null
  if (kind === 'project') return id === 0 || project ? <ProjectForm {...common} project={project} /> : null
  if (kind === 'role') return member ? <RoleForm {...common} member={member} /> : null
  const subject =
    of === 'project'
      ? project && { name: project.name, cap: project.cap }
      : member && { name: member.display_name || member.username, cap: member.cap }
  return subject ? <CapForm {...common} subject={of} subjectId={id} {...subject} /> : null
}
