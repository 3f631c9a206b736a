import type {
  Binding,
  finishThirdParty,
  QueryOf,
  StartableThirdParty,
  ThirdParty,
  ThirdPartyStart,
} from '@tollgate/contract'
import type { Database } from '../../db/database.ts'
import type { ConsoleClient } from '../../http/client.ts'
import type { ConsoleCaller, Cookie } from '../../http/route.ts'
import { AppError } from '../../lib/app-error.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { EgressGuard } from '../../lib/security/egress.ts'
import { openOutgoing } from '../../lib/security/outgoing.ts'
import type { Secrets } from '../../lib/security/secrets.ts'
import type { Challenges } from '../../verification/challenges.ts'
import type { Identities } from '../../verification/identities.ts'
import { createBindings } from './bindings.ts'
import type { CodeProvider, SignInState } from './code-provider.ts'
import { createProviderBindings } from './identity-providers/bindings.ts'
import type { ProviderDirectory } from './identity-providers/directory.ts'
import { createOidcWay } from './identity-providers/oidc-way.ts'
import { createSamlWay } from './identity-providers/saml/saml-way.ts'
import { openSiteKey } from './identity-providers/saml/site-key.ts'
import { createSingleSignOn, type GroupRoles, type SingleSignOn } from './identity-providers/single-sign-on.ts'
import { noteOwnerSignIn } from './identity-providers/store.ts'
import { createOAuth } from './oauth.ts'
import { type OAuthAddresses, oauthProviders, publicOAuth } from './oauth-providers.ts'
import { createOidc } from './oidc.ts'
import type { AccountChanger, ReadOption, ThirdPartyAccounts, ThirdPartyAnswer, Visitor } from './ports.ts'
import { namesOf, type Profile } from './profile.ts'
import { createThirdPartySignIn } from './sign-in.ts'
import { isOwnCall, siteAddress } from './site-address.ts'
import { createStates, type PendingSignIn } from './states.ts'
import { createTelegram, publicTelegram } from './telegram.ts'
import { createWeChat } from './wechat.ts'

interface Started {
  readonly data: ThirdPartyStart
  readonly cookies: readonly Cookie[]
}

/** Undefined stands for an account that was linked, not signed in to. */
type Entered = ThirdPartyAnswer | undefined

/** Fields that Telegram signed. */
type Fields = Readonly<Record<string, string>>

type CodeProviderName = 'github' | 'discord' | 'linuxdo' | 'oidc'

export interface ThirdPartyParts {
  readonly database: Database
  readonly challenges: Challenges
  readonly identities: Identities
  readonly accounts: ThirdPartyAccounts
  readonly option: ReadOption
  /** Path below which the site is reached; empty or absent for the root of its host. */
  readonly basePath?: string | undefined
  /** For addresses that operators typed. */
  readonly egress: Pick<EgressGuard, 'lookup' | 'assertLiteral'>
  /** For addresses that owners of organisations typed. */
  readonly publicEgress: Pick<EgressGuard, 'lookup' | 'assertLiteral'>
  readonly directory: ProviderDirectory
  readonly groupRoles: GroupRoles
  readonly secrets: Pick<Secrets, 'encrypt' | 'decrypt'>
  readonly warn: Log['warn']
  readonly clock: Clock
  /** Addresses of the providers; the public ones unless a test has its own. */
  readonly addresses?: OAuthAddresses & { readonly telegram: string }
}

export interface ThirdPartyService {
  /** For clients that write the provider's address themselves. */
  state(
    query: { provider?: 'github' | 'linuxdo' | undefined; purpose?: 'login' | 'bind' | undefined; aff: string },
    visitor: Visitor,
  ): Promise<{ data: string; cookies: readonly Cookie[] }>
  startLogin(provider: StartableThirdParty, aff: string, visitor: Visitor): Promise<Started>
  startBinding(provider: StartableThirdParty, caller: ConsoleCaller, visitor: Visitor): Promise<Started>
  /** The provider's answer. Throws AppError with the reference's words. */
  finish(provider: CodeProviderName, query: QueryOf<typeof finishThirdParty>, visitor: Visitor): Promise<Entered>
  weChatLogin(query: { code: string; aff: string }, visitor: Visitor): Promise<ThirdPartyAnswer>
  weChatBind(code: string, caller: ConsoleCaller, visitor: Visitor): Promise<void>
  telegramLogin(fields: Fields, visitor: Visitor): Promise<ThirdPartyAnswer>
  telegramBind(fields: Fields, caller: ConsoleCaller, visitor: Visitor): Promise<void>
  bindings(caller: ConsoleCaller): Promise<Binding[]>
  unbind(provider: ThirdParty, caller: ConsoleCaller, client: ConsoleClient): Promise<void>
  /** By identity providers of the site and of organisations. */
  readonly sso: SingleSignOn
  close(): Promise<void>
}

