import type { ErrorCode } from '@tollgate/contract'
import type { ClientAuth, Configuration, ServerMetadata } from 'openid-client'
import { z } from 'zod'
import { AppError } from '../../lib/app-error.ts'
import { packageOnUse } from '../../lib/on-first-use.ts'
import { type Outgoing, type OutgoingInit, Unreachable } from '../../lib/security/outgoing.ts'
import type { namesOf, Profile } from './profile.ts'

/** The package is loaded when somebody signs in through a provider. */
export const openid = packageOnUse<typeof import('openid-client')>('openid-client')

/** State that the server stores between sending the browser away and its return. */
export const kept = z.object({
  /** Address to which the provider redirects the browser; absent if the client wrote the provider's address itself. */
  redirectUri: z.string().optional(),
  /** PKCE. */
  verifier: z.string().optional(),
  nonce: z.string().optional(),
})
export type SignInState = z.output<typeof kept>

/** The query with which the provider sent the browser back. */
export interface Returned {
  readonly code: string
  readonly state: string
  readonly iss: string
}

/** A provider that sends the browser back with a code. */
export interface CodeProvider {
  isEnabled(): boolean
  /** Throws AppError when the provider has to be asked and does not answer. */
  begin(redirectUri: string): Promise<{ readonly kept: SignInState; addressFor(state: string): string }>
  /** Turns the code into who it is about. Throws AppError with the reference's words. */
  finish(returned: Returned, kept: SignInState): Promise<Profile>
}

const timeoutSeconds = 5
/** How far the clocks of a provider and of this machine may differ. */
export const clockSkewSeconds = 60

/** True if an error comes from a provider that does not answer; openid-client wraps what its fetch throws. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof Unreachable || (error instanceof Error && error.cause !== undefined && isUnreachable(error.cause))

/** Error of a failed sign-in at a provider: its own reason, that the provider was not reached, or else `code`. */
export const signInFailure = (error: unknown, code: ErrorCode, params: ReturnType<typeof namesOf>): AppError =>
  error instanceof AppError
    ? error
    : new AppError(isUnreachable(error) ? 'third_party_unreachable' : code, { params, cause: error })

/** A secret may be missing where PKCE alone protects the code. */
export const clientAuth = (secret: string, way: 'post' | 'basic'): ClientAuth => {
  if (secret === '') return openid().None()
  return way === 'post' ? openid().ClientSecretPost(secret) : openid().ClientSecretBasic(secret)
}

export const fetchWith =
  (ask: Outgoing) =>
  (url: string, options: OutgoingInit): Promise<Response> =>
    ask(url, options)

/** The provider and our client there, ready to be asked. Plain http only where the operator (or a test) says so. */
export const configure = (
  server: ServerMetadata,
  client: { readonly id: string; readonly auth: ClientAuth },
  ask: Outgoing,
): Configuration => {
  const configuration = new (openid().Configuration)(
    server,
    client.id,
    { [openid().clockTolerance]: clockSkewSeconds },
    client.auth,
  )
  configuration[openid().customFetch] = fetchWith(ask)
  configuration.timeout = timeoutSeconds
  const addresses = [server.authorization_endpoint, server.token_endpoint, server.userinfo_endpoint, server.jwks_uri]
  if (addresses.some((address) => address?.startsWith('http:'))) openid().allowInsecureRequests(configuration)
  return configuration
}

/** Begins with PKCE (S256) unless the provider does not know it. */
export const beginWith = async (
  configuration: Configuration,
  request: { readonly redirectUri: string; readonly scope?: string; readonly nonce?: string; readonly pkce: boolean },
): Promise<{ kept: SignInState; addressFor(state: string): string }> => {
  const verifier = request.pkce ? openid().randomPKCECodeVerifier() : undefined
  const parameters = {
    redirect_uri: request.redirectUri,
    ...(request.scope === undefined ? {} : { scope: request.scope }),
    ...(request.nonce === undefined ? {} : { nonce: request.nonce }),
    ...(verifier === undefined
      ? {}
      : { code_challenge: await openid().calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' }),
  }
  return {
    kept: { redirectUri: request.redirectUri, verifier, nonce: request.nonce },
    addressFor: (state) => openid().buildAuthorizationUrl(configuration, { ...parameters, state }).href,
  }
}

/** Plain OAuth 2: the code for an access token. */
export const exchange = async (
  configuration: Configuration,
  code: string,
  { redirectUri, verifier }: SignInState,
): Promise<string> => {
  const answer = await openid().genericGrantRequest(configuration, 'authorization_code', {
    code,
    ...(redirectUri === undefined ? {} : { redirect_uri: redirectUri }),
    ...(verifier === undefined ? {} : { code_verifier: verifier }),
  })
  return answer.access_token
}

/** Reads something of the signed-in person; undefined unless the answer is 200 and of the right shape. */
export const readAs = async <Schema extends z.ZodType>(
  configuration: Configuration,
  accessToken: string,
  url: string,
  schema: Schema,
): Promise<z.output<Schema> | undefined> => {
  const headers = new Headers({ accept: 'application/json' })
  const answer = await openid().fetchProtectedResource(
    configuration,
    accessToken,
    new URL(url),
    'GET',
    undefined,
    headers,
  )
  if (answer.status !== 200) return undefined
  const parsed = schema.safeParse(await answer.json().catch(() => undefined))
  return parsed.success ? parsed.data : undefined
}
