import { throttleOfCodes } from '../features/accounts/second-step-guesses.ts'
import { joinInvitations } from '../features/invitations/join.ts'
import type { LimitSide } from '../features/limits/join.ts'
import { joinNewUsers } from '../features/new-users/join.ts'
import { openPreferences, preferenceRoutes } from '../features/preferences/preferences.ts'
import { joinRegistration, type RegistrationNeeds } from '../features/registration/join.ts'
import type { TokenDirectory } from '../features/tokens/caller/directory.ts'
import { joinTokens, makeFirstToken } from '../features/tokens/join.ts'
import type { TokenService } from '../features/tokens/service.ts'
import { joinUserPage } from '../features/user-page/join.ts'
import type { AccountSide } from './console-accounts.ts'
import type { FeatureKit } from './parts.ts'

export interface PeopleNeeds extends Pick<RegistrationNeeds, 'sendMail' | 'limiter'> {
  readonly accounts: AccountSide
  readonly apiKeys: TokenDirectory
  readonly limits: Pick<LimitSide, 'createIn' | 'refresh'>
}

export interface PeopleSide {
  readonly tokens: TokenService
  /** Ends what registration has under way. */
  close(): Promise<void>
}

/** Joins what users have beside their accounts: API keys, registration, preferences, rewards for invitations, and the page about one. */
export const joinPeople = (kit: FeatureKit, needs: PeopleNeeds): PeopleSide => {
  const { accounts, apiKeys, limits, sendMail, limiter } = needs
  const { database, audit, clock, on } = kit
  joinInvitations(kit)
  const tokens = joinTokens(kit, apiKeys)
  const { users, requiredWays, guesses } = accounts
  const close = joinRegistration(kit, {
    users,
    makeFirstToken: makeFirstToken(tokens),
    sendMail,
    limiter,
    requiredWays,
    guesses: throttleOfCodes(guesses),
  })
  joinNewUsers(kit, { users, requiredWays, sendMail, tokens, apiKeys, limits })
  preferenceRoutes(on, openPreferences({ database, audit, clock }))
  joinUserPage(kit, { ...accounts, tokens })
  return { tokens, close }
}
