import { createHash, X509Certificate } from 'node:crypto'
import type { CacheProvider, SAML } from '@node-saml/node-saml'
import { z } from 'zod'
import { AppError } from '../../../lib/app-error.ts'
import type { Clock } from '../../../lib/clock.ts'
import { packageOnUse } from '../../../lib/on-first-use.ts'
import type { Challenges } from '../../../verification/challenges.ts'
import type { Kept } from '../code-provider.ts'
import { domainOf } from './directory.ts'
import { namesOfProvider } from './oidc-way.ts'
import { groupsIn, type Person, person } from './person.ts'
import { attributeOf, confirmedUntil, nameIdOf, type SamlAssertion, samlAssertion } from './saml-assertion.ts'
import { samlXml } from './saml-limits.ts'
import type { StoredProvider } from './store.ts'

// Only sites with a SAML provider use it.
const library = packageOnUse<typeof import('@node-saml/node-saml')>('@node-saml/node-saml')

const skewMs = 60_000
/** How long people may take at the provider. */
const requestSeconds = 600
const ticketSeconds = 300
const requestPurpose = 'saml_request'
const ticketPurpose = 'saml_ticket'

const pending = z.object({ provider: z.int() })
const ticket = z.object({ provider: z.int(), person })

export interface SamlWay {
  /** Sends a request by redirect. `site` is the address of this site. */
  begin(provider: StoredProvider, site: string): Promise<{ kept: Kept; addressFor(state: string): Promise<string> }>
  /**
   * Checks an answer, once, and keeps who it is about for `finish`; returns the key of that. Throws AppError('saml_answer_refused').
   */
  take(provider: StoredProvider, site: string, answer: string): Promise<string>
  /** Who the answer with this key was about, in the browser that sent the request. Throws AppError('saml_answer_refused'). */
  finish(provider: StoredProvider, key: string, kept: Kept | undefined): Promise<Person>
  /** XML about this site. */
  metadata(provider: StoredProvider, site: string): string
}

export const entityId = (site: string, slug: string): string => `${site}/api/sso/${slug}/metadata`
export const acsAddress = (site: string, slug: string): string => `${site}/api/sso/${slug}/acs`

/** The base64 of a certificate in any form that people copy. Throws AppError('certificate_unusable'). */
export const certificateOf = (text: string): X509Certificate => {
  const base64 = text.replace(/-----(BEGIN|END) CERTIFICATE-----|\s/g, '')
  try {
    return new X509Certificate(Buffer.from(base64, 'base64'))
  } catch (cause) {
    throw new AppError('certificate_unusable', { cause })
  }
}

const refused = (reason: string, cause?: unknown): AppError =>
  new AppError('saml_answer_refused', { details: { reason }, ...(cause === undefined ? {} : { cause }) })