const publicAddresses = { ...publicOAuth, telegram: publicTelegram }

/** Signing in with accounts elsewhere and linking them. */
export const openThirdParty = (parts: ThirdPartyParts): ThirdPartyService => {
  const { option, accounts, clock } = parts
  const addresses = parts.addresses ?? publicAddresses
  const outgoing = openOutgoing(parts.egress)
  const needs = { option, ask: outgoing.ask }
  const oauth = oauthProviders(option, addresses)
  const optionsOidc = createOidc({ ...needs, clock })
  const byCode: Readonly<Record<CodeProviderName, CodeProvider>> = {
    github: createOAuth(oauth.github, outgoing.ask),
    discord: createOAuth(oauth.discord, outgoing.ask),
    linuxdo: createOAuth(oauth.linuxdo, outgoing.ask),
    oidc: optionsOidc,
  }
  const weChat = createWeChat(needs)
  const telegram = createTelegram({ option, challenges: parts.challenges, authorize: addresses.telegram, clock })
  const providers = { ...byCode, wechat: weChat, telegram }
  const isEnabled = (provider: ThirdParty): boolean => providers[provider].isEnabled()
  const states = createStates(parts.challenges)
  const { directory } = parts
  const signIn = createThirdPartySignIn({ ...parts, requiredFor: directory.requiredFor })
  const isProviderEnabled = (id: number): boolean => directory.all().some((entry) => entry.id === id && entry.enabled)
  const bindings = createBindings({ ...parts, signIn, isEnabled, isProviderEnabled })
  const publicOutgoing = openOutgoing(parts.publicEgress)
  const sso = createSingleSignOn({
    ...parts,
    states,
    signIn,
    link: bindings.bind,
    optionsOidc,
    async ownerCameIn({ id }) {
      await noteOwnerSignIn(parts.database.query, id, unixSeconds(clock))
      await directory.changed()
    },
    oidc: createOidcWay({
      askFor: ({ organisation_id }) => (organisation_id === 0 ? outgoing.ask : publicOutgoing.ask),
      secretOf: ({ secretCipher }) =>
        secretCipher === '' ? '' : parts.secrets.decrypt('identity_provider', secretCipher),
      challenges: parts.challenges,
      clock,
    }),
    saml: createSamlWay({ ...parts, siteKey: openSiteKey(parts) }),
    bindings: createProviderBindings({ ...parts, opensOtherwise: bindings.opensOtherwise }),
  })

  const assertEnabled = (provider: ThirdParty): void => {
    if (!isEnabled(provider)) throw new AppError('third_party_disabled', { params: namesOf(provider) })
  }

  const changerOf = ({ id, username }: ConsoleCaller, { ip }: ConsoleClient): AccountChanger => ({ id, username, ip })

  /** State that the server stores for the return, and the address of the sign-in once that state has a key. */
  const wayTo = async (
    provider: StartableThirdParty,
    { header }: Visitor,
  ): Promise<{ kept: SignInState; addressFor(state: string): string }> => {
    const back = `${siteAddress({ serverAddress: option('ServerAddress'), basePath: parts.basePath }, header)}/oauth/${provider}`
    if (provider !== 'telegram') return byCode[provider].begin(back)
    return { kept: {}, addressFor: (state) => telegram.addressFor(`${back}?${new URLSearchParams({ state })}`) }
  }

  const start = async (
    provider: StartableThirdParty,
    start: Pick<PendingSignIn, 'purpose' | 'userId' | 'aff' | 'confirmed'>,
    visitor: Visitor,
  ): Promise<Started> => {
    assertEnabled(provider)
    const { kept, addressFor } = await wayTo(provider, visitor)
    const { state, cookie } = await states.begin({ ...start, provider, kept }, visitor.browser)
    return { data: { state, url: addressFor(state) }, cookies: [cookie] }
  }

  const bindFor = async (caller: ConsoleCaller, profile: Profile, { client }: Visitor): Promise<void> =>
    bindings.bind(changerOf(caller, client), profile)

  /** The user who started the binding must be the one who finishes it. */
  const binder = async (begun: PendingSignIn, { caller }: Visitor): Promise<ConsoleCaller> => {
    if (caller === undefined || caller.id !== begun.userId) throw new AppError('oauth_state_wrong')
    // Demo accounts are shared, so a linked identity would outlast its visitor. Older clients come here by a GET for visitors.
    if (option('DemoSiteEnabled')) throw new AppError('demo_site')
    if (!begun.confirmed) await accounts.assertConfirmed(caller)
    return caller
  }

  /** Other sites may send a browser here with another user's verification; then it has to show a state of its own. */
  const assertOwn = async (fields: Fields, purpose: PendingSignIn['purpose'], visitor: Visitor): Promise<void> => {
    const { state = '' } = fields
    if (state === '' && isOwnCall(visitor.header)) return
    const begun = await states.take(state, 'telegram', visitor.browser)
    if (begun.purpose !== purpose) throw new AppError('oauth_state_wrong')
    if (purpose === 'bind') await binder(begun, visitor)
  }

  const identifyWeChat = (code: string, { header }: Visitor): Promise<Profile> => {
    assertEnabled('wechat')
    // The code is typed into our own page: there is no way here from another site.
    if (!isOwnCall(header)) throw new AppError('oauth_state_wrong')
    return weChat.identify(code)
  }

  return {
    async state({ provider, purpose, aff }, visitor) {
      const userId = purpose === 'login' ? 0 : (visitor.caller?.id ?? 0)
      if (purpose === 'bind' && userId === 0) throw new AppError('not_signed_in')
      const request = { purpose: userId === 0 ? 'login' : 'bind', userId, aff, confirmed: false } as const
      const { state, cookie } = await states.begin({ ...request, ...(provider ? { provider } : {}) }, visitor.browser)
      return { data: state, cookies: [cookie] }
    },

    startLogin: (provider, aff, visitor) =>
      start(provider, { purpose: 'login', userId: 0, aff, confirmed: false }, visitor),

    startBinding: (provider, caller, visitor) =>
      start(provider, { purpose: 'bind', userId: caller.id, aff: '', confirmed: true }, visitor),

    async finish(name, { error, error_description: description, ...returned }, visitor) {
      const begun = await states.take(returned.state, name, visitor.browser)
      const caller = begun.purpose === 'bind' ? await binder(begun, visitor) : undefined
      assertEnabled(name)
      if (error !== '')
        throw new AppError('third_party_refused', { params: { text: (description || error).slice(0, 200) } })
      const profile = await byCode[name].finish(returned, begun.kept)
      if (caller === undefined) return signIn.enter(profile, begun.aff, visitor.client)
      await bindFor(caller, profile, visitor)
      return undefined
    },

    async weChatLogin({ code, aff }, visitor) {
      return signIn.enter(await identifyWeChat(code, visitor), aff, visitor.client)
    },

    async weChatBind(code, caller, visitor) {
      await bindFor(caller, await identifyWeChat(code, visitor), visitor)
    },

    async telegramLogin(fields, visitor) {
      assertEnabled('telegram')
      await assertOwn(fields, 'login', visitor)
      return signIn.enterOnly(await telegram.identify(fields), visitor.client)
    },

    async telegramBind(fields, caller, visitor) {
      assertEnabled('telegram')
      await assertOwn(fields, 'bind', visitor)
      await bindFor(caller, await telegram.identify(fields), visitor)
    },

    bindings: ({ id }) => bindings.list(id),
    unbind: (provider, caller, client) => bindings.unbind(changerOf(caller, client), provider),
    sso,
    async close() {
      await Promise.all([outgoing.close(), publicOutgoing.close()])
    },
  }
}
