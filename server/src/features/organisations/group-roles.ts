import type { IdentityProvider } from '@tollgate/contract'
import type { Database } from '../../db/database.ts'
import { isActiveMember, isOwner } from './members.ts'
import type { OrganisationParts } from './parts.ts'
import { accessTo, assertMay } from './rights.ts'
import { applySignInRoles } from './sign-in-roles.ts'

/** Roles that the rules of an identity provider give for groups. */
export const openGroupRoles = (parts: Pick<OrganisationParts, 'database' | 'audit' | 'userChanged' | 'clock'>) => ({
  async apply(
    person: { id: number; username: string; ip: string },
    { id, rules, replaces_manual }: Pick<IdentityProvider, 'id' | 'rules' | 'replaces_manual'>,
    groups: readonly string[],
  ): Promise<void> {
    const held = new Set(groups)
    const places = rules
      .filter(({ value }) => value === '*' || held.has(value))
      .map(({ organisation_id, team_id, role }) => ({ organisationId: organisation_id, teamId: team_id, role }))
    await applySignInRoles(parts, person, { providerId: id, replacesManual: replaces_manual, places })
  },
  belongs: (organisationId: number, userId: number, asOwner?: boolean): Promise<boolean> =>
    (asOwner === true ? isOwner : isActiveMember)(parts.database.query, organisationId, userId),
})

/** Refuses people who do not manage the organisation. Throws AppError. */
export const assertManager =
  ({ query }: Pick<Database, 'query'>) =>
  async (organisationId: number, userId: number): Promise<void> =>
    assertMay(await accessTo(query, organisationId, userId), 'manage_organisation')
