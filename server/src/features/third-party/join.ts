import { role } from '@tollgate/contract'
import type { AccountSignIn, Users } from '../../app/noun-types.ts'
import type { SharedParts } from '../../app/parts.ts'
import type { On } from '../../http/route.ts'
import { createEgressGuard } from '../../lib/security/egress.ts'
import type { Challenges } from '../../verification/challenges.ts'
import { openIdentities } from '../../verification/identities.ts'
import type { ProviderDirectory } from './identity-providers/directory.ts'
import { identityProviderRoutes } from './identity-providers/routes.ts'
import { createProviderService, type ProviderServiceParts } from './identity-providers/service.ts'
import type { GroupRoles, SingleSignOn } from './identity-providers/single-sign-on.ts'
import type { ThirdPartyAccounts } from './ports.ts'
import { openThirdParty, type ThirdPartyService } from './third-party.ts'

/** Actions on users and accounts for third-party sign-in. */
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
  opensBySignInWay: accounts.opensByWay,
  assertConfirmed: (caller) => accounts.confirmations.assert(caller, true),
})

/** Joins signing in with accounts elsewhere. */
export const joinThirdParty = (
  { config, database, options, operatorEgress, secrets, log, clock }: SharedParts,
  needs: {
    users: Users
    accounts: AccountSignIn
    challenges: Challenges
    directory: ProviderDirectory
    groupRoles: GroupRoles
  },
): ThirdPartyService =>
  openThirdParty({
    database,
    challenges: needs.challenges,
    identities: openIdentities(database, clock),
    accounts: thirdPartyAccounts(needs.users, needs.accounts),
    option: options.get,
    basePath: config.basePath,
    egress: operatorEgress,
    publicEgress: createEgressGuard({ allow: config.egressAllow }),
    directory: needs.directory,
    groupRoles: needs.groupRoles,
    secrets,
    warn: log.warn,
    clock,
  })

export interface IdentityProviderNeeds extends Pick<ProviderServiceParts, 'directory' | 'readProved'> {
  readonly sso: SingleSignOn
  /** Refuses a person who may not change the organisation. Throws AppError. */
  assertOwner(organisationId: number, userId: number): Promise<void>
}

/** Joins the identity providers of the site and of organisations. */
export const joinIdentityProviders = (
  {
    database,
    options,
    secrets,
    audit,
    clock,
  }: Pick<SharedParts, 'database' | 'options' | 'secrets' | 'audit' | 'clock'>,
  { sso, directory, readProved, assertOwner }: IdentityProviderNeeds,
  on: On,
): void =>
  identityProviderRoutes(on, {
    sso,
    service: createProviderService({ database, directory, secrets, audit, clock, readProved }),
    organisationsMay: () => options.get('OrganisationProvidersEnabled'),
    assertOwner,
  })
