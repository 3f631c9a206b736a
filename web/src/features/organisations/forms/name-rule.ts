import { longestOrganisationName } from '../../../lib/api/contract.ts'
import type { SayOrganisation } from '../messages.ts'

/** Names of organisations, teams and projects. */
export const nameRule =
  (say: SayOrganisation) =>
  (name: string): string | null => {
    if (name.trim() === '') return say('nameRequired')
    return name.trim().length > longestOrganisationName ? say('nameTooLong', { most: longestOrganisationName }) : null
  }
