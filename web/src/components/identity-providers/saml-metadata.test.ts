import { describe, expect, it } from 'vitest'
import { readSamlMetadata } from './saml-metadata.ts'

const key = (use: string, certificate: string): string =>
  `<md:KeyDescriptor${use}><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data>
    <ds:X509Certificate>\n${certificate}\n</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`

const service = (binding: string, address: string): string =>
  `<md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:${binding}" Location="${address}"/>`

const document = (inside: string, role = 'IDPSSODescriptor'): string =>
  `<?xml version="1.0"?><md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://idp.test/e">
    <md:${role} protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">${inside}</md:${role}></md:EntityDescriptor>`

const services =
  service('HTTP-POST', 'https://idp.test/post') + service('HTTP-Redirect', 'https://idp.test/sso?a=1&amp;b=2')

describe('metadata of a SAML identity provider', () => {
  it('gives entity id, the address for redirects and the certificates that sign', () => {
    const keys = key(' use="signing"', 'MIIA\n  BBBB') + key(' use="encryption"', 'MIIE') + key('', 'MIIC')
    expect(readSamlMetadata(document(keys + services))).toEqual({
      issuer: 'https://idp.test/e',
      signInUrl: 'https://idp.test/sso?a=1&b=2',
      certificates: 'MIIABBBB\n\nMIIC',
    })
  })

  it('is refused without a certificate, without a redirect, of a service provider, broken, or with a document type', () => {
    const whole = key('', 'MIIC') + services
    for (const text of [
      '',
      'https://idp.test/metadata',
      document(services),
      document(key('', 'MIIC') + service('HTTP-POST', 'https://idp.test/post')),
      document(whole, 'SPSSODescriptor'),
      document(whole).replace('</md:EntityDescriptor>', ''),
      document(whole).replace('<md:', '<!DOCTYPE x [<!ENTITY a "b">]><md:'),
    ])
      expect(readSamlMetadata(text), text).toBeUndefined()
  })
})
