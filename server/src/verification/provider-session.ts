import { z } from 'zod'

/** The session at an identity provider that a session of this site began with. */
export const providerSession = z.object({
  /** 0 for the OpenID Connect provider of the options. */
  providerId: z.int().min(0),
  /** User's id there, see `Person.subject`. */
  subject: z.string(),
  /** Provider's name of the session: `SessionIndex` of SAML, `sid` of OpenID Connect; empty if it has none. */
  index: z.string(),
  /** Data for ending the session there; a text of the way itself, stored encrypted. */
  ticket: z.string(),
})
export type ProviderSession = z.output<typeof providerSession>

/** Sessions to end: of a person at a provider, of one session there, or of both; undefined stands for any. */
export interface EndedAtProvider {
  readonly providerId: number
  readonly subject?: string | undefined
  readonly index?: string | undefined
}
