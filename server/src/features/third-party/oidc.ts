import { createHash } from 'node:crypto'
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  type Configuration,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  randomNonce,
  type ServerMetadata,
} from 'openid-client'
import { z } from 'zod'
import { AppError } from '../../lib/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import {
  beginWith,
  type CodeProvider,
  clientAuth,
  configure,
  exchange,
  fetchWith,
  isUnreachable,
  type Kept,
  type Returned,
  readAs,
} from './code-provider.ts'
import type { Outgoing } from './outgoing.ts'
import type { ReadOption } from './ports.ts'
import { namesOf, type Profile, providerTexts } from './profile.ts'

interface Settings {
  readonly wellKnown: string
  readonly clientId: string
  readonly secret: string
  readonly endpoints: Pick<ServerMetadata, 'authorization_endpoint' | 'token_endpoint' | 'userinfo_endpoint'>
}

interface DiscoveredProvider {
  readonly configuration: Configuration
  /** Whether the provider's own document was read, so that its id tokens can be checked. */
  readonly discovered: boolean
}

const cacheMs = 600_000
const scope = 'openid profile email'

const claims = z.looseObject({
  sub: z.string().min(1),
  preferred_username: z.string().optional().catch(undefined),
  name: z.string().optional().catch(undefined),
  email: z.string().optional().catch(undefined),
  // Some providers write it as text.
  email_verified: z.union([z.boolean(), z.stringbool()]).optional().catch(undefined),
})

/** Users of different issuers may share a `sub`. Hashed, because neither part has a length that a key could hold. */
const subjectOf = (issuer: string, sub: string): string =>
  createHash('sha256').update(`${issuer}\n${sub}`).digest('hex')

const profileOf = (issuer: string, found: z.output<typeof claims>): Profile => {
  const { sub, preferred_username: username, name, email } = found
  return {
    provider: 'oidc',
    subject: subjectOf(issuer, sub),
    shown: sub.slice(0, 255),
    name: username || email || sub,
    earlier: sub,
    username,
    displayName: name || username || providerTexts.oidc.displayName,
    email: found.email_verified === true ? email : undefined,
  }
}

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
 * An OpenID Connect provider: with its well-known address id tokens are checked (signature, issuer, audience, nonce); with
 * the three endpoints alone, as the reference has them, its user information is believed. Endpoints that the operator
 * filled in win over discovered ones.
 */
export const createOidc = (parts: { option: ReadOption; ask: Outgoing; clock: Clock }): CodeProvider => {
  const { option, ask } = parts
  let cached: { key: string; until: number; provider: Promise<DiscoveredProvider> } | undefined

  const settings = (): Settings => {
    const filled = Object.entries({
      authorization_endpoint: option('oidc.authorization_endpoint'),
      token_endpoint: option('oidc.token_endpoint'),
      userinfo_endpoint: option('oidc.user_info_endpoint'),
    }).filter(([, address]) => address !== '')
    return {
      wellKnown: option('oidc.well_known'),
      clientId: option('oidc.client_id'),
      secret: option('oidc.client_secret'),
      endpoints: Object.fromEntries(filled),
    }
  }

  const discover = async ({ wellKnown, clientId, secret, endpoints }: Settings): Promise<DiscoveredProvider> => {
    const found = await discovery(new URL(wellKnown), clientId, undefined, None(), {
      [customFetch]: fetchWith(ask),
      ...(wellKnown.startsWith('http:') ? { execute: [allowInsecureRequests] } : {}),
    })
    const { supportsPKCE: _, ...discovered } = found.serverMetadata()
    const server: ServerMetadata = { ...discovered, ...endpoints }
    // Absent means `client_secret_basic` only (OpenID Connect Discovery §3).
    const ways = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const auth = clientAuth(secret, ways.includes('client_secret_post') ? 'post' : 'basic')
    const configuration = configure(server, { id: clientId, auth }, ask)
    enableNonRepudiationChecks(configuration)
    return { configuration, discovered: true }
  }

  const fromEndpoints = ({ clientId, secret, endpoints }: Settings): DiscoveredProvider => {
    const issuer = new URL(endpoints.token_endpoint ?? '').origin
    const client = { id: clientId, auth: clientAuth(secret, 'post') }
    return { configuration: configure({ issuer, ...endpoints }, client, withoutIdToken(ask)), discovered: false }
  }

  const providerOf = async (): Promise<DiscoveredProvider> => {
    const current = settings()
    if (current.wellKnown === '') return fromEndpoints(current)
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
    throw new AppError(code, { params: namesOf('oidc'), cause: error })
  }
  const userRefused = (error: unknown): never => {
    const code = isUnreachable(error) ? 'third_party_unreachable' : 'oidc_user_failed'
    throw new AppError(code, { params: namesOf('oidc'), cause: error })
  }

  const checked = async (configuration: Configuration, returned: Returned, kept: Kept): Promise<Profile> => {
    const address = new URL(kept.redirectUri ?? '')
    for (const [name, value] of Object.entries(returned)) if (value !== '') address.searchParams.set(name, value)
    const tokens = await authorizationCodeGrant(configuration, address, {
      expectedState: returned.state,
      expectedNonce: kept.nonce ?? '',
      ...(kept.verifier === undefined ? {} : { pkceCodeVerifier: kept.verifier }),
    }).catch(tokenRefused)
    const fromToken = tokens.claims()
    const server = configuration.serverMetadata()
    const info =
      server.userinfo_endpoint === undefined || fromToken === undefined
        ? {}
        : await fetchUserInfo(configuration, tokens.access_token, fromToken.sub).catch(userRefused)
    const found = claims.safeParse({ ...fromToken, ...info })
    if (!found.success) throw new AppError('oidc_user_empty')
    return profileOf(server.issuer, found.data)
  }

  const believed = async (configuration: Configuration, code: string, kept: Kept): Promise<Profile> => {
    const token = await exchange(configuration, code, kept).catch(tokenRefused)
    const { issuer, userinfo_endpoint: address = '' } = configuration.serverMetadata()
    const info = await readAs(configuration, token, address, z.unknown()).catch(userRefused)
    if (info === undefined) throw new AppError('oidc_user_failed')
    const found = claims.safeParse(info)
    if (!found.success) throw new AppError('oidc_user_empty')
    return profileOf(issuer, found.data)
  }

  return {
    isEnabled: () => option('oidc.enabled') && option('oidc.client_id') !== '',
    async begin(redirectUri) {
      const { configuration } = await providerOf().catch(tokenRefused)
      return beginWith(configuration, { redirectUri, scope, nonce: randomNonce(), pkce: true })
    },
    async finish(returned, kept) {
      if (returned.code === '') throw new AppError('invalid_parameter')
      const { configuration, discovered } = await providerOf().catch(tokenRefused)
      return discovered ? checked(configuration, returned, kept) : believed(configuration, returned.code, kept)
    },
  }
}
