import type { Organisation } from '../../lib/api/contract.ts'
import type { SayOrganisation } from './messages.ts'

/** Name of a key's member; 0 is a machine. */
export const memberName = (members: Organisation['members'], id: number, say: SayOrganisation): string => {
  const member = members.find(({ user_id }) => user_id === id)
  return id === 0 ? say('machine') : member?.display_name || member?.username || '—'
}
