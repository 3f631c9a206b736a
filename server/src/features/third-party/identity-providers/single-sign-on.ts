import type {
  finishSingleSignOn,
  ProviderBinding,
  ProviderConnection,
  QueryOf,
  TestedProvider,
  ThirdPartyStart,
} from '@tollgate/contract'
import type { ConsoleCaller, Cookie } from '../../../http/route.ts'
import { AppError } from '../../../lib/app-error.ts'
import type { Log } from '../../../lib/log.ts'
import type { Identities } from '../../../verification/identities.ts'
import type { Bindings } from '../bindings.ts'
import type { SignInState } from '../code-provider.ts'
import type { OptionsOidc } from '../oidc.ts'
import type { ReadOption, ThirdPartyAccounts, ThirdPartyAnswer, Visitor } from '../ports.ts'
import type { Profile } from '../profile.ts'
import type { ThirdPartySignIn } from '../sign-in.ts'
import { siteAddress } from '../site-address.ts'
import type { PendingSignIn, States } from '../states.ts'
import type { ProviderBindings } from './bindings.ts'
import { domainOf, type ProviderDirectory } from './directory.ts'
import { namesOfProvider, type OidcWay } from './oidc-way.ts'
import type { Person } from './person.ts'
import { certificateOf } from './saml/client.ts'
import type { SamlWay } from './saml/saml-way.ts'
import { createSingleSignOut, type SingleSignOut } from './sign-out.ts'
import type { StoredProvider } from './store.ts'

/** Actions on organisations for signing in by identity providers; `features/organisations` implements them. */
export const assertPublicAddress = (connection: ProviderConnection, organisationId: number): void => {
  const addresses =
    connection.kind === 'oidc'
      ? [connection.issuer]
      : [connection.sign_in_url, connection.logout_url].filter((address) => address !== '')
  if (organisationId !== 0 && addresses.some((address) => !address.startsWith('https:')))
    throw new AppError('provider_only_for_site')
}

/** Actions on organisations for signing in by identity providers; `features/organisations` implements them. */
export interface GroupRoles {
  /** Brings the memberships of a person in line with the groups that the provider names. */
  apply(
    person: { id: number; username: string; ip: string },
    provider: StoredProvider,
    groups: readonly string[],
  ): Promise<void>
  /** True if a person is a member of an organisation that is not suspended; as its owner where `asOwner`. */
  belongs(organisationId: number, userId: number, asOwner?: boolean): Promise<boolean>
}

export interface SingleSignOnParts {
  readonly directory: ProviderDirectory
  readonly oidc: OidcWay
  readonly optionsOidc: Pick<OptionsOidc, 'signOutAddress'>
  readonly saml: SamlWay
  readonly states: States
  readonly identities: Identities
  readonly accounts: ThirdPartyAccounts
  readonly signIn: Pick<ThirdPartySignIn, 'enterBy'>
  readonly bindings: ProviderBindings
  readonly link: Bindings['bind']
  readonly groupRoles: GroupRoles
  readonly option: ReadOption
  /** Path below which the site is reached; empty or absent for the root of its host. */
  readonly basePath?: string | undefined
  /** Notes that an owner of its organisation came in by a provider, which may be enforced from then on. */
  ownerCameIn(provider: StoredProvider): Promise<void>
  readonly warn: Log['warn']
}

interface Started {
  readonly data: ThirdPartyStart
  readonly cookies: readonly Cookie[]
}

export interface SingleSignOn extends SingleSignOut {
  start(slug: string, start: Pick<PendingSignIn, 'purpose' | 'aff'>, visitor: Visitor): Promise<Started>
  /** Undefined stands for an account that was linked. */
  finish(
    slug: string,
    query: QueryOf<typeof finishSingleSignOn>,
    visitor: Visitor,
  ): Promise<ThirdPartyAnswer | undefined>
  /** Takes an answer of a SAML provider; answers where the browser goes on. */
  takeAnswer(slug: string, answer: { SAMLResponse: string; RelayState: string }): Promise<string>
  metadata(slug: string): Promise<string>
  list(caller: ConsoleCaller): Promise<ProviderBinding[]>
  unbind(slug: string, caller: ConsoleCaller, visitor: Visitor): Promise<void>
  /** Of an organisation, or of the site (0). Throws AppError('provider_only_for_site' | 'third_party_unreachable' | …). */
  test(connection: ProviderConnection, organisationId: number): Promise<TestedProvider>
}

