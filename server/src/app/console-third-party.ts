import type { Accounts } from '../features/accounts/accounts.ts'
import type { ThirdPartyAccounts } from '../features/third-party/ports.ts'
import { openThirdParty, type ThirdPartySignIn } from '../features/third-party/third-party.ts'
import type { Users } from '../features/users/users.ts'
import type { Challenges } from '../verification/challenges.ts'
import { openIdentities } from '../verification/identities.ts'
import type { SharedParts } from './parts.ts'

/** What third-party sign-in needs of users and accounts. */
export const thirdPartyAccounts = (users: Users, accounts: Accounts): ThirdPartyAccounts => ({
  byId: users.directory.byIdEver,
  register: ({ inviteCode, ...newcomer }) => users.welcome({ ...newcomer, affCode: inviteCode }),
  signInAs: accounts.signInAs,
  link: (by, identity) => users.links.link(by, identity),
  unlink: users.links.unlink,
  assertConfirmed: (caller) => accounts.confirmations.assert(caller, true),
})

/** Joins signing in with accounts elsewhere. */
export const joinThirdParty = (
  { database, options, operatorEgress, clock }: SharedParts,
  needs: { users: Users; accounts: Accounts; challenges: Challenges },
): ThirdPartySignIn =>
  openThirdParty({
    database,
    challenges: needs.challenges,
    identities: openIdentities(database, clock),
    accounts: thirdPartyAccounts(needs.users, needs.accounts),
    option: options.get,
    egress: operatorEgress,
    clock,
  })
