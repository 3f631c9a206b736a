import { usernameText, userStatus } from '@tollgate/contract'
import { longestDisplayName, longestUsername } from '@tollgate/contract/accounts/account-rules'
import type { Database } from '../../db/database.ts'
import type { ConsoleClient } from '../../http/client.ts'
import { AppError } from '../../lib/app-error.ts'
import { randomAlphanumerics } from '../../lib/ids.ts'
import type { Identities, Identity } from '../../verification/identities.ts'
import type { ProviderSession } from '../../verification/provider-session.ts'
import { type FindRequiredWay, ssoRequired } from '../../verification/required-way.ts'
import type { ReadOption, ThirdPartyAccounts, ThirdPartyAnswer } from './ports.ts'
import type { Profile } from './profile.ts'

export interface ThirdPartySignInParts {
  readonly database: Database
  readonly identities: Identities
  readonly accounts: ThirdPartyAccounts
  readonly option: ReadOption
  readonly requiredFor: FindRequiredWay
}

export interface ThirdPartySignIn {
  /** The user id that owns the account. An owner from an imported database gets the identity first. */
  ownerOf(profile: Profile): Promise<number | undefined>
  /**
   * Signs in the owner of the account, or registers a user. Throws AppError('third_party_cancelled' | 'user_banned' |
   * 'registration_disabled' | 'sso_required').
   */
  enter(profile: Profile, inviteCode: string, client: ConsoleClient): Promise<ThirdPartyAnswer>
  /**
   * The same for people of an identity provider. `known` finds an account that is theirs by another proof and links it, `before`
   * runs when it is clear whose session begins. Throws AppError('sign_up_closed') too.
   */
  enterBy(
    profile: Profile,
    inviteCode: string,
    client: ConsoleClient,
    by: {
      readonly how: string
      readonly mayRegister: boolean
      readonly at: ProviderSession
      known(): Promise<number | undefined>
      before(userId: number): Promise<void>
    },
  ): Promise<ThirdPartyAnswer>
  /** Signs in an existing owner only. Throws AppError('telegram_unbound'). */
  enterOnly(profile: Profile, client: ConsoleClient): Promise<ThirdPartyAnswer>
}

/** The identity row of a profile. */
export const identityOf = ({ provider, subject, shown, name }: Profile): Identity => ({
  provider,
  subject,
  name,
  ...(shown === undefined ? {} : { shown }),
})

const longestEmail = 50
const attempts = 10

const displayNameOf = ({ displayName }: Profile): string =>
  [...displayName.trim()].slice(0, longestDisplayName).join('')

const isCode = (error: unknown, ...codes: string[]): boolean => error instanceof AppError && codes.includes(error.code)

/** Signs users in by a verified third-party account. */
export const createThirdPartySignIn = (parts: ThirdPartySignInParts): ThirdPartySignIn => {
  const { identities, accounts, option } = parts

  const ownerOf = async (profile: Profile): Promise<number | undefined> => {
    const owner = await identities.ownerOf(identityOf(profile))
    if (owner !== undefined) return owner
    const earlier = await identities.earlierOwner(profile.provider, profile.earlier)
    if (earlier === undefined) return undefined
    await parts.database.transaction((trx) => identities.bind(trx, earlier, identityOf(profile)))
    // Read again: a concurrent call may have bound the identity first.
    return identities.ownerOf(identityOf(profile))
  }

  const freeEmail = async ({ email }: Profile): Promise<Identity | undefined> => {
    const subject = email?.trim().toLowerCase() ?? ''
    if (!/^[^@\s]+@[^@\s]+$/.test(subject) || subject.length > longestEmail) return undefined
    const identity = { provider: 'email', subject } as const
    const owner = (await identities.ownerOf(identity)) ?? (await identities.earlierOwner('email', subject))
    return owner === undefined ? identity : undefined
  }

  const usernameFor = (profile: Profile, attempt: number): string => {
    const wished = usernameText.safeParse(profile.username ?? '')
    if (attempt === 0 && wished.success) return wished.data
    const { prefix } = profile
    return prefix + randomAlphanumerics(longestUsername - prefix.length).toLowerCase()
  }

  /** Names are drawn until one is free; an address that was taken in this moment is left out. */
  const register = async (profile: Profile, inviteCode: string): Promise<number | undefined> => {
    let email = await freeEmail(profile)
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      try {
        return await accounts.register({
          username: usernameFor(profile, attempt),
          displayName: displayNameOf(profile),
          identities: [identityOf(profile), ...(email ? [email] : [])],
          inviteCode,
        })
      } catch (error) {
        if (isCode(error, 'identity_taken')) return identities.ownerOf(identityOf(profile))
        if (isCode(error, 'email_taken')) email = undefined
        else if (!isCode(error, 'username_taken')) throw error
      }
    }
    throw new AppError('third_party_nameless')
  }

  const assertUsable = async (userId: number): Promise<void> => {
    const row = await accounts.byId(userId)
    if (row === undefined || row.deleted_at !== null) throw new AppError('third_party_cancelled')
    if (row.status !== userStatus.enabled) throw new AppError('user_banned')
  }

  const signIn = async (userId: number, profile: Profile, client: ConsoleClient) => {
    await assertUsable(userId)
    return accounts.signInAs(userId, client, profile.provider, profile.session)
  }

  /** Somebody new with an address of a domain that a provider is enforced for has to come by that provider. */
  const registered = async (profile: Profile, inviteCode: string, how: string): Promise<number> => {
    const required = profile.email === undefined ? undefined : parts.requiredFor(profile.email)
    if (required !== undefined && how !== `sso:${required.slug}`) throw ssoRequired(required)
    if (!option('RegisterEnabled') || option('SelfUseModeEnabled')) throw new AppError('registration_disabled')
    const made = await register(profile, inviteCode)
    if (made === undefined) throw new AppError('third_party_nameless')
    return made
  }

  return {
    ownerOf,
    async enter(profile, inviteCode, client) {
      const owner = await ownerOf(profile)
      return signIn(owner ?? (await registered(profile, inviteCode, profile.provider)), profile, client)
    },
    async enterBy(profile, inviteCode, client, { how, mayRegister, at, known, before }) {
      const owner = (await ownerOf(profile)) ?? (await known())
      if (owner === undefined && !mayRegister) throw new AppError('sign_up_closed')
      const userId = owner ?? (await registered(profile, inviteCode, how))
      await assertUsable(userId)
      await before(userId)
      return accounts.signInAs(userId, client, how, at)
    },
    async enterOnly(profile, client) {
      const owner = await ownerOf(profile)
      if (owner === undefined) throw new AppError('telegram_unbound')
      return signIn(owner, profile, client)
    },
  }
}