/** Name of a way to sign in, in the audit log and in the rule of domains. */
export const wayOf = (slug: string): string => `sso:${slug}`

const vouchesFor = ({ domains }: Pick<StoredProvider, 'domains'>, address: string | undefined): boolean =>
  address !== undefined && domains.includes(domainOf(address))

const prefixOf = (slug: string): string => `${slug.slice(0, 7)}_`

export const createSingleSignOn = (parts: SingleSignOnParts): SingleSignOn => {
  const { directory, accounts, option, states } = parts

  const open = (slug: string): StoredProvider => {
    const provider = directory.bySlug(slug)
    if (provider === undefined) throw new AppError('not_found')
    const closed = provider.organisation_id !== 0 && !option('OrganisationProvidersEnabled')
    if (!provider.enabled || closed) throw new AppError('third_party_disabled', { params: namesOfProvider(provider) })
    return provider
  }

  /** Address by which a SAML provider knows this site; it must not depend on the host of the request. */
  const site = (): string => {
    const address = option('ServerAddress').replace(/\/$/, '')
    if (address === '') throw new AppError('oauth_address_unknown')
    return address
  }

  const wayTo = async (provider: StoredProvider, { header }: Visitor) => {
    if (provider.connection.kind === 'saml') return parts.saml.begin(provider, site())
    const address = siteAddress({ serverAddress: option('ServerAddress'), basePath: parts.basePath }, header)
    const back = `${address.replace(/\/$/, '')}/oauth/${provider.slug}`
    return parts.oidc.begin(provider, back)
  }

  const profileOf = ({ id, slug, organisation_id, domains }: StoredProvider, found: Person): Profile => ({
    provider: `idp:${id}`,
    prefix: prefixOf(slug),
    subject: found.subject,
    name: found.name,
    earlier: '',
    // Nor does it choose names that others may want to register.
    username: organisation_id === 0 ? found.username : undefined,
    displayName: found.displayName,
    // An organisation's provider says what its owner likes: it proves no address but those of the domain that is its own by DNS.
    email: organisation_id === 0 || vouchesFor({ domains }, found.email) ? found.email : undefined,
  })

  /**
   * The account with an address that the provider verified and vouches for by its domains; root's is linked by hand alone. An
   * organisation's provider finds its members, for whom it is the only way in, and nobody of the staff.
   */
  const byAddress = async (
    provider: StoredProvider,
    { email }: Person,
    profile: Profile,
    ip: string,
  ): Promise<number | undefined> => {
    const { organisation_id: organisation } = provider
    if (email === undefined || !vouchesFor(provider, email)) return undefined
    const owner = await accounts.byProvenAddress(email)
    if (owner === undefined || owner.isRoot) return undefined
    if (organisation !== 0 && (owner.isStaff || !(await parts.groupRoles.belongs(organisation, owner.id))))
      return undefined
    await parts.link({ id: owner.id, username: owner.username, ip }, profile, namesOfProvider(provider))
    return owner.id
  }

  const personOf = (
    provider: StoredProvider,
    returned: QueryOf<typeof finishSingleSignOn>,
    kept: SignInState | undefined,
  ): Promise<Person> =>
    provider.connection.kind === 'saml'
      ? parts.saml.finish(provider, returned.code, kept)
      : parts.oidc.finish(provider, { code: returned.code, state: returned.state, iss: returned.iss }, kept ?? {})

  const binder = async (begun: PendingSignIn, caller: ConsoleCaller | undefined): Promise<ConsoleCaller> => {
    if (caller === undefined || caller.id !== begun.userId) throw new AppError('oauth_state_wrong')
    // Demo accounts are shared, so a linked identity would outlast its visitor.
    if (option('DemoSiteEnabled')) throw new AppError('demo_site')
    return caller
  }

  const assertGranted = (
    { connection }: StoredProvider,
    { error, error_description: text }: { error: string; error_description: string },
  ) => {
    if (error === '') return
    if (connection.kind === 'saml') throw new AppError('saml_answer_refused')
    throw new AppError('third_party_refused', { params: { text: (text || error).slice(0, 200) } })
  }

  return {
    ...createSingleSignOut({ ...parts, site }),

    async start(slug, { purpose, aff }, visitor) {
      const provider = open(slug)
      const userId = purpose === 'bind' ? (visitor.caller?.id ?? 0) : 0
      const { kept, addressFor } = await wayTo(provider, visitor)
      const begun = { purpose, aff, userId, confirmed: true, kept, provider: `idp:${provider.id}` } as const
      const { state, cookie } = await states.begin(begun, visitor.browser)
      return { data: { state, url: await addressFor(state) }, cookies: [cookie] }
    },

    async finish(slug, query, visitor) {
      const provider = open(slug)
      const { connection } = provider
      const unasked = query.state === '' && connection.kind === 'saml' && connection.idp_initiated
      const begun = unasked ? undefined : await states.take(query.state, `idp:${provider.id}`, visitor.browser)
      const caller = begun?.purpose === 'bind' ? await binder(begun, visitor.caller) : undefined
      assertGranted(provider, query)
      const found = await personOf(provider, query, begun?.kept)
      const profile = profileOf(provider, found)
      const { ip } = visitor.client
      if (caller !== undefined) {
        const by = { id: caller.id, username: caller.username, ip }
        await parts.link(by, profile, namesOfProvider(provider))
        await parts.groupRoles.apply(by, provider, found.groups)
        return undefined
      }
      return parts.signIn.enterBy(profile, begun?.aff ?? '', visitor.client, {
        how: wayOf(slug),
        mayRegister: provider.sign_up,
        at: { providerId: provider.id, subject: found.subject, ...found.session },
        known: () => byAddress(provider, found, profile, ip),
        async before(userId) {
          const row = await accounts.byId(userId)
          await parts.groupRoles.apply({ id: userId, username: row?.username ?? '', ip }, provider, found.groups)
          const { organisation_id: organisation, owner_sign_in_time: earlier } = provider
          const isFirst = organisation !== 0 && earlier === 0
          if (isFirst && (await parts.groupRoles.belongs(organisation, userId, true))) await parts.ownerCameIn(provider)
        },
      })
    },

    async takeAnswer(slug, { SAMLResponse, RelayState }) {
      const provider = open(slug)
      const state = /^[A-Za-z0-9]{43}$/.test(RelayState) ? RelayState : ''
      const went = state === '' ? {} : { state }
      try {
        const code = await parts.saml.take(provider, site(), SAMLResponse)
        return `/oauth/${slug}?${new URLSearchParams({ code, ...went })}`
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'saml_answer_refused') throw error
        parts.warn('saml_answer_refused', { provider: slug, reason: error.details.reason })
        return `/oauth/${slug}?${new URLSearchParams({ error: error.code, ...went })}`
      }
    },

    async metadata(slug) {
      const provider = directory.bySlug(slug)
      if (provider?.connection.kind !== 'saml') throw new AppError('not_found')
      return parts.saml.metadata(provider, site())
    },

    list: ({ id }) => parts.bindings.list(id),

    async unbind(slug, { id, username }, { client: { ip } }) {
      const provider = directory.bySlug(slug)
      if (provider === undefined) throw new AppError('not_found')
      await parts.bindings.unbind({ id, username, ip }, provider)
    },

    async test(connection, organisationId) {
      assertPublicAddress(connection, organisationId)
      if (connection.kind === 'oidc') {
        return { ...(await parts.oidc.describe(connection.issuer, organisationId)), expires_time: 0 }
      }
      const ends = connection.certificates.map((text) => certificateOf(text).validToDate.getTime() / 1000)
      const { issuer, sign_in_url } = connection
      return { issuer, sign_in_url, keys: ends.length, expires_time: Math.floor(Math.max(...ends)) }
    },
  }
}
