import type { ServerMetadata } from 'openid-client'
import { z } from 'zod'
import { AppError } from '../../../lib/app-error.ts'
import type { Outgoing } from '../../../lib/security/outgoing.ts'
import { fetchWith } from '../code-provider.ts'

const event = 'http://schemas.openid.net/event/backchannel-logout'
const skewSeconds = 60
/** Tokens count for this long after they were made. */
const freshSeconds = 300

const claimsOfLogout = z
  .looseObject({
    jti: z.string().min(1).max(1000),
    events: z.looseObject({ [event]: z.looseObject({}) }),
    sub: z.string().min(1).max(1000).optional(),
    sid: z.string().min(1).max(1000).optional(),
    nonce: z.never().optional(),
  })
  .refine(({ sub, sid }) => sub !== undefined || sid !== undefined)

/** How jose asks for a provider's keys. */
interface KeyRequest {
  readonly method: 'GET'
  readonly signal: AbortSignal
  readonly headers: Headers
}

/** Sessions that a provider has ended: all of a person, or one of them. */
interface EndedThere {
  /** Id of the token, which counts once. */
  readonly id: string
  readonly sub: string | undefined
  readonly sid: string | undefined
  /** How long the token could be shown again. */
  readonly seconds: number
}

/**
 * Checks a logout token (OpenID Connect Back-Channel Logout 1.0, 2.6): signature by a key of the provider, issuer, audience, time, its
 * event, no nonce, and a subject or a session. Throws AppError('logout_token_refused').
 */
export const checkedLogoutToken = async (
  token: string,
  { about, clientId, ask }: { about: ServerMetadata; clientId: string; ask: Outgoing },
): Promise<EndedThere> => {
  const { createRemoteJWKSet, customFetch, jwtVerify } = await import('jose')
  try {
    const keys = createRemoteJWKSet(new URL(about.jwks_uri ?? ''), {
      [customFetch]: (url: string, { method, signal, headers }: KeyRequest) =>
        fetchWith(ask)(url, { method, signal, headers: Object.fromEntries(headers) }),
    })
    const { payload } = await jwtVerify(token, keys, {
      issuer: about.issuer,
      audience: clientId,
      // Tokens that are signed with a shared secret, or not signed, do not count.
      algorithms: ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
      clockTolerance: skewSeconds,
      maxTokenAge: freshSeconds,
    })
    const { jti, sub, sid } = claimsOfLogout.parse(payload)
    return { id: jti, sub, sid, seconds: freshSeconds + 2 * skewSeconds + 1 }
  } catch (cause) {
    throw new AppError('logout_token_refused', { cause })
  }
}
