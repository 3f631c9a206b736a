import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { describeWithDatabase } from '../../../../../test/support/db/databases.ts'
import { siteUrl } from '../../../../../test/support/features/third-party.ts'
import { foundOrganisation } from '../../../../../test/support/single-sign-on/organisations.ts'
import type { SamlProvider } from '../../../../../test/support/single-sign-on/saml-provider.ts'
import {
  idIn,
  openSamlSite,
  type SamlForm,
  type SamlSite,
} from '../../../../../test/support/single-sign-on/saml-site.ts'

describeWithDatabase('signing in by SAML providers', (open) => {
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
    idp.state.person = { nameId: `ada${people}`, attributes: {} }
    saml.site.refusals.length = 0
    await saml.change({})
  })

  const refused = { success: false, code: 'saml_answer_refused' }

  it.each(['assertion', 'response'] as const)('signs people in whose %s is signed', async (signs) => {
    idp.state.signs = signs
    idp.state.person = { nameId: `ada${people}`, attributes: { displayName: ['Ada L.'], email: ['ada@corp.test'] } }
    const first = await saml.go()
    expect(saml.site.refusals).toEqual([])
    expect(first).toMatchObject({ success: true, data: { username: `ada${people}`, display_name: 'Ada L.' } })
    expect(idIn(await saml.go())).toBe(idIn(first))
  })

  it('describes this site, and sends requests by redirect', async () => {
    const { text, headers } = await saml.site.browser().call('GET', '/api/sso/corp/metadata')
    expect(headers.get('content-type')).toBe('application/samlmetadata+xml')
    expect(text).toContain(`entityID="${siteUrl}/api/sso/corp/metadata"`)
    expect(text).toContain(`Location="${siteUrl}/api/sso/corp/acs"`)
    expect(text).toContain('WantAssertionsSigned="true"')
    const url = new URL(await saml.start(saml.site.browser()))
    expect(url.origin).toBe(idp.origin)
    expect([...url.searchParams.keys()].sort()).toEqual(['RelayState', 'SAMLRequest'])
  })

  it('binds to the signed-in user', async () => {
    const member = await saml.site.member(`saml${people}`)
    const { json } = await member.call('POST', '/api/sso/corp/bind')
    const { url } = json.data as { url: string }
    expect(await saml.arrive(member, await saml.post(await idp.agree(url)))).toMatchObject({
      success: true,
      message: 'bind',
    })
    expect(idIn(await saml.go())).toBe(member.userId)
  })

  it('gives roles for groups', async () => {
    const { organisation, team } = await foundOrganisation(saml.site.database, saml.root.id)
    await saml.change({ rules: [{ value: 'engineers', organisation_id: organisation, team_id: team, role: 'member' }] })
    idp.state.person = { nameId: `ada${people}`, attributes: { groups: ['sales', 'engineers'] } }
    const id = idIn(await saml.go())
    const rows = await saml.site.database.query
      .selectFrom('memberships')
      .selectAll()
      .where('user_id', '=', id)
      .execute()
    expect(rows).toMatchObject([{ organisation_id: organisation, team_id: team, role: 'member' }])
  })

  it('takes an address for proven only in the domains that the provider vouches for', async () => {
    const address = `ada${people}@corp.test`
    const { id } = await saml.site.person(`mail${people}`, 1)
    await saml.site.users.links.link({ id, username: '', ip: '' }, { provider: 'email', subject: address })
    idp.state.person = { nameId: `stranger${people}`, attributes: { email: [address] } }
    expect(idIn(await saml.go())).not.toBe(id)
    idp.state.person = { nameId: `ada${people}`, attributes: { email: [address] } }
    await saml.change({ domains: ['corp.test'] })
    expect(idIn(await saml.go())).toBe(id)
  })

  const past = new Date(Date.now() - 600_000).toISOString()
  const future = new Date(Date.now() + 600_000).toISOString()

  describe.each(['assertion', 'response'] as const)('with a signed %s it refuses', (signs) => {
    beforeEach(() => {
      idp.state.signs = signs
    })

    it.each([
      ['an answer for another service', { Audience: 'https://elsewhere.test' }],
      ['one sent to another address', { SubjectRecipient: 'https://elsewhere.test/acs' }],
      ['one of another issuer', { Issuer: 'https://elsewhere.test' }],
      ['one that has ended', { ConditionsNotOnOrAfter: past, ConditionsNotBefore: past }],
      ['one whose confirmation has ended', { SubjectConfirmationDataNotOnOrAfter: past }],
      ['one that has not begun', { ConditionsNotBefore: future }],
      ['an answer to another request', { InResponseTo: '_another' }],
      ['a name that is another each time', { NameIDFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' }],
      ['a name that a comment splits', { NameID: 'root<!-- -->.attacker' }],
    ])('%s', async (_, tags) => {
      idp.state.tags = tags
      expect(await saml.go()).toMatchObject(refused)
      expect(saml.reason()).toBeTypeOf('string')
    })

    it('a signature of somebody else', async () => {
      idp.state.key = 'foreign'
      expect(await saml.go()).toMatchObject(refused)
    })

    it('what was changed after it was signed', async () => {
      idp.state.after = (xml) => xml.replace(`>ada${people}<`, '>root<')
      expect(await saml.go()).toMatchObject(refused)
    })

    it('an answer that was used before', async () => {
      const browser = saml.site.browser()
      const form = await idp.agree(await saml.start(browser))
      expect(await saml.arrive(browser, await saml.post(form))).toMatchObject({ success: true })
      expect((await saml.post(form)).searchParams.get('error')).toBe('saml_answer_refused')
    })
  })

  it('refuses an answer that nobody signed', async () => {
    idp.state.signs = 'nothing'
    expect(await saml.go()).toMatchObject(refused)
    expect(saml.reason()).toBe('Invalid signature')
  })

  describe('refuses an assertion that is wrapped around the signed one', () => {
    const parts = (xml: string) => {
      const [assertion = ''] = /<saml:Assertion .*<\/saml:Assertion>/s.exec(xml) ?? []
      const [signature = ''] = /<ds:Signature .*<\/ds:Signature>/s.exec(assertion) ?? []
      const forged = assertion.replace(/ ID="[^"]*"/, ' ID="_forged"').replace(/(<saml:NameID[^>]*>)[^<]*/, '$1root')
      return { xml, assertion, signature, forged, bare: forged.replace(signature, '') }
    }
    it.each<[string, (of: ReturnType<typeof parts>) => string]>([
      ['beside it', ({ xml, assertion, bare }) => xml.replace(assertion, bare + assertion)],
      ['behind it', ({ xml, assertion, bare }) => xml.replace(assertion, assertion + bare)],
      [
        'with it in the extensions',
        ({ xml, assertion, bare }) =>
          xml
            .replace(assertion, bare)
            .replace('<samlp:Status>', `<samlp:Extensions>${assertion}</samlp:Extensions><samlp:Status>`),
      ],
      [
        'with it in an object of the signature',
        ({ xml, assertion, signature, bare, forged }) =>
          xml.replace(
            assertion,
            forged.replace(
              signature,
              signature.replace(
                '</ds:Signature>',
                `<ds:Object>${assertion.replace(signature, '')}</ds:Object></ds:Signature>`,
              ),
            ) || bare,
          ),
      ],
      [
        'with it in its subject',
        ({ xml, assertion, forged, signature }) =>
          xml.replace(
            assertion,
            forged.replace('</saml:Subject>', `${assertion}</saml:Subject>`).replace(signature, signature),
          ),
      ],
    ])('%s', async (_, wrap) => {
      idp.state.after = (xml) => wrap(parts(xml))
      expect(await saml.go()).toMatchObject(refused)
    })
  })

  it('refuses what is too large, has a document type, or is no answer at all', async () => {
    const state = 'a'.repeat(43)
    const encoded = (xml: string): SamlForm => ({
      SAMLResponse: Buffer.from(xml).toString('base64'),
      RelayState: state,
    })
    const bomb = '<!DOCTYPE r [<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><samlp:Response>&b;</samlp:Response>'
    for (const xml of [
      bomb,
      `<a>${'<b>'.repeat(60)}${'</b>'.repeat(60)}</a>`,
      `<a>${'x'.repeat(181_000)}</a>`,
      'no xml',
    ])
      expect((await saml.post(encoded(xml))).searchParams.get('error')).toBe('saml_answer_refused')
  })

  it('signs in the browser that asked, and no other', async () => {
    const [asked, other] = [saml.site.browser(), saml.site.browser()]
    const form = await idp.agree(await saml.start(asked))
    await saml.start(other)
    const back = await saml.post(form)
    expect(await saml.arrive(other, back)).toMatchObject({ code: 'oauth_state_wrong' })
    const second = saml.site.browser()
    const own = await saml.start(second)
    const stolen = new URL(back)
    stolen.searchParams.set('state', new URL(own).searchParams.get('RelayState') ?? '')
    expect(await saml.arrive(second, stolen)).toMatchObject(refused)
  })

  describe('answers that nobody asked for', () => {
    it('are refused', async () => {
      const back = await saml.post({ SAMLResponse: await idp.unasked(), RelayState: '' })
      expect(back.searchParams.get('error')).toBe('saml_answer_refused')
    })

    it('are taken once where the provider may send them', async () => {
      await saml.change({}, { idp_initiated: true })
      const form = { SAMLResponse: await idp.unasked(), RelayState: '' }
      expect(await saml.arrive(saml.site.browser(), await saml.post(form))).toMatchObject({ success: true })
      expect((await saml.post(form)).searchParams.get('error')).toBe('saml_answer_refused')
      expect(saml.reason()).toBe('it was used before')
    })
  })

  it('takes certificates as people copy them, and refuses what is none', async () => {
    const bare = idp.certificate.replaceAll(/-----[^-]*-----|\s/g, '')
    await saml.change({}, { certificates: [bare] })
    expect(await saml.go()).toMatchObject({ success: true })
    await expect(saml.change({}, { certificates: ['none'] })).rejects.toThrow('证书无法读取')
  })
})