/** Signing in by SAML 2.0 providers: requests by redirect, answers by post. */
export const createSamlWay = ({ challenges, clock }: { challenges: Challenges; clock: Clock }): SamlWay => {
  const inBrowser = (id: string) => ({ id: id.slice(1), purpose: requestPurpose, browser: '' })

  /** Requests under way, shared by all nodes; each is answered once. */
  const requestsOf = ({ id }: StoredProvider): CacheProvider => ({
    saveAsync: async (_key, value) => ({ value, createdAt: clock() }),
    async getAsync(key) {
      const found = await challenges.look(inBrowser(key), pending)
      // How long it counts is known by who keeps it.
      return found?.data.provider === id ? new Date().toISOString() : null
    },
    async removeAsync(key) {
      if (key !== null) await challenges.take(inBrowser(key), pending)
      return key
    },
  })

  const open = (
    provider: StoredProvider,
    site: string,
    { id = '', signed = false }: { id?: string; signed?: boolean } = {},
  ): SAML => {
    const { connection, slug } = provider
    if (connection.kind !== 'saml') throw new AppError('third_party_disabled', { params: namesOfProvider(provider) })
    const { SAML: Saml, ValidateInResponseTo } = library()
    return new Saml({
      issuer: entityId(site, slug),
      audience: entityId(site, slug),
      callbackUrl: acsAddress(site, slug),
      entryPoint: connection.sign_in_url,
      idpCert: connection.certificates.map((text) => certificateOf(text).toString()),
      // One of both must be signed, which the library sees to.
      ...{ wantAssertionsSigned: signed, wantAuthnResponseSigned: false },
      acceptedClockSkewMs: skewMs,
      requestIdExpirationPeriodMs: requestSeconds * 1000,
      validateInResponseTo: connection.idp_initiated ? ValidateInResponseTo.ifPresent : ValidateInResponseTo.always,
      cacheProvider: requestsOf(provider),
      disableRequestedAuthnContext: true,
      identifierFormat: null,
      generateUniqueId: () => id,
    })
  }

  const verified = async (
    saml: SAML,
    answer: string,
  ): Promise<{ assertion: SamlAssertion; request: string | null }> => {
    const { profile } = await saml.validatePostResponseAsync({ SAMLResponse: answer }).catch((cause: unknown) => {
      throw refused(cause instanceof Error ? cause.message.slice(0, 200) : 'unreadable', cause)
    })
    const read = samlAssertion.safeParse(profile?.getAssertion?.())
    if (!read.success) throw refused(`the assertion is not whole: ${read.error.issues[0]?.path.join('.') ?? ''}`)
    return {
      assertion: read.data.Assertion,
      request: typeof profile?.inResponseTo === 'string' ? profile.inResponseTo : null,
    }
  }

  const personOf = ({ connection, domains, name: provider }: StoredProvider, assertion: SamlAssertion): Person => {
    const nameId = nameIdOf(assertion)
    if (nameId === undefined || connection.kind !== 'saml') throw refused('the NameID is transient or empty')
    const address =
      connection.email_attribute === '' ? nameId : (attributeOf(assertion, connection.email_attribute)[0] ?? '')
    const email = address.trim().toLowerCase()
    const [displayName] = attributeOf(assertion, connection.name_attribute)
    return {
      subject: createHash('sha256').update(`${connection.issuer}\n${nameId}`).digest('hex'),
      name: (email || nameId).slice(0, 255),
      username: nameId.split('@')[0],
      displayName: displayName || email.split('@')[0] || provider,
      // SAML has no word for a verified address: a provider vouches for its own domains.
      email: domains.includes(domainOf(email)) ? email : undefined,
      groups: groupsIn(attributeOf(assertion, connection.groups_attribute)),
    }
  }

  return {
    async begin(provider, site) {
      const data = { provider: provider.id }
      const id = await challenges.begin({ purpose: requestPurpose, browser: '', data, seconds: requestSeconds })
      const requestId = `_${id}`
      const saml = open(provider, site, { id: requestId })
      return {
        kept: { nonce: requestId },
        addressFor: (state) => saml.getAuthorizeUrlAsync(state, undefined, {}),
      }
    },

    async take(provider, site, answer) {
      const xml = samlXml(answer)
      if (xml === undefined || provider.connection.kind !== 'saml') throw refused('too large, or with forbidden parts')
      if (/Algorithm\s*=\s*["'][^"']*(?:sha1|md5|hmac)[^"']*["']/i.test(xml))
        throw refused('signed with SHA-1, MD5 or HMAC')
      const { assertion, request } = await verified(open(provider, site), answer)
      const expected = {
        issuer: provider.connection.issuer,
        recipient: acsAddress(site, provider.slug),
        request: request ?? undefined,
        // As the library does.
        ...{ now: Date.now(), skewMs },
      }
      const until = confirmedUntil(assertion, expected)
      if (until === undefined) throw refused('for another issuer, recipient, request or time')
      const seconds = Math.ceil((until + skewMs - expected.now) / 1000) + 1
      const id = `${provider.id} ${assertion.$.ID}`
      if (!(await challenges.once('saml_assertion', id, seconds))) throw refused('it was used before')
      const data = { provider: provider.id, person: personOf(provider, assertion) }
      return challenges.begin({ purpose: ticketPurpose, browser: request ?? '', data, seconds: ticketSeconds })
    },

    async finish(provider, key, kept) {
      const unasked = provider.connection.kind === 'saml' && provider.connection.idp_initiated
      if (kept === undefined && !unasked) throw new AppError('oauth_state_wrong')
      const found = await challenges.take({ id: key, purpose: ticketPurpose, browser: kept?.nonce ?? '' }, ticket)
      if (found?.data.provider !== provider.id) throw refused('no such answer')
      return found.data.person
    },

    metadata: (provider, site) =>
      open(provider, site, { id: `_${provider.slug}`, signed: true }).generateServiceProviderMetadata(null),
  }
}
