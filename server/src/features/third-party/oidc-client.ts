import type { Configuration, ServerMetadata } from 'openid-client'
import { z } from 'zod'
import { AppError } from '../../lib/app-error.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import type { Outgoing } from '../../lib/security/outgoing.ts'
import {
  beginWith,
  type CodeProvider,
  clientAuth,
  clockSkewSeconds,
  configure,
  exchange,
  fetchWith,
  isUnreachable,
  openid,
  type Returned,
  readAs,
  type SignInState,
} from './code-provider.ts'
import type { namesOf } from './profile.ts'

export interface OidcSettings {
  /** The issuer, or the address of its discovery document; empty where the endpoints are all that is known. */
  readonly discoverAt: string
  readonly clientId: string
  readonly secret: string
  readonly scope: string
  /** They win over discovered ones. */
  readonly endpoints: Partial<ServerMetadata>
}

/** Claims about the person who signed in: of the id token, and of the user information if there is any. */
export interface OidcAnswer {
  readonly issuer: string
  readonly claims: unknown
  /** As it was received; absent where the provider was believed without one. */
  readonly idToken?: string | undefined
}

export interface OidcClient extends Pick<CodeProvider, 'begin'> {
  /** Throws AppError('third_party_unreachable' | 'oidc_token_failed' | 'oidc_user_failed'). */
  finish(returned: Returned, kept: SignInState): Promise<OidcAnswer>
  /** Address at which the browser ends its session at the provider and returns to `returnTo`; undefined if the provider has none. */
  endSessionAddress(idToken: string, returnTo: string): Promise<string | undefined>
  /** Provider's metadata. Throws AppError('third_party_unreachable' | 'oidc_token_failed'). */
  describe(): Promise<ServerMetadata>
}

interface DiscoveredProvider {
  readonly configuration: Configuration
  /** True if the provider's own document was read, so that its id tokens can be checked. */
  readonly discovered: boolean
}

const cacheMs = 600_000
/** Removes the id token: without the discovery document its issuer is unknown and it cannot be verified. */
const withoutIdToken =
  (ask: Outgoing): Outgoing =>
  async (url, request) => {
    const answer = await ask(url, request)
    const body: unknown = await answer
      .clone()
      .json()
      .catch(() => undefined)
    if (typeof body !== 'object' || body === null || !('id_token' in body)) return answer
    const { id_token: _, ...rest } = body
    return Response.json(rest, { status: answer.status })
  }

/**
 * A client of an OpenID Connect provider: with its discovery document id tokens are checked (signature, issuer, audience, nonce,
 * times); with the endpoints alone its user information is believed. Its keys are read anew when a token names an unknown one.
 */
