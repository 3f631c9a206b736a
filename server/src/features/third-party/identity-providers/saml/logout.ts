import type { Profile, SAML } from '@node-saml/node-saml'
import { parseJson } from '@tollgate/contract/json'
import { z } from 'zod'
import { randomAlphanumerics } from '../../../../lib/ids.ts'
import type { Challenges } from '../../../../verification/challenges.ts'
import type { EndedAtProvider, ProviderSession } from '../../../../verification/provider-session.ts'
import { subjectOf } from '../../oidc.ts'
import type { StoredProvider } from '../store.ts'
import type { NameId } from './assertion.ts'
import { certificateOf, logoutAddress, openClient, refused, refusedBy, samlOf, skewMs } from './client.ts'
import { isEncrypted, refusalOfEncrypted } from './encryption.ts'
import { isWeaklySigned, postedXml, redirectedXml } from './limits.ts'
import { signedRequest } from './redirect-signature.ts'
import type { SiteKey } from './site-key.ts'

/** Requests to sign out count for this long after they were written. */
const freshMs = 300_000

const ticket = z.object({
  name: z.object({
    value: z.string(),
    format: z.string().optional(),
    qualifier: z.string().optional(),
    ownQualifier: z.string().optional(),
  }),
  index: z.string(),
})

/** Data for signing the person out at the provider later. */
export const writtenTicket = (name: NameId, index: string): string => JSON.stringify({ name, index })

/** A message about signing out as the browser brought it. */
export type LogoutMessage =
  | { readonly binding: 'redirect' /** The query as it was sent. */; readonly search: string }
  | { readonly binding: 'post'; readonly request: string; readonly relayState: string }

export interface SamlLogout {
  /** Address at which the browser ends its session at the provider; undefined if the provider has none. */
  signOutAddress(provider: StoredProvider, site: string, at: ProviderSession): Promise<string | undefined>
  /**
   * Checks a request of the provider to end sessions, once. Answers which ones, and where the browser goes on: the provider's address with our
   * answer, or undefined where it has none. Throws AppError('saml_answer_refused').
   */
  takeLogout(
    provider: StoredProvider,
    site: string,
    message: LogoutMessage,
  ): Promise<{ ended: EndedAtProvider; next: string | undefined }>
}

const requestTag = /^(?:<\?xml[^>]*\?>)?\s*<(?:[\w.-]+:)?LogoutRequest\s([^>]*)>/

/** Attributes of the outer element; empty where it is no request to sign out. */
const requestAttributes = (xml: string): Readonly<Record<string, string>> => {
  const [, attributes = ''] = requestTag.exec(xml) ?? []
  return Object.fromEntries(
    [...attributes.matchAll(/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].map(([, name = '', double, single]) => [
      name,
      (double ?? single ?? '').replaceAll('&amp;', '&'),
    ]),
  )
}

/** Signing out at SAML providers, and by them. */
export const createSamlLogout = ({ challenges, siteKey }: { challenges: Challenges; siteKey: SiteKey }): SamlLogout => {
  const newId = (): string => `_${randomAlphanumerics(32)}`

  /** The XML of a request, and how the library reads it once its signature is known to be right. */
  const opened = (
    provider: StoredProvider,
    message: LogoutMessage,
  ): { xml: string; relayState: string; read(saml: SAML): Promise<Profile | null> } => {
    if (message.binding === 'post') {
      const xml = postedXml(message.request)
      if (xml === undefined) throw refused('too large, or with forbidden parts')
      const read = async (saml: SAML) => (await saml.validatePostRequestAsync({ SAMLRequest: message.request })).profile
      return { xml, relayState: message.relayState, read }
    }
    const signed = signedRequest(message.search, samlOf(provider).certificates.map(certificateOf))
    if (signed === undefined) throw refused('the request to sign out is not signed by the provider')
    const xml = redirectedXml(signed.request)
    if (xml === undefined) throw refused('too large, or with forbidden parts')
    // Without the signature, which was checked: the library knows fewer algorithms, and passes what has none.
    const read = async (saml: SAML) =>
      (await saml.validateRedirectAsync({ SAMLRequest: signed.request }, message.search)).profile
    return { xml, relayState: signed.relayState, read }
  }

  const assertFresh = (attributes: Readonly<Record<string, string>>, destination: string): void => {
    if (attributes.Destination !== destination) throw refused('the request to sign out is for another address')
    const age = Date.now() - Date.parse(attributes.IssueInstant ?? '')
    if (!(age <= freshMs + skewMs && age >= -skewMs)) throw refused('the request to sign out is not of now')
  }

  return {
    async signOutAddress(provider, site, at) {
      const read = ticket.safeParse(parseJson(at.ticket))
      if (samlOf(provider).logout_url === '' || !read.success) return undefined
      const { name, index } = read.data
      const saml = openClient(provider, site, { id: newId(), signsWith: await siteKey.read() })
      return saml.getLogoutUrlAsync(
        {
          issuer: samlOf(provider).issuer,
          nameID: name.value,
          nameIDFormat: name.format ?? 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
          ...(name.qualifier === undefined ? {} : { nameQualifier: name.qualifier }),
          ...(name.ownQualifier === undefined ? {} : { spNameQualifier: name.ownQualifier }),
          ...(index === '' ? {} : { sessionIndex: index }),
        },
        '',
        {},
      )
    },

    async takeLogout(provider, site, message) {
      const { xml, relayState, read } = opened(provider, message)
      const key = await siteKey.read()
      if (isEncrypted(xml)) {
        const refusal = await refusalOfEncrypted(xml, key.key).catch(refusedBy)
        if (refusal !== undefined) throw refused(refusal)
      } else if (isWeaklySigned(xml)) throw refused('signed with SHA-1, MD5 or HMAC')
      const saml = openClient(provider, site, { id: newId(), signsWith: key, opensWith: key })
      const profile = await read(saml).catch(refusedBy)
      const { nameID: name = '', sessionIndex, ID: id } = profile ?? {}
      if (profile === null || name.trim() === '' || typeof id !== 'string' || id === '')
        throw refused('the request to sign out is not whole')
      assertFresh(requestAttributes(xml), logoutAddress(site, provider.slug))
      const seconds = Math.ceil((freshMs + 2 * skewMs) / 1000) + 1
      if (!(await challenges.once('saml_logout', `${provider.id} ${id}`, seconds))) throw refused('it was used before')
      // Of several sessions the library names one; then all of the person end.
      const isOne = [...xml.matchAll(/<(?:[\w.-]+:)?SessionIndex[\s>/]/g)].length === 1
      const { issuer, logout_url } = samlOf(provider)
      return {
        ended: {
          providerId: provider.id,
          subject: subjectOf(issuer, name.trim()),
          index: isOne && sessionIndex ? sessionIndex : undefined,
        },
        next: logout_url === '' ? undefined : await saml.getLogoutResponseUrlAsync(profile, relayState, {}, true),
      }
    },
  }
}
