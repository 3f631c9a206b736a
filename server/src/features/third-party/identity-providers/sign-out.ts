import { AppError } from '../../../lib/app-error.ts'
import type { Log } from '../../../lib/log.ts'
import type { ProviderSession } from '../../../verification/provider-session.ts'
import type { OptionsOidc } from '../oidc.ts'
import type { ThirdPartyAccounts } from '../ports.ts'
import type { Visitor } from '../visitor.ts'
import type { ProviderDirectory } from './directory.ts'
import type { OidcWay } from './oidc-way.ts'
import type { LogoutMessage, SamlLogout } from './saml/logout.ts'
import type { StoredProvider } from './store.ts'

/** The page that a browser comes back to once it is signed out; providers are given the bare address, which they compare. */
const loginPath = '/login'
export const signedOutPath = `${loginPath}?done=loggedOut`

/** Signing out at identity providers, and by them. */
export interface SingleSignOut {
  /** Address that signs the browser out at its provider; undefined if that is not wanted or not possible. */
  readonly signOutAt: (at: ProviderSession) => Promise<string | undefined>
  /** Takes a request of a SAML provider to end sessions; answers where the browser goes on. Throws AppError('saml_answer_refused'). */
  takeLogout(slug: string, message: LogoutMessage, visitor: Visitor): Promise<string>
  /** Takes a logout token of an OpenID Connect provider. Throws AppError('logout_token_refused'). */
  takeLogoutToken(slug: string, token: string, visitor: Visitor): Promise<void>
}

interface Parts {
  readonly directory: Pick<ProviderDirectory, 'all' | 'bySlug'>
  readonly saml: SamlLogout
  readonly oidc: Pick<OidcWay, 'signOutAddress' | 'takeLogout'>
  /** The OpenID Connect provider of the options. */
  readonly optionsOidc: Pick<OptionsOidc, 'signOutAddress'>
  readonly accounts: Pick<ThirdPartyAccounts, 'endAtProvider'>
  readonly warn: Log['warn']
  /** The address of this site. Throws AppError('oauth_address_unknown'). */
  site(): string
}

export const createSingleSignOut = (parts: Parts): SingleSignOut => {
  const { directory, accounts } = parts

  const found = (slug: string, kind: StoredProvider['connection']['kind']): StoredProvider => {
    const provider = directory.bySlug(slug)
    if (provider?.connection.kind !== kind) throw new AppError('not_found')
    return provider
  }

  const clientOf = ({ client, header }: Visitor) => ({ ip: client.ip, userAgent: header('user-agent') ?? '' })

  /** At the provider of the options. */
  const signOutAtOptions = async (at: ProviderSession): Promise<string | undefined> => {
    try {
      return await parts.optionsOidc.signOutAddress(`${parts.site()}${loginPath}`, at)
    } catch (error) {
      parts.warn('provider_sign_out_failed', { provider: 'oidc', error })
      return undefined
    }
  }

  return {
    async signOutAt(at) {
      if (at.providerId === 0) return signOutAtOptions(at)
      const provider = directory.all().find(({ id }) => id === at.providerId)
      if (provider === undefined || !provider.enabled) return undefined
      try {
        const site = parts.site()
        return provider.connection.kind === 'saml'
          ? await parts.saml.signOutAddress(provider, site, at)
          : await parts.oidc.signOutAddress(provider, `${site}${loginPath}`, at)
      } catch (error) {
        // The session here is over in any case.
        parts.warn('provider_sign_out_failed', { provider: provider.slug, error })
        return undefined
      }
    },

    async takeLogout(slug, message, visitor) {
      const provider = found(slug, 'saml')
      const { ended, next } = await parts.saml.takeLogout(provider, parts.site(), message).catch((error: unknown) => {
        if (error instanceof AppError && error.code === 'saml_answer_refused')
          parts.warn('saml_answer_refused', { provider: slug, reason: error.details.reason })
        throw error
      })
      await accounts.endAtProvider(ended, clientOf(visitor))
      return next ?? signedOutPath
    },

    async takeLogoutToken(slug, token, visitor) {
      const ended = await parts.oidc.takeLogout(found(slug, 'oidc'), token)
      await accounts.endAtProvider(ended, clientOf(visitor))
    },
  }
}
