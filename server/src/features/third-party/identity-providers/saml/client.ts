import { X509Certificate } from 'node:crypto'
import type { CacheProvider, SAML } from '@node-saml/node-saml'
import { AppError } from '../../../../lib/app-error.ts'
import { packageOnUse } from '../../../../lib/on-first-use.ts'
import type { CertifiedKey } from '../../../../lib/security/self-signed.ts'
import { namesOfProvider } from '../oidc-way.ts'
import type { StoredProvider } from '../store.ts'

// Only sites with a SAML provider use it.
const library = packageOnUse<typeof import('@node-saml/node-saml')>('@node-saml/node-saml')

/** How far the clocks of a provider and of this machine may differ, in milliseconds. */
export const skewMs = 60_000
/** How long people may take at the provider. */
export const requestSeconds = 600

export const entityId = (site: string, slug: string): string => `${site}/api/sso/${slug}/metadata`
export const acsAddress = (site: string, slug: string): string => `${site}/api/sso/${slug}/acs`
/** Address for the provider's messages about signing out. */
export const logoutAddress = (site: string, slug: string): string => `${site}/api/sso/${slug}/slo`

/** The base64 of a certificate in any form that people copy. Throws AppError('certificate_unusable'). */
export const certificateOf = (text: string): X509Certificate => {
  const base64 = text.replace(/-----(BEGIN|END) CERTIFICATE-----|\s/g, '')
  try {
    return new X509Certificate(Buffer.from(base64, 'base64'))
  } catch (cause) {
    throw new AppError('certificate_unusable', { cause })
  }
}

/** A message of a provider that does not count; the reason is for the log alone. */
export const refused = (reason: string, cause?: unknown): AppError =>
  new AppError('saml_answer_refused', { details: { reason }, ...(cause === undefined ? {} : { cause }) })

/** Throws the library's objection to a message as a refusal. */
export const refusedBy = (cause: unknown): never => {
  throw refused(cause instanceof Error ? cause.message.slice(0, 200) : 'unreadable', cause)
}

/** The settings of a SAML provider. Throws AppError('third_party_disabled') for one of another kind. */
export const samlOf = (provider: StoredProvider) => {
  const { connection } = provider
  if (connection.kind !== 'saml') throw new AppError('third_party_disabled', { params: namesOfProvider(provider) })
  return connection
}

const noRequests: CacheProvider = {
  saveAsync: async (_key, value) => ({ value, createdAt: 0 }),
  getAsync: async () => null,
  removeAsync: async (key) => key,
}

/** The library for one provider and one message. */
export const openClient = (
  provider: StoredProvider,
  site: string,
  more: {
    /** Id of the message that it writes. */
    readonly id?: string
    /** Signs what it writes. */
    readonly signsWith?: CertifiedKey | undefined
    /** Opens what is encrypted. */
    readonly opensWith?: CertifiedKey | undefined
    /** Requests under way; none unless it reads answers to them. */
    readonly requests?: CacheProvider
  },
): SAML => {
  const connection = samlOf(provider)
  const { SAML: Saml, ValidateInResponseTo } = library()
  return new Saml({
    issuer: entityId(site, provider.slug),
    audience: entityId(site, provider.slug),
    callbackUrl: acsAddress(site, provider.slug),
    entryPoint: connection.sign_in_url,
    logoutUrl: connection.logout_url,
    idpIssuer: connection.issuer,
    idpCert: connection.certificates.map((text) => certificateOf(text).toString()),
    // One of both must be signed, which the library sees to.
    wantAssertionsSigned: false,
    wantAuthnResponseSigned: false,
    acceptedClockSkewMs: skewMs,
    requestIdExpirationPeriodMs: requestSeconds * 1000,
    validateInResponseTo: connection.idp_initiated ? ValidateInResponseTo.ifPresent : ValidateInResponseTo.always,
    cacheProvider: more.requests ?? noRequests,
    disableRequestedAuthnContext: true,
    identifierFormat: null,
    generateUniqueId: () => more.id ?? '',
    ...(more.signsWith === undefined
      ? {}
      : { privateKey: more.signsWith.key, publicCert: more.signsWith.certificate, signatureAlgorithm: 'sha256' }),
    ...(more.opensWith === undefined ? {} : { decryptionPvk: more.opensWith.key }),
  })
}
