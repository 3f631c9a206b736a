import type { IdentityProviderChange } from '@tollgate/contract'
import { expect } from 'vitest'
import type { Database } from '../../../src/db/database.ts'
import { rootPassword } from '../features/accounts.ts'
import { startAuthorizationServer } from '../features/authorization-server.ts'
import { type Browser, openThirdPartySite, siteUrl } from '../features/third-party.ts'
import { type OidcProvider, oidcClient, startOidcProvider } from './oidc-provider.ts'

/** The number of a user in the answer to a sign-in. */
export const idIn = (json: Readonly<Record<string, unknown>>): number => (json.data as { id: number }).id

/** A provider as root types it in. */
export const providerAt = ({ origin }: OidcProvider, slug: string): Partial<IdentityProviderChange> => ({
  slug,
  name: slug.toUpperCase(),
  connection: {
    kind: 'oidc',
    issuer: origin,
    client_id: oidcClient.id,
    scopes: 'openid profile email groups',
    groups_claim: 'groups',
    signs_out: false,
  },
  client_secret: oidcClient.secret,
})

export type OidcSite = Awaited<ReturnType<typeof openOidcSite>>

/** A site with the OpenID Connect providers `acme` and `other`, and a GitHub that is played by `elsewhere`. `close` it. */
export const openOidcSite = async (database: Database) => {
  const elsewhere = await startAuthorizationServer()
  const acme = await startOidcProvider([`${siteUrl}/oauth/acme`, `${siteUrl}/oauth/team`])
  const other = await startOidcProvider([`${siteUrl}/oauth/other`])
  const site = await openThirdPartySite(database, elsewhere)
  const root = await site.signIn('root', rootPassword)
  let people = 0

  const create = async (provider: Partial<IdentityProviderChange>): Promise<number> => {
    const { json } = await root.call('POST', '/api/identity_providers', provider)
    if (json.success !== true) throw new Error(String(json.message))
    return (json.data as { id: number }).id
  }
  await create(providerAt(acme, 'acme'))
  await create(providerAt(other, 'other'))

  const idOf = (slug: string): number => site.directory.bySlug(slug)?.id ?? 0
  /** Sets the provider to what it was in the beginning, but for `more`. */
  const change = async (slug: string, more: Partial<IdentityProviderChange>) =>
    (
      await root.call('PUT', `/api/identity_providers/${idOf(slug)}`, {
        ...providerAt(slug === 'acme' ? acme : other, slug),
        ...more,
      })
    ).json

  /** The address of the provider to which a browser is sent. */
  const start = async (browser: Browser, slug: string, purpose: 'login' | 'bind' = 'login') => {
    const { json } = await browser.call('POST', `/api/sso/${slug}/${purpose}`, { body: {} })
    if (json.success !== true) throw new Error(String(json.message))
    return json.data as { url: string; state: string }
  }

  return {
    site,
    root,
    elsewhere,
    acme,
    other,
    create,
    idOf,
    change,
    start,
    /** Signs in at the provider and comes back. */
    go: async (browser: Browser, slug = 'acme', purpose: 'login' | 'bind' = 'login') => {
      const { url } = await start(browser, slug, purpose)
      const { path, query } = await (slug === 'other' ? other : acme).agree(url)
      expect(path).toBe(`/oauth/${slug}`)
      return (await browser.call('GET', `/api/sso/${slug}?${query}`)).json
    },
    /** Puts another person before both providers, and takes all changes of acme back; answers the number of the person. */
    nextPerson: async (): Promise<number> => {
      people += 1
      acme.state.person = { sub: `sub-${people}`, name: 'Ada L.', preferred_username: `ada${people}` }
      other.state.person = { sub: `sub-${people}`, name: 'Other Ada' }
      await change('acme', {})
      return people
    },
    close: async () => {
      await site.close()
      await Promise.all([elsewhere.close(), acme.close(), other.close()])
    },
  }
}
