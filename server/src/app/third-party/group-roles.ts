import { isActiveMember, isOwner } from '../../features/organisations/members.ts'
import type { OrganisationParts } from '../../features/organisations/parts.ts'
import { applySignInRoles } from '../../features/organisations/sign-in-roles.ts'
import type { GroupRoles } from '../../features/third-party/identity-providers/single-sign-on.ts'

/** Roles that the rules of an identity provider give for groups. */
export const openGroupRoles = (
  parts: Pick<OrganisationParts, 'database' | 'audit' | 'userChanged' | 'clock'>,
): GroupRoles => ({
  async apply(person, { id, rules, replaces_manual }, groups) {
    const held = new Set(groups)
    const places = rules
      .filter(({ value }) => value === '*' || held.has(value))
      .map(({ organisation_id, team_id, role }) => ({ organisationId: organisation_id, teamId: team_id, role }))
    await applySignInRoles(parts, person, { providerId: id, replacesManual: replaces_manual, places })
  },
  belongs: (organisationId, userId, asOwner) =>
    (asOwner === true ? isOwner : isActiveMember)(parts.database.query, organisationId, userId),
})
