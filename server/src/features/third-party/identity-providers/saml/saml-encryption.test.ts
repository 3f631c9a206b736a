import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { describeEachEngine } from '../../../../../test/support/db/databases.ts'
import {
  aes256Cbc,
  aes256Gcm,
  rsaOaep,
  rsaPkcs1,
  type SamlProvider,
  tripleDes,
} from '../../../../../test/support/single-sign-on/saml-provider.ts'
import { openSamlSite, type SamlSite } from '../../../../../test/support/single-sign-on/saml-site.ts'
import { rotateSecrets } from '../../../../db/secret-rotation/rotate.ts'
import { openSecrets } from '../../../../lib/security/secrets.ts'
import { makeSelfSigned } from '../../../../lib/security/self-signed.ts'
import { openSiteKey } from './site-key.ts'

describeEachEngine('encrypted answers and signed requests of SAML', (open) => {
  let saml: SamlSite
  let idp: SamlProvider
  let people = 0
  beforeAll(async () => {
    saml = await openSamlSite(await open())
    idp = saml.idp
  })
  afterAll(() => saml.close())
  beforeEach(async () => {
    people += 1
    idp.reset()
    idp.state.person = { nameId: `ada${people}`, attributes: { displayName: ['Ada L.'] } }
    saml.site.refusals.length = 0
    await saml.change({})
  })

  const refused = { success: false, code: 'saml_answer_refused' }

  describe.each(['assertion', 'response'] as const)('with a signed %s', (signs) => {
    beforeEach(() => {
      idp.state.signs = signs
      idp.state.encrypts = { data: aes256Gcm, key: rsaOaep }
    })

    it.each([aes256Gcm, aes256Cbc])('signs people in by what is encrypted with %s', async (data) => {
      idp.state.encrypts = { data, key: rsaOaep }
      let seen = ''
      idp.state.after = (xml) => {
        seen = xml
        return xml
      }
      expect(await saml.go()).toMatchObject({
        success: true,
        data: { username: `ada${people}`, display_name: 'Ada L.' },
      })
      expect(seen).toContain('EncryptedAssertion')
      expect(seen).not.toContain(`ada${people}`)
      expect(saml.site.refusals).toEqual([])
    })

    it.each([
      ['an answer for another service', { Audience: 'https://elsewhere.test' }],
      ['one sent to another address', { SubjectRecipient: 'https://elsewhere.test/acs' }],
      ['an answer to another request', { InResponseTo: '_another' }],
      ['a name that a comment splits', { NameID: 'root<!-- -->.attacker' }],
    ])('refuses %s, encrypted or not', async (_, tags) => {
      idp.state.tags = tags
      expect(await saml.go()).toMatchObject(refused)
    })

    it('takes an encrypted answer once', async () => {
      const browser = saml.site.browser()
      const form = await idp.agree(await saml.start(browser))
      expect(await saml.arrive(browser, await saml.post(form))).toMatchObject({ success: true })
      expect((await saml.post(form)).searchParams.get('error')).toBe('saml_answer_refused')
    })

    it.each([
      ['Triple DES', { data: tripleDes, key: rsaOaep }],
      ['RSA with PKCS #1 v1.5', { data: aes256Gcm, key: rsaPkcs1 }],
    ])('refuses %s', async (_, encrypts) => {
      idp.state.encrypts = encrypts
      expect(await saml.go()).toMatchObject(refused)
      expect(saml.reason()).toBe('encrypted in another way')
    })

    it('refuses what was changed after it was encrypted', async () => {
      idp.state.after = (xml) =>
        xml.replace(
          /(<\/(?:\w+:)?KeyInfo>.*?CipherValue>)([^<]{40})/s,
          (_, before: string, text: string) => `${before}${[...text].reverse().join('')}`,
        )
      expect(await saml.go()).toMatchObject(refused)
    })
  })

  it('refuses an encrypted assertion that is signed with SHA-1, or by nobody', async () => {
    idp.state.encrypts = { data: aes256Gcm, key: rsaOaep }
    idp.state.algorithm = 'http://www.w3.org/2000/09/xmldsig#rsa-sha1'
    expect(await saml.go()).toMatchObject(refused)
    expect(saml.reason()).toBe('signed with SHA-1, MD5 or HMAC')
    idp.state.algorithm = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'
    idp.state.key = 'foreign'
    saml.site.refusals.length = 0
    expect(await saml.go()).toMatchObject(refused)
    expect(saml.reason()).toBe('Invalid signature from encrypted assertion')
  })

  it('refuses what is encrypted for another site', async () => {
    idp.state.encrypts = { data: aes256Gcm, key: rsaOaep }
    const { text } = await saml.site.browser().call('GET', '/api/sso/corp/metadata')
    const { certificate } = await makeSelfSigned('another site')
    const bare = certificate.replaceAll(/-----[^-]*-----|\s/g, '')
    idp.know(text.replaceAll(/(<ds:X509Certificate>)[^<]*/g, `$1${bare}`))
    expect(await saml.go()).toMatchObject(refused)
  })

  it('signs requests where the provider asks for it, and not otherwise', async () => {
    expect(new URL(await saml.start(saml.site.browser())).searchParams.has('Signature')).toBe(false)
    await saml.change({}, { signs_requests: true })
    const url = new URL(await saml.start(saml.site.browser()))
    expect(url.searchParams.get('SigAlg')).toBe('http://www.w3.org/2001/04/xmldsig-more#rsa-sha256')
    // The provider checks the signature with the certificate of the metadata.
    expect(await saml.go()).toMatchObject({ success: true })
    url.searchParams.set('RelayState', 'another')
    expect((await fetch(url)).status).toBe(500)
  })

  // The last one: it replaces the secret of the site.
  const sources = { cryptoSecret: 'a secret for tests', keyFile: 'unused' }

  it('keeps one key for all nodes, encrypted with the secret of the site, through a rotation of that', async () => {
    const { database } = saml.site
    await database.query.deleteFrom('site_keys').execute()
    const parts = { database, secrets: openSecrets(sources), clock: Date.now }
    const [one, two] = await Promise.all([openSiteKey(parts).read(), openSiteKey(parts).read()])
    expect(two).toEqual(one)
    const row = await database.query.selectFrom('site_keys').selectAll().executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain('PRIVATE KEY')
    const next = openSecrets({ ...sources, cryptoSecret: 'the next one', previousSecrets: [sources.cryptoSecret] })
    await rotateSecrets({ database, secrets: next, write: true })
    const after = openSecrets({ ...sources, cryptoSecret: 'the next one' })
    expect(await openSiteKey({ ...parts, secrets: after }).read()).toEqual(one)
  })
})
