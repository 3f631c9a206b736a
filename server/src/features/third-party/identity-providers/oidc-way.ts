import { z } from 'zod'
import { AppError } from '../../../lib/app-error.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { Kept, Returned } from '../code-provider.ts'
import { oidcClaims, subjectOf } from '../oidc.ts'
import { type OidcClient, openOidcClient } from '../oidc-client.ts'
import type { Outgoing } from '../outgoing.ts'
import { claimAt, groupsIn, type Person } from './person.ts'
import type { StoredProvider } from './store.ts'

/** What the errors call a provider. */
export const namesOfProvider = ({ name }: { readonly name: string }) => ({
  name: ` ${name} `,
  name_en: name,
  account: ` ${name} 账户`,
})

export interface OidcWay {
  begin(provider: StoredProvider, redirectUri: string): Promise<{ kept: Kept; addressFor(state: string): string }>
  finish(provider: StoredProvider, returned: Returned, kept: Kept): Promise<Person>
  /**
   * What a provider says about itself, read anew; of an organisation, or of the site (0).
   * Throws AppError('third_party_unreachable' | 'oidc_token_failed').
   */
  describe(issuer: string, organisationId: number): Promise<{ issuer: string; sign_in_url: string; keys: number }>
}

const keySet = z.object({ keys: z.array(z.unknown()) })

interface Parts {
  /** The way out to addresses of this provider. */
  askFor(provider: { readonly organisation_id: number }): Outgoing
  secretOf(provider: StoredProvider): string
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
      const { issuer, claims } = await clientOf(provider).finish(returned, kept)
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
      }
    },

    async describe(discoverAt, organisationId) {
      const settings = { discoverAt, clientId: 'test', secret: '', scope: 'openid', endpoints: {} }
      const ask = parts.askFor({ organisation_id: organisationId })
      const names = namesOfProvider({ name: new URL(discoverAt).host })
      const client = openOidcClient({ ...{ ask, clock: parts.clock, names, settings: () => settings } })
      const { issuer, authorization_endpoint: address = '', jwks_uri: keysAt } = await client.describe()
      const found =
        keysAt === undefined
          ? undefined
          : await ask(keysAt)
              .then((answer) => answer.json())
              .catch((cause: unknown) => {
                throw new AppError('third_party_unreachable', { params: names, cause })
              })
      const keys = keySet.safeParse(found)
      return { issuer, sign_in_url: address, keys: keys.success ? keys.data.keys.length : 0 }
    },
  }
}
