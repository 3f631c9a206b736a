import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { makeSelfSigned } from '../../../src/lib/security/self-signed.ts'

type Tags = Readonly<Record<string, string>>
/** A query as it was sent, and what of it is signed. */
interface Query {
  readonly query: Tags
  readonly octetString: string
}

interface Service {
  readonly entityMeta: {
    getEntityID(): string
    getAssertionConsumerService(binding: 'post'): unknown
    getSingleLogoutService(binding: 'redirect' | 'post'): unknown
    getX509Certificate(use: 'encryption'): string
    isAuthnRequestSigned(): boolean
  }
}

type Replace = (template: string, tags?: Tags) => { id: string; context: string }
interface Parsed {
  readonly extract: {
    readonly request?: { readonly id?: string }
    readonly nameID?: string
    readonly sessionIndex?: string
    readonly response?: { readonly inResponseTo?: string }
  }
}

interface Provider {
  createLoginResponse(
    service: Service,
    request: object,
    binding: 'post',
    user: object,
    options: { customTagReplacement: Replace; encryptThenSign: boolean },
  ): Promise<{ context: string }>
  parseLoginRequest(service: Service, binding: 'redirect', request: Query): Promise<Parsed>
  parseLogoutRequest(service: Service, binding: 'redirect', request: Query): Promise<Parsed>
  parseLogoutResponse(service: Service, binding: 'redirect', request: Query): Promise<Parsed>
  createLogoutResponse(service: Service, request: object, binding: 'redirect'): { context: string }
  createLogoutRequest(
    service: Service,
    binding: 'redirect' | 'post',
    user: object,
    options: { relayState: string; customTagReplacement: Replace },
  ): { context: string }
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

export const aes256Gcm = 'http://www.w3.org/2009/xmlenc11#aes256-gcm'
export const aes256Cbc = 'http://www.w3.org/2001/04/xmlenc#aes256-cbc'
export const tripleDes = 'http://www.w3.org/2001/04/xmlenc#tripledes-cbc'
export const rsaOaep = 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p'
export const rsaPkcs1 = 'http://www.w3.org/2001/04/xmlenc#rsa-1_5'

const attributeXml = (name: string, values: readonly string[]): string =>
  `<saml:Attribute Name="${name}">${values.map((value) => `<saml:AttributeValue>${value}</saml:AttributeValue>`).join('')}</saml:Attribute>`

const newId = (letter: string): string => `_${letter}${Date.now()}${Math.random().toString(36).slice(2)}`

const filledIn = (template: string, tags: Tags): string =>
  Object.entries(tags).reduce((text, [name, value]) => text.replaceAll(`{${name}}`, value), template)

/** Its clients speak to it from other processes; the requests were checked by the schema of nobody. */
samlify.setSchemaValidator({ validate: async () => 'not checked' })

/**
 * A SAML identity provider (`samlify`), over HTTP, where `state.person` is signed in. `state` also says what is wrong with its answers.
 */
export const startSamlProvider = async () => {
  const [own, foreign] = await Promise.all([makeSelfSigned('idp'), makeSelfSigned('somebody else')])
  const usual = () => ({
    person: { nameId: 'ada', attributes: {} as Readonly<Record<string, readonly string[]>> },
    /** The provider's name of its session; empty for no name. */
    sessionIndex: '',
    /** Which part is signed. */
    signs: 'assertion' as 'assertion' | 'response' | 'nothing',
    /** How the assertion is encrypted; undefined for not at all. */
    encrypts: undefined as { readonly data: string; readonly key: string } | undefined,
    /** With whose key. */
    key: 'own' as 'own' | 'foreign',
    algorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    /** Changes what is filled in before it is signed. */
    tags: {} as Tags,
    /** Changes the XML after it was signed. */
    after: (xml: string): string => xml,
    /** Requests to sign out that came, and answers to its own. */
    signedOut: [] as { nameId: string | undefined; sessionIndex: string | undefined }[],
    answers: 0,
  })
  const state = usual()

  const open = () =>
    samlify.IdentityProvider({
      entityID: `${origin}/metadata`,
      privateKey: state.key === 'own' ? own.key : foreign.key,
      signingCert: state.key === 'own' ? own.certificate : foreign.certificate,
      requestSignatureAlgorithm: state.algorithm,
      wantAuthnRequestsSigned: known().entityMeta.isAuthnRequestSigned(),
      wantLogoutRequestSigned: true,
      wantLogoutResponseSigned: true,
      isAssertionEncrypted: state.encrypts !== undefined,
      dataEncryptionAlgorithm: state.encrypts?.data,
      keyEncryptionAlgorithm: state.encrypts?.key,
      singleSignOnService: [{ Binding: redirectBinding, Location: `${origin}/sso` }],
      singleLogoutService: [{ Binding: redirectBinding, Location: `${origin}/slo` }],
    })

  let metadata = ''
  const known = (): Service =>
    samlify.ServiceProvider({ metadata, wantLogoutRequestSigned: true, wantLogoutResponseSigned: true })

  /** The answer for the service, to a request or to none. */
  const answer = async (request: string | undefined): Promise<string> => {
    const { entityMeta } = known()
    const [entity, acs] = [entityMeta.getEntityID(), String(entityMeta.getAssertionConsumerService('post'))]
    const receiver = samlify.ServiceProvider({
      entityID: entity,
      assertionConsumerService: [{ Binding: postBinding, Location: acs }],
      wantAssertionsSigned: state.signs === 'assertion',
      wantMessageSigned: state.signs === 'response',
      encryptCert: entityMeta.getX509Certificate('encryption'),
    })
    const now = Date.now()
    const at = (seconds: number): string => new Date(now + seconds * 1000).toISOString()
    const { nameId, attributes } = state.person
    const tags: Tags = {
      ID: newId('r'),
      AssertionID: newId('a'),
      Destination: acs,
      SubjectRecipient: acs,
      Audience: entity,
      Issuer: `${origin}/metadata`,
      IssueInstant: at(0),
      ConditionsNotBefore: at(-5),
      ConditionsNotOnOrAfter: at(300),
      SubjectConfirmationDataNotOnOrAfter: at(300),
      InResponseTo: request ?? '',
      NameID: nameId,
      NameIDFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
      StatusCode: 'urn:oasis:names:tc:SAML:2.0:status:Success',
      ...state.tags,
    }
    const statement = `<saml:AttributeStatement>${Object.entries(attributes)
      .map(([name, values]) => attributeXml(name, values))
      .join('')}</saml:AttributeStatement>`
    const signedIn = `<saml:AuthnStatement AuthnInstant="${at(0)}" SessionIndex="${state.sessionIndex}"><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>`
    const written = (template: string) => {
      const whole = filledIn(template, tags)
        .replace('{AuthnStatement}', state.sessionIndex === '' ? '' : signedIn)
        .replace('{AttributeStatement}', Object.keys(attributes).length === 0 ? '' : statement)
      const context = request === undefined ? whole.replaceAll(' InResponseTo=""', '') : whole
      return { id: tags.ID ?? '', context }
    }
    const options = { customTagReplacement: written, encryptThenSign: state.signs === 'response' }
    const { context } = await open().createLoginResponse(receiver, {}, 'post', {}, options)
    // The library signs one part always.
    const signed = Buffer.from(context, 'base64').toString()
    const xml = state.signs === 'nothing' ? signed.replaceAll(/<(ds:)?Signature.*?<\/(ds:)?Signature>/gs, '') : signed
    return Buffer.from(state.after(xml)).toString('base64')
  }

  const signIn = async (asked: Query): Promise<string> => {
    const { extract } = await open().parseLoginRequest(known(), 'redirect', asked)
    const acs = String(known().entityMeta.getAssertionConsumerService('post'))
    return `<form method="post" action="${acs}"><input type="hidden" name="SAMLResponse" value="${await answer(extract.request?.id)}">
        <input type="hidden" name="RelayState" value="${asked.query.RelayState}"></form><script>document.forms[0].submit()</script>`
  }

  /** Takes a request to sign out, or an answer to its own; answers where the browser goes on. */
  const signOut = async (asked: Query): Promise<string | undefined> => {
    if (asked.query.SAMLResponse !== undefined) {
      await open().parseLogoutResponse(known(), 'redirect', asked)
      state.answers += 1
      return undefined
    }
    const parsed = await open().parseLogoutRequest(known(), 'redirect', asked)
    const { nameID, sessionIndex } = parsed.extract
    state.signedOut.push({ nameId: nameID, sessionIndex })
    return open().createLogoutResponse(known(), parsed, 'redirect').context
  }

  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    void (async () => {
      const { pathname, search, searchParams } = new URL(request.url ?? '', origin)
      const octetString = search
        .slice(1)
        .split('&')
        .filter((part) => !part.startsWith('Signature='))
        .join('&')
      const asked = { query: Object.fromEntries(searchParams), octetString }
      if (pathname === '/sso') return response.setHeader('content-type', 'text/html').end(await signIn(asked))
      const next = await signOut(asked)
      response.writeHead(next === undefined ? 200 : 302, next === undefined ? {} : { location: next }).end()
    })().catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const field = (page: string, name: string): string =>
    new RegExp(`name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? ''

  /** A request to end the session of somebody: an address to open, or the base64 of a form. */
  const logoutRequest = (
    binding: 'redirect' | 'post',
    { nameId, sessionIndexes, tags = {} }: { nameId: string; sessionIndexes: readonly string[]; tags?: Tags },
  ): string => {
    const replace: Replace = (template, filled) => {
      const indexes = sessionIndexes.map((index) => `<samlp:SessionIndex>${index}</samlp:SessionIndex>`).join('')
      const all: Tags = {
        Issuer: `${origin}/metadata`,
        IssueInstant: new Date().toISOString(),
        ...filled,
        Destination: String(known().entityMeta.getSingleLogoutService(binding)),
        ID: newId('l'),
        NameID: nameId,
        ...tags,
        NameIDFormat: 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
      }
      const wanted = template.replace(/<samlp:SessionIndex>.*<\/samlp:SessionIndex>/, indexes)
      return { id: all.ID ?? '', context: filledIn(wanted, all) }
    }
    return open().createLogoutRequest(known(), binding, {}, { relayState: 'back', customTagReplacement: replace })
      .context
  }

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
    /** Form that the provider gives a browser to post to the service. */
    async agree(address: string): Promise<{ SAMLResponse: string; RelayState: string }> {
      const page = await (await fetch(address)).text()
      if (!page.startsWith('<form')) throw new Error(page)
      return { SAMLResponse: field(page, 'SAMLResponse'), RelayState: field(page, 'RelayState') }
    },
    /** An answer that nobody asked for. */
    unasked: () => answer(undefined),
    logoutRequest,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

export type SamlProvider = Awaited<ReturnType<typeof startSamlProvider>>