export const openOidcClient = (parts: {
  settings(): OidcSettings
  readonly ask: Outgoing
  readonly clock: Clock
  /** Names of the provider, for errors. */
  readonly names: ReturnType<typeof namesOf>
}): OidcClient => {
  const { ask, settings, names } = parts
  let cached: { key: string; until: number; provider: Promise<DiscoveredProvider> } | undefined

  const discover = async ({ discoverAt, clientId, secret, endpoints }: OidcSettings): Promise<DiscoveredProvider> => {
    const found = await openid().discovery(new URL(discoverAt), clientId, undefined, openid().None(), {
      [openid().customFetch]: fetchWith(ask),
      ...(discoverAt.startsWith('http:') ? { execute: [openid().allowInsecureRequests] } : {}),
    })
    const { supportsPKCE: _, ...discovered } = found.serverMetadata()
    const server: ServerMetadata = { ...discovered, ...endpoints }
    // Absent means `client_secret_basic` only (OpenID Connect Discovery §3).
    const ways = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const auth = clientAuth(secret, ways.includes('client_secret_post') ? 'post' : 'basic')
    const configuration = configure(server, { id: clientId, auth }, ask)
    openid().enableNonRepudiationChecks(configuration)
    return { configuration, discovered: true }
  }

  const fromEndpoints = ({ clientId, secret, endpoints }: OidcSettings): DiscoveredProvider => {
    const issuer = new URL(endpoints.token_endpoint ?? '').origin
    const client = { id: clientId, auth: clientAuth(secret, 'post') }
    return { configuration: configure({ issuer, ...endpoints }, client, withoutIdToken(ask)), discovered: false }
  }

  const providerOf = async (): Promise<DiscoveredProvider> => {
    const current = settings()
    if (current.discoverAt === '') return fromEndpoints(current)
    const key = JSON.stringify(current)
    if (cached?.key !== key || cached.until < parts.clock()) {
      const fresh = { key, until: parts.clock() + cacheMs, provider: discover(current) }
      cached = fresh
      fresh.provider.catch(() => {
        if (cached === fresh) cached = undefined
      })
    }
    return cached.provider
  }

  const tokenRefused = (error: unknown): never => {
    const code = isUnreachable(error) ? 'third_party_unreachable' : 'oidc_token_failed'
    throw new AppError(code, { params: names, cause: error })
  }
  const userRefused = (error: unknown): never => {
    const code = isUnreachable(error) ? 'third_party_unreachable' : 'oidc_user_failed'
    throw new AppError(code, { params: names, cause: error })
  }

  const checked = async (configuration: Configuration, returned: Returned, kept: SignInState): Promise<OidcAnswer> => {
    const address = new URL(kept.redirectUri ?? '')
    for (const [name, value] of Object.entries(returned)) if (value !== '') address.searchParams.set(name, value)
    const tokens = await openid()
      .authorizationCodeGrant(configuration, address, {
        expectedState: returned.state,
        expectedNonce: kept.nonce ?? '',
        ...(kept.verifier === undefined ? {} : { pkceCodeVerifier: kept.verifier }),
      })
      .catch(tokenRefused)
    const fromToken = tokens.claims()
    // By the same clock as the library, which looks at the other times of a token.
    if (fromToken !== undefined && fromToken.iat > unixSeconds(Date.now) + clockSkewSeconds)
      tokenRefused(new Error('the id token was issued in the future'))
    const server = configuration.serverMetadata()
    const info =
      server.userinfo_endpoint === undefined || fromToken === undefined
        ? {}
        : await openid().fetchUserInfo(configuration, tokens.access_token, fromToken.sub).catch(userRefused)
    return { issuer: server.issuer, claims: { ...fromToken, ...info }, idToken: tokens.id_token }
  }

  const believed = async (configuration: Configuration, code: string, kept: SignInState): Promise<OidcAnswer> => {
    const token = await exchange(configuration, code, kept).catch(tokenRefused)
    const { issuer, userinfo_endpoint: address = '' } = configuration.serverMetadata()
    const info = await readAs(configuration, token, address, z.unknown()).catch(userRefused)
    if (info === undefined) throw new AppError('oidc_user_failed')
    return { issuer, claims: info }
  }

  return {
    async begin(redirectUri) {
      const { configuration } = await providerOf().catch(tokenRefused)
      const { scope } = settings()
      return beginWith(configuration, { redirectUri, scope, nonce: openid().randomNonce(), pkce: true })
    },
    async finish(returned, kept) {
      if (returned.code === '') throw new AppError('invalid_parameter')
      const { configuration, discovered } = await providerOf().catch(tokenRefused)
      return discovered ? checked(configuration, returned, kept) : believed(configuration, returned.code, kept)
    },
    async endSessionAddress(idToken, returnTo) {
      const { configuration } = await providerOf().catch(tokenRefused)
      if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined
      const hint = idToken === '' ? {} : { id_token_hint: idToken }
      return openid().buildEndSessionUrl(configuration, { ...hint, post_logout_redirect_uri: returnTo }).href
    },
    async describe() {
      const { configuration } = await providerOf().catch(tokenRefused)
      return configuration.serverMetadata()
    },
  }
}
