import { parseJson } from '@tollgate/contract/json'
import { z } from 'zod'
import { AppError } from '../../../lib/app-error.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { Outgoing } from '../../../lib/security/outgoing.ts'
import type { Challenges } from '../../../verification/challenges.ts'
import type { EndedAtProvider, ProviderSession } from '../../../verification/provider-session.ts'
import type { Returned, SignInState } from '../code-provider.ts'
import { longestHint, oidcClaims, oidcTicket, subjectOf } from '../oidc.ts'
import { type OidcClient, openOidcClient } from '../oidc-client.ts'
import { askWithAdvice } from './ask-with-advice.ts'
import { checkedLogoutToken } from './logout-token.ts'
import { claimAt, groupsIn, type Person } from './person.ts'
import type { StoredProvider } from './store.ts'

/** Names of a provider in error texts. */
export const namesOfProvider = ({ name }: { readonly name: string }) => ({
  name: ` ${name} `,
  name_en: name,
  account: ` ${name} 账户`,
})

export interface OidcWay {
  begin(
    provider: StoredProvider,
    redirectUri: string,
  ): Promise<{ kept: SignInState; addressFor(state: string): string }>
  finish(provider: StoredProvider, returned: Returned, kept: SignInState): Promise<Person>
  /** Address that signs the browser out at the provider, too; undefined if the provider has none, or must not be asked. */
  signOutAddress(provider: StoredProvider, returnTo: string, at: ProviderSession): Promise<string | undefined>
  /** Checks a provider's word that a session of its own is over, once; answers which ones of ours end. Throws AppError('logout_token_refused'). */
  takeLogout(provider: StoredProvider, token: string): Promise<EndedAtProvider>
  /**
   * Provider's metadata, read anew; of an organisation, or of the site (0).
   * Throws AppError('third_party_unreachable' | 'oidc_token_failed').
   */
  describe(issuer: string, organisationId: number): Promise<{ issuer: string; sign_in_url: string; keys: number }>
}

const keySet = z.object({ keys: z.array(z.unknown()) })

interface Parts {
  /** The way out to addresses of this provider. */
  askFor(provider: { readonly organisation_id: number }): Outgoing
  secretOf(provider: StoredProvider): string
  readonly challenges: Challenges
  readonly clock: Clock
}

/** Signing in by OpenID Connect providers, each with a client of its own that is made when it is used first. */
export const createOidcWay = (parts: Parts): OidcWay => {
  const clients = new Map<number, { readonly provider: StoredProvider; readonly client: OidcClient }>()

  const clientOf = (provider: StoredProvider): OidcClient => {
    const known = clients.get(provider.id)
    if (known?.provider === provider) return known.client
    const { connection } = provider
    if (connection.kind !== 'oidc') throw new AppError('third_party_disabled', { params: namesOfProvider(provider) })
    const settings = {
      discoverAt: connection.issuer,
      clientId: connection.client_id,
      secret: parts.secretOf(provider),
      scope: connection.scopes,
      endpoints: {},
    }
    const client = openOidcClient({
      ask: parts.askFor(provider),
      clock: parts.clock,
      names: namesOfProvider(provider),
      settings: () => settings,
    })
    clients.set(provider.id, { provider, client })
    return client
  }

  return {
    begin: async (provider, redirectUri) => clientOf(provider).begin(redirectUri),

    async finish(provider, returned, kept) {
      const { issuer, claims, idToken = '' } = await clientOf(provider).finish(returned, kept)
      const found = oidcClaims.safeParse(claims)
      if (!found.success || provider.connection.kind !== 'oidc') throw new AppError('oidc_user_empty')
      const { sub, preferred_username: username, name, email, email_verified: verified } = found.data
      return {
        subject: subjectOf(issuer, sub),
        name: email || username || sub,
        username: username?.split('@')[0],
        displayName: name || username || provider.name,
        email: verified === true ? email?.trim().toLowerCase() : undefined,
        groups: groupsIn(claimAt(claims, provider.connection.groups_claim)),
        session: {
          index: found.data.sid ?? '',
          ticket: JSON.stringify({
            idToken: provider.connection.signs_out && idToken.length <= longestHint ? idToken : '',
          }),
        },
      }
    },

    async signOutAddress(provider, returnTo, at) {
      const { connection } = provider
      const read = oidcTicket.safeParse(parseJson(at.ticket))
      if (connection.kind !== 'oidc' || !connection.signs_out || !read.success) return undefined
      return clientOf(provider).endSessionAddress(read.data.idToken, returnTo)
    },

    async takeLogout(provider, token) {
      const { connection } = provider
      if (connection.kind !== 'oidc') throw new AppError('not_found')
      const about = await clientOf(provider).describe()
      const ask = parts.askFor(provider)
      const { id, sub, sid, seconds } = await checkedLogoutToken(token, { about, clientId: connection.client_id, ask })
      if (!(await parts.challenges.once('logout_token', `${provider.id} ${id}`, seconds)))
        throw new AppError('logout_token_refused')
      return {
        providerId: provider.id,
        subject: sub === undefined ? undefined : subjectOf(about.issuer, sub),
        index: sid,
      }
    },

    async describe(discoverAt, organisationId) {
      const settings = { discoverAt, clientId: 'test', secret: '', scope: 'openid', endpoints: {} }
      const { ask, advised } = askWithAdvice(parts.askFor({ organisation_id: organisationId }))
      const names = namesOfProvider({ name: new URL(discoverAt).host })
      const client = openOidcClient({ ask, clock: parts.clock, names, settings: () => settings })
      // The site's operator may know how an address fails; an owner of an organisation could look for servers by it.
      const explained = (error: unknown): never => {
        throw (organisationId === 0 ? advised() : undefined) ?? error
      }
      const {
        issuer,
        authorization_endpoint: address = '',
        jwks_uri: keysAt,
      } = await client.describe().catch(explained)
      const found =
        keysAt === undefined
          ? undefined
          : await ask(keysAt)
              .then((answer) => answer.json())
              .catch((cause: unknown) => {
                return explained(new AppError('third_party_unreachable', { params: names, cause }))
              })
      const keys = keySet.safeParse(found)
      return { issuer, sign_in_url: address, keys: keys.success ? keys.data.keys.length : 0 }
    },
  }
}
