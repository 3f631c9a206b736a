import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { selfSigned } from './certificate.ts'

type Tags = Readonly<Record<string, string>>

interface Service {
  readonly entityMeta: { getEntityID(): string; getAssertionConsumerService(binding: 'post'): unknown }
}

interface Provider {
  createLoginResponse(
    service: Service,
    request: object,
    binding: 'post',
    user: object,
    options: { customTagReplacement: (template: string) => { id: string; context: string } },
  ): Promise<{ context: string }>
  parseLoginRequest(
    service: Service,
    binding: 'redirect',
    request: { query: Tags },
  ): Promise<{ extract: { request?: { id?: string } } }>
}

/** The part of the library that is used. Its own types bring those of browsers along, which change Node's. */
interface Library {
  setSchemaValidator(validator: { validate(xml: string): Promise<string> }): void
  IdentityProvider(settings: object): Provider
  ServiceProvider(settings: object): Service
}

const samlify = createRequire(import.meta.url)('samlify') as Library

const postBinding = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST'
const redirectBinding = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'

const attributeXml = (name: string, values: readonly string[]): string =>
  `<saml:Attribute Name="${name}">${values.map((value) => `<saml:AttributeValue>${value}</saml:AttributeValue>`).join('')}</saml:Attribute>`

/** Its clients speak to it from other processes; the requests were checked by the schema of nobody. */
samlify.setSchemaValidator({ validate: async () => 'not checked' })

/**
 * A SAML identity provider (`samlify`), over HTTP, where `state.person` is signed in. `state` also says what is wrong with its answers.
 */
export const startSamlProvider = async () => {
  const own = selfSigned('idp')
  const foreign = selfSigned('somebody else')
  const usual = () => ({
    person: { nameId: 'ada', attributes: {} as Readonly<Record<string, readonly string[]>> },
    /** Which part is signed. */
    signs: 'assertion' as 'assertion' | 'response' | 'nothing',
    /** With whose key. */
    key: 'own' as 'own' | 'foreign',
    /** Changes what is filled in before it is signed. */
    tags: {} as Tags,
    /** Changes the XML after it was signed. */
    after: (xml: string): string => xml,
  })
  const state = usual()

  const open = () =>
    samlify.IdentityProvider({
      entityID: `${origin}/metadata`,
      privateKey: state.key === 'own' ? own.key : foreign.key,
      signingCert: state.key === 'own' ? own.certificate : foreign.certificate,
      requestSignatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
      singleSignOnService: [{ Binding: redirectBinding, Location: `${origin}/sso` }],
    })

  /** The answer for a service, to a request or to none. */
  const answer = async (metadata: string, request: string | undefined): Promise<string> => {
    const service = samlify.ServiceProvider({ metadata })
    const [entity, acs] = [
      service.entityMeta.getEntityID(),
      String(service.entityMeta.getAssertionConsumerService('post')),
    ]
    const receiver = samlify.ServiceProvider({
      entityID: entity,
      assertionConsumerService: [{ Binding: postBinding, Location: acs }],
      wantAssertionsSigned: state.signs === 'assertion',
      wantMessageSigned: state.signs === 'response',
    })
    const now = Date.now()
    const at = (seconds: number): string => new Date(now + seconds * 1000).toISOString()
    const { nameId, attributes } = state.person
    const tags: Tags = {
      ...{
        ID: `_r${now}${Math.random().toString(36).slice(2)}`,
        AssertionID: `_a${now}${Math.random().toString(36).slice(2)}`,
      },
      ...{ Destination: acs, SubjectRecipient: acs, Audience: entity, Issuer: `${origin}/metadata` },
      ...{ IssueInstant: at(0), ConditionsNotBefore: at(-5), ConditionsNotOnOrAfter: at(300) },
      ...{ SubjectConfirmationDataNotOnOrAfter: at(300), InResponseTo: request ?? '', NameID: nameId },
      NameIDFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
      StatusCode: 'urn:oasis:names:tc:SAML:2.0:status:Success',
      ...state.tags,
    }
    const statement = `<saml:AttributeStatement>${Object.entries(attributes)
      .map(([name, values]) => attributeXml(name, values))
      .join('')}</saml:AttributeStatement>`
    const written = (template: string) => {
      const filled = Object.entries(tags).reduce((text, [name, value]) => text.replaceAll(`{${name}}`, value), template)
      const whole = filled
        .replace('{AuthnStatement}', '')
        .replace('{AttributeStatement}', Object.keys(attributes).length === 0 ? '' : statement)
      const context = request === undefined ? whole.replaceAll(' InResponseTo=""', '') : whole
      return { id: tags.ID ?? '', context }
    }
    const { context } = await open().createLoginResponse(receiver, {}, 'post', {}, { customTagReplacement: written })
    // The library signs one part always.
    const signed = Buffer.from(context, 'base64').toString()
    const xml = state.signs === 'nothing' ? signed.replaceAll(/<(ds:)?Signature.*?<\/(ds:)?Signature>/gs, '') : signed
    return Buffer.from(state.after(xml)).toString('base64')
  }

  let metadata = ''
  const server = createServer((request, response) => {
    void (async () => {
      const { searchParams } = new URL(request.url ?? '', origin)
      const query = Object.fromEntries(searchParams)
      const service = samlify.ServiceProvider({ metadata })
      const { extract } = await open().parseLoginRequest(service, 'redirect', { query })
      const saml = await answer(metadata, extract.request?.id)
      const acs = String(service.entityMeta.getAssertionConsumerService('post'))
      response.setHeader('content-type', 'text/html')
      response.end(`<form method="post" action="${acs}"><input type="hidden" name="SAMLResponse" value="${saml}">
        <input type="hidden" name="RelayState" value="${query.RelayState}"></form><script>document.forms[0].submit()</script>`)
    })().catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const field = (page: string, name: string): string =>
    new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? ''

  return {
    state,
    reset: () => Object.assign(state, usual()),
    origin,
    entity: `${origin}/metadata`,
    certificate: own.certificate,
    /** Learns about the service from its metadata. */
    know(text: string): void {
      metadata = text
    },
    /** What a browser is given there: the form that it posts to the service. */
    async agree(address: string): Promise<{ SAMLResponse: string; RelayState: string }> {
      const page = await (await fetch(address)).text()
      if (!page.startsWith('<form')) throw new Error(page)
      return { SAMLResponse: field(page, 'SAMLResponse'), RelayState: field(page, 'RelayState') }
    },
    /** An answer that nobody asked for. */
    unasked: () => answer(metadata, undefined),
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

export type SamlProvider = Awaited<ReturnType<typeof startSamlProvider>>
