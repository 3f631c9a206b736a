import type { ProviderValues } from './fields.ts'

const saml = 'urn:oasis:names:tc:SAML:2.0:metadata'
const redirect = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'
const signature = 'http://www.w3.org/2000/09/xmldsig#'

/** Bounds what the parser of the browser takes, in characters; metadata of one provider has a few thousand. */
export const longestMetadata = 500_000

type Found = Pick<ProviderValues, 'issuer' | 'signInUrl' | 'certificates'>

/**
 * Reads the metadata of a SAML identity provider (saml-metadata-2.0-os, sections 2.3.2 and 2.4.3): entity id, the address for
 * HTTP-Redirect, and the certificates for signing, in base64 with an empty line between two.
 * Undefined for text that is no such document, or has not all three.
 */
export const readSamlMetadata = (text: string): Found | undefined => {
  // A document type could name entities; metadata needs none.
  if (text.length > longestMetadata || /<!DOCTYPE/i.test(text)) return undefined
  const document = new DOMParser().parseFromString(text.trim(), 'application/xml')
  for (const entity of document.getElementsByTagNameNS(saml, 'EntityDescriptor')) {
    const provider = entity.getElementsByTagNameNS(saml, 'IDPSSODescriptor')[0]
    if (provider === undefined) continue
    const service = [...provider.getElementsByTagNameNS(saml, 'SingleSignOnService')].find(
      (one) => one.getAttribute('Binding') === redirect,
    )
    const certificates = [...provider.getElementsByTagNameNS(saml, 'KeyDescriptor')]
      .filter((key) => key.getAttribute('use') !== 'encryption')
      .flatMap((key) => [...key.getElementsByTagNameNS(signature, 'X509Certificate')])
      .map((certificate) => (certificate.textContent ?? '').replace(/\s+/g, ''))
      .filter((certificate) => certificate !== '')
    const issuer = entity.getAttribute('entityID') ?? ''
    const signInUrl = service?.getAttribute('Location') ?? ''
    if (issuer === '' || signInUrl === '' || certificates.length === 0) continue
    return { issuer, signInUrl, certificates: [...new Set(certificates)].join('\n\n') }
  }
  return undefined
}
