import { createHash } from 'node:crypto'
import { parseJson } from '@tollgate/contract/json'
import type { ServerMetadata } from 'openid-client'
import { z } from 'zod'
import { AppError } from '../../lib/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Outgoing } from '../../lib/security/outgoing.ts'
import type { ProviderSession } from '../../verification/provider-session.ts'
import type { CodeProvider } from './code-provider.ts'
import { openOidcClient } from './oidc-client.ts'
import type { ReadOption } from './ports.ts'
import { namesOf, type Profile, providerTexts } from './profile.ts'

export const oidcClaims = z.looseObject({
  sub: z.string().min(1),
  /** The session at the provider. */
  sid: z.string().max(1000).optional().catch(undefined),
  preferred_username: z.string().optional().catch(undefined),
  name: z.string().optional().catch(undefined),
  email: z.string().optional().catch(undefined),
  // A JSON boolean by OpenID Connect Core 5.1. Apple ("a string or Boolean value", developer.apple.com: Authenticating users with
  // Sign in with Apple) and Amazon Cognito (docs.aws.amazon.com: the userInfo endpoint) write the text "true". No other spelling counts.
  email_verified: z
    .union([z.boolean(), z.literal('true').transform(() => true)])
    .optional()
    .catch(undefined),
})

/** Users of different issuers may share a `sub`. Hashed, because neither part has a length that a key could hold. */
export const subjectOf = (issuer: string, sub: string): string =>
  createHash('sha256').update(`${issuer}\n${sub}`).digest('hex')

const profileOf = (issuer: string, found: z.output<typeof oidcClaims>): Profile => {
  const { sub, preferred_username: username, name, email } = found
  return {
    provider: 'oidc',
    prefix: providerTexts.oidc.prefix,
    subject: subjectOf(issuer, sub),
    shown: sub.slice(0, 255),
    name: username || email || sub,
    earlier: sub,
    username,
    displayName: name || username || providerTexts.oidc.displayName,
    email: found.email_verified === true ? email : undefined,
  }
}

/** Longer id tokens do not fit into an address. */
export const longestHint = 4000
export const oidcTicket = z.object({ idToken: z.string() })

export interface OptionsOidc extends CodeProvider {
  /** Address that signs the browser out at the provider, too; undefined if the provider has none, or must not be asked. */
  signOutAddress(returnTo: string, at: ProviderSession): Promise<string | undefined>
}

/** Of its session nothing is kept but what signing out takes. */
const sessionOf = (subject: string, idToken = ''): ProviderSession => ({
  providerId: 0,
  subject,
  index: '',
  ticket: JSON.stringify({ idToken: idToken.length <= longestHint ? idToken : '' }),
})

/**
 * The OpenID Connect provider of the options. Endpoints that the operator filled in win over discovered ones; the three
 * endpoints alone are enough, as the reference has them.
 */
export const createOidc = (parts: { option: ReadOption; ask: Outgoing; clock: Clock }): OptionsOidc => {
  const { option } = parts
  const endpoints = (): Partial<ServerMetadata> =>
    Object.fromEntries(
      Object.entries({
        authorization_endpoint: option('oidc.authorization_endpoint'),
        token_endpoint: option('oidc.token_endpoint'),
        userinfo_endpoint: option('oidc.user_info_endpoint'),
      }).filter(([, address]) => address !== ''),
    )
  const client = openOidcClient({
    ask: parts.ask,
    clock: parts.clock,
    names: namesOf('oidc'),
    settings: () => ({
      discoverAt: option('oidc.well_known'),
      clientId: option('oidc.client_id'),
      secret: option('oidc.client_secret'),
      scope: 'openid profile email',
      endpoints: endpoints(),
    }),
  })
  return {
    isEnabled: () => option('oidc.enabled') && option('oidc.client_id') !== '',
    begin: client.begin,
    async finish(returned, kept) {
      const { issuer, claims, idToken } = await client.finish(returned, kept)
      const found = oidcClaims.safeParse(claims)
      if (!found.success) throw new AppError('oidc_user_empty')
      const profile = profileOf(issuer, found.data)
      return option('oidc.signs_out') ? { ...profile, session: sessionOf(profile.subject, idToken) } : profile
    },
    async signOutAddress(returnTo, at) {
      const read = oidcTicket.safeParse(parseJson(at.ticket))
      if (!option('oidc.enabled') || !option('oidc.signs_out') || !read.success) return undefined
      return client.endSessionAddress(read.data.idToken, returnTo)
    },
  }
}
