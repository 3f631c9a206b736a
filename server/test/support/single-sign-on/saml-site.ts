import type { IdentityProviderChange } from '@tollgate/contract'
import type { Database } from '../../../src/db/database.ts'
import { rootPassword } from '../features/accounts.ts'
import { startAuthorizationServer } from '../features/authorization-server.ts'
import { type Browser, openThirdPartySite, siteUrl } from '../features/third-party.ts'
import { startSamlProvider } from './saml-provider.ts'

export type SamlForm = { SAMLResponse: string; RelayState: string }

/** A site with the SAML provider `corp`, and the ways that browsers go between both. */
export const openSamlSite = async (database: Database) => {
  const elsewhere = await startAuthorizationServer()
  const idp = await startSamlProvider()
  const site = await openThirdPartySite(database, elsewhere)
  const root = await site.signIn('root', rootPassword)

  const provider = (): Partial<IdentityProviderChange> => ({
    slug: 'corp',
    name: 'Corp',
    connection: {
      kind: 'saml',
      issuer: idp.entity,
      sign_in_url: `${idp.origin}/sso`,
      certificates: [idp.certificate],
      logout_url: '',
      signs_requests: false,
      idp_initiated: false,
      email_attribute: 'email',
      name_attribute: 'displayName',
      groups_attribute: 'groups',
    },
  })
  const made = await root.call('POST', '/api/identity_providers', provider())
  if (made.json.success !== true) throw new Error(String(made.json.message))

  /** Gives the provider this site's metadata, read anew. */
  const introduce = async (): Promise<void> => {
    idp.know((await site.browser().call('GET', '/api/sso/corp/metadata')).text)
  }
  await introduce()

  const change = async (more: Partial<IdentityProviderChange>, connection: object = {}) => {
    const body = { ...provider(), ...more, connection: { ...provider().connection, ...connection } }
    const { json } = await root.call('PUT', `/api/identity_providers/${site.directory.bySlug('corp')?.id}`, body)
    if (json.success !== true) throw new Error(String(json.message))
    await introduce()
  }

  /** The provider's address to which a sign-in leads. */
  const start = async (browser: Browser): Promise<string> => {
    const { json } = await browser.call('POST', '/api/sso/corp/login', { body: {} })
    if (json.success !== true) throw new Error(String(json.message))
    return (json.data as { url: string }).url
  }
  /** Posted by the provider's page: from another site, and therefore without cookies. */
  const postTo = (path: string, form: Readonly<Record<string, string>>) =>
    site.call('POST', path, {
      body: String(new URLSearchParams(form)),
      headers: {
        'sec-fetch-site': 'cross-site',
        origin: idp.origin,
        'content-type': 'application/x-www-form-urlencoded',
      },
    })
  /** Address to which the site redirects a browser that posts an answer. */
  const post = async (form: SamlForm): Promise<URL> => {
    const answer = await postTo('/api/sso/corp/acs', form)
    if (answer.status !== 302) throw new Error(`The site answered ${answer.status}: ${answer.text}`)
    return new URL(answer.headers.get('location') ?? '', siteUrl)
  }
  const arrive = async (browser: Browser, { pathname, search }: URL) => {
    if (pathname !== '/oauth/corp') throw new Error(`sent to ${pathname}`)
    return (await browser.call('GET', `/api/sso/corp${search}`)).json
  }
  /** The whole way of signing in. */
  const go = async (browser = site.browser()) => arrive(browser, await post(await idp.agree(await start(browser))))
  /** Why the site refused something last, as its log says. */
  const reason = (): unknown => (site.refusals[0] as { reason?: unknown } | undefined)?.reason

  return {
    site,
    idp,
    root,
    change,
    start,
    post,
    postTo,
    arrive,
    go,
    reason,
    async close() {
      await site.close()
      await Promise.all([elsewhere.close(), idp.close()])
    },
  }
}

export type SamlSite = Awaited<ReturnType<typeof openSamlSite>>

/** The user whom a sign-in answered with. */
export const idIn = (json: Readonly<Record<string, unknown>>): number => (json.data as { id: number }).id
