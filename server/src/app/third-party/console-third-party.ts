import { role } from '@tollgate/contract'
import type { AccountSignIn } from '../../features/accounts/accounts.ts'
import { isActiveMember, isOwner } from '../../features/organisations/members.ts'
import type { OrganisationParts } from '../../features/organisations/parts.ts'
import { readProvedDomains } from '../../features/organisations/proved-domains.ts'
import { accessTo, assertMay } from '../../features/organisations/rights.ts'
import { applySignInRoles } from '../../features/organisations/sign-in-roles.ts'
import type { ProviderDirectory } from '../../features/third-party/identity-providers/directory.ts'
import { identityProviderRoutes } from '../../features/third-party/identity-providers/routes.ts'
import { createProviderService } from '../../features/third-party/identity-providers/service.ts'
import type { GroupRoles, SingleSignOn } from '../../features/third-party/identity-providers/single-sign-on.ts'
import type { ThirdPartyAccounts } from '../../features/third-party/ports.ts'
import { openThirdParty, type ThirdPartyService } from '../../features/third-party/third-party.ts'
import type { Users } from '../../features/users/users.ts'
import type { On } from '../../http/route.ts'
import { createEgressGuard } from '../../lib/security/egress.ts'
import type { Challenges } from '../../verification/challenges.ts'
import { openIdentities } from '../../verification/identities.ts'
import type { SharedParts } from '../parts.ts'

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

/** What third-party sign-in needs of users and accounts. */
export const thirdPartyAccounts = (users: Users, accounts: AccountSignIn): ThirdPartyAccounts => ({
  byId: users.directory.byIdEver,
  async byProvenAddress(email) {
    const row = await users.links.emailOwner(email)
    return row && { id: row.id, username: row.username, isRoot: row.role >= role.root, isStaff: row.role >= role.admin }
  },
  register: ({ inviteCode, ...newcomer }) => users.welcome({ ...newcomer, affCode: inviteCode }),
  signInAs: accounts.signInAs,
  endAtProvider: accounts.endAtProvider,
  link: (by, identity) => users.links.link(by, identity),
  unlink: users.links.unlink,
  assertConfirmed: (caller) => accounts.confirmations.assert(caller, true),
})

/** Joins signing in with accounts elsewhere. */
export const joinThirdParty = (
  { config, database, options, operatorEgress, secrets, audit, log, clock }: SharedParts,
  needs: {
    users: Users
    accounts: AccountSignIn
    challenges: Challenges
    directory: ProviderDirectory
    userChanged(id: number): void
  },
): ThirdPartyService =>
  openThirdParty({
    database,
    challenges: needs.challenges,
    identities: openIdentities(database, clock),
    accounts: thirdPartyAccounts(needs.users, needs.accounts),
    option: options.get,
    egress: operatorEgress,
    publicEgress: createEgressGuard({ allow: config.egressAllow }),
    directory: needs.directory,
    groupRoles: openGroupRoles({ database, audit, clock, userChanged: needs.userChanged }),
    secrets,
    warn: log.warn,
    clock,
  })

/** Joins the identity providers of the site and of organisations. */
export const joinIdentityProviders = (
  {
    database,
    options,
    secrets,
    audit,
    clock,
  }: Pick<SharedParts, 'database' | 'options' | 'secrets' | 'audit' | 'clock'>,
  { sso, directory }: { sso: SingleSignOn; directory: ProviderDirectory },
  on: On,
): void =>
  identityProviderRoutes(on, {
    sso,
    service: createProviderService({
      database,
      directory,
      secrets,
      audit,
      clock,
      readProved: () => readProvedDomains(database.query),
    }),
    organisationsMay: () => options.get('OrganisationProvidersEnabled'),
    async assertOwner(organisationId, userId) {
      assertMay(await accessTo(database.query, organisationId, userId), 'manage_organisation')
    },
  })
