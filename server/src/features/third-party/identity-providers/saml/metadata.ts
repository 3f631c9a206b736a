const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** Ways of encrypting that answers may use; RSA with PKCS #1 v1.5 and Triple DES are not among them. */
export const contentEncryption = [
  'http://www.w3.org/2009/xmlenc11#aes256-gcm',
  'http://www.w3.org/2009/xmlenc11#aes128-gcm',
  'http://www.w3.org/2001/04/xmlenc#aes256-cbc',
  'http://www.w3.org/2001/04/xmlenc#aes128-cbc',
]
export const keyEncryption = ['http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p']

const bindings = 'urn:oasis:names:tc:SAML:2.0:bindings'

export interface ServiceFacts {
  readonly entityId: string
  readonly acs: string
  readonly logout: string
  /** PEM. */
  readonly certificate: string
  readonly signsRequests: boolean
}

/** Metadata of this site for a SAML provider (SAML 2.0 Metadata, 2.4.4). */
export const serviceMetadata = ({ entityId, acs, logout, certificate, signsRequests }: ServiceFacts): string => {
  const key = certificate.replaceAll(/-----[^-]*-----|\s/g, '')
  const info = `<ds:KeyInfo><ds:X509Data><ds:X509Certificate>${key}</ds:X509Certificate></ds:X509Data></ds:KeyInfo>`
  const methods = [...contentEncryption, ...keyEncryption]
    .map((algorithm) => `<EncryptionMethod Algorithm="${algorithm}"/>`)
    .join('')
  const at = (binding: string, address: string): string =>
    `Binding="${bindings}:${binding}" Location="${escaped(address)}"`
  return `<?xml version="1.0"?>
<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="${escaped(entityId)}">
  <SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol" AuthnRequestsSigned="${signsRequests}" WantAssertionsSigned="true">
    <KeyDescriptor use="signing">${info}</KeyDescriptor>
    <KeyDescriptor use="encryption">${info}${methods}</KeyDescriptor>
    <SingleLogoutService ${at('HTTP-Redirect', logout)}/>
    <SingleLogoutService ${at('HTTP-POST', logout)}/>
    <AssertionConsumerService index="1" isDefault="true" ${at('HTTP-POST', acs)}/>
  </SPSSODescriptor>
</EntityDescriptor>
`
}
