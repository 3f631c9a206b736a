import type { CacheProvider, SAML } from '@node-saml/node-saml'
import { z } from 'zod'
import { AppError } from '../../../../lib/app-error.ts'
import type { Clock } from '../../../../lib/clock.ts'
import type { Challenges } from '../../../../verification/challenges.ts'
import type { SignInState } from '../../code-provider.ts'
import { subjectOf } from '../../oidc.ts'
import { domainOf } from '../directory.ts'
import { groupsIn, type Person, person } from '../person.ts'
import type { StoredProvider } from '../store.ts'
import {
  attributeOf,
  confirmedUntil,
  nameIdOf,
  type SamlAssertion,
  samlAssertion,
  sessionIndexOf,
} from './assertion.ts'
import {
  acsAddress,
  entityId,
  logoutAddress,
  openClient,
  refused,
  refusedBy,
  requestSeconds,
  samlOf,
  skewMs,
} from './client.ts'
import { isEncrypted, refusalOfEncrypted } from './encryption.ts'
import { isWeaklySigned, postedXml } from './limits.ts'
import { createSamlLogout, type SamlLogout, writtenTicket } from './logout.ts'
import { serviceMetadata } from './metadata.ts'
import type { SiteKey } from './site-key.ts'

const ticketSeconds = 300
const requestPurpose = 'saml_request'
const ticketPurpose = 'saml_ticket'

const pending = z.object({ provider: z.int() })
const ticket = z.object({ provider: z.int(), person })

export interface SamlWay extends SamlLogout {
  /** Sends a request by redirect. `site` is the address of this site. */
  begin(
    provider: StoredProvider,
    site: string,
  ): Promise<{ kept: SignInState; addressFor(state: string): Promise<string> }>
  /**
   * Checks an answer, once, and keeps who it is about for `finish`; returns the key of that. Throws AppError('saml_answer_refused').
   */
  take(provider: StoredProvider, site: string, answer: string): Promise<string>
  /** Person of the answer with this key, in the browser that sent the request. Throws AppError('saml_answer_refused'). */
  finish(provider: StoredProvider, key: string, kept: SignInState | undefined): Promise<Person>
  /** XML about this site. */
  metadata(provider: StoredProvider, site: string): Promise<string>
}

/** Signing in by SAML 2.0 providers: requests by redirect, answers by post. */
export const createSamlWay = (parts: { challenges: Challenges; siteKey: SiteKey; clock: Clock }): SamlWay => {
  const { challenges, siteKey, clock } = parts
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

  const verified = async (
    saml: SAML,
    answer: string,
  ): Promise<{ assertion: SamlAssertion; request: string | null }> => {
    const { profile } = await saml.validatePostResponseAsync({ SAMLResponse: answer }).catch(refusedBy)
    const read = samlAssertion.safeParse(profile?.getAssertion?.())
    if (!read.success) throw refused(`the assertion is not whole: ${read.error.issues[0]?.path.join('.') ?? ''}`)
    return {
      assertion: read.data.Assertion,
      request: typeof profile?.inResponseTo === 'string' ? profile.inResponseTo : null,
    }
  }

  /** The library for reading an answer, with the key of the site only where something is encrypted. */
  const clientFor = async (provider: StoredProvider, site: string, xml: string): Promise<SAML> => {
    const requests = requestsOf(provider)
    if (!isEncrypted(xml)) {
      if (isWeaklySigned(xml)) throw refused('signed with SHA-1, MD5 or HMAC')
      return openClient(provider, site, { requests })
    }
    const opensWith = await siteKey.read()
    const refusal = await refusalOfEncrypted(xml, opensWith.key).catch(refusedBy)
    if (refusal !== undefined) throw refused(refusal)
    return openClient(provider, site, { requests, opensWith })
  }

  const personOf = (provider: StoredProvider, assertion: SamlAssertion): Person => {
    const connection = samlOf(provider)
    const nameId = nameIdOf(assertion)
    if (nameId === undefined) throw refused('the NameID is transient or empty')
    const address =
      connection.email_attribute === '' ? nameId.value : (attributeOf(assertion, connection.email_attribute)[0] ?? '')
    const email = address.trim().toLowerCase()
    const [displayName] = attributeOf(assertion, connection.name_attribute)
    const index = sessionIndexOf(assertion)
    return {
      subject: subjectOf(connection.issuer, nameId.value),
      name: (email || nameId.value).slice(0, 255),
      username: nameId.value.split('@')[0],
      displayName: displayName || email.split('@')[0] || provider.name,
      // SAML has no word for a verified address: a provider vouches for its own domains.
      email: provider.domains.includes(domainOf(email)) ? email : undefined,
      groups: groupsIn(attributeOf(assertion, connection.groups_attribute)),
      session: { index, ticket: writtenTicket(nameId, index) },
    }
  }

  return {
    ...createSamlLogout({ challenges, siteKey }),

    async begin(provider, site) {
      const data = { provider: provider.id }
      const id = await challenges.begin({ purpose: requestPurpose, browser: '', data, seconds: requestSeconds })
      const requestId = `_${id}`
      const signsWith = samlOf(provider).signs_requests ? await siteKey.read() : undefined
      const saml = openClient(provider, site, { id: requestId, signsWith, requests: requestsOf(provider) })
      return {
        kept: { nonce: requestId },
        addressFor: (state) => saml.getAuthorizeUrlAsync(state, undefined, {}),
      }
    },

    async take(provider, site, answer) {
      const xml = postedXml(answer)
      if (xml === undefined) throw refused('too large, or with forbidden parts')
      const { assertion, request } = await verified(await clientFor(provider, site, xml), answer)
      const expected = {
        issuer: samlOf(provider).issuer,
        recipient: acsAddress(site, provider.slug),
        request: request ?? undefined,
        // As the library does.
        now: Date.now(),
        skewMs,
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
      if (kept === undefined && !samlOf(provider).idp_initiated) throw new AppError('oauth_state_wrong')
      const found = await challenges.take({ id: key, purpose: ticketPurpose, browser: kept?.nonce ?? '' }, ticket)
      if (found?.data.provider !== provider.id) throw refused('no such answer')
      return found.data.person
    },

    async metadata(provider, site) {
      const { certificate } = await siteKey.read()
      return serviceMetadata({
        entityId: entityId(site, provider.slug),
        acs: acsAddress(site, provider.slug),
        logout: logoutAddress(site, provider.slug),
        certificate,
        signsRequests: samlOf(provider).signs_requests,
      })
    },
  }
}
