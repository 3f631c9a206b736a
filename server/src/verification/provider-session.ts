import { z } from 'zod'

/** The session at an identity provider that a session of this site began with. */
export const providerSession = z.object({
  /** 0 for the OpenID Connect provider of the options. */
  providerId: z.int().min(0),
  /** Who it is there, see `Person.subject`. */
  subject: z.string(),
  /** What the provider calls its session: `SessionIndex` of SAML, `sid` of OpenID Connect; empty where it names none. */
  index: z.string(),
  /** What ending it there takes; a text of the way itself, stored encrypted. */
  ticket: z.string(),
})
export type ProviderSession = z.output<typeof providerSession>

/** Sessions to end: of a person at a provider, of one session there, or of both; undefined stands for any. */
export interface EndedAtProvider {
  readonly providerId: number
  readonly subject?: string | undefined
  readonly index?: string | undefined
}
