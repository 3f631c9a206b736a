import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import Provider, { type Configuration } from 'oidc-provider'
import { asyncListener } from '../lib/async-listener.ts'

/** Somebody at the provider. */
export interface ProviderPerson {
  readonly sub: string
  readonly [claim: string]: unknown
}

export const oidcClient = { id: 'gate', secret: 'a secret of the client' }

const newKeys = (kid: string): NonNullable<Configuration['jwks']> => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return { keys: [{ ...privateKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' } as never] }
}

/** The cookies of a browser at the provider. */
export type ProviderCookies = Map<string, string>

/**
 * An OpenID Connect provider of its own (`oidc-provider`), where `state.person` is signed in and agrees to everything: over HTTP, or
 * over HTTPS at `localhost` with a certificate. `redirects` are the addresses that it may send browsers back to, `signOut` those after
 * signing out. What its server tells ours is kept in `state.told`.
 */
export const startOidcProvider = async (
  redirects: readonly string[],
  signOut: readonly string[] = [],
  certificate?: { readonly key: string; readonly cert: string },
) => {
  const state = { person: { sub: 'ada' } as ProviderPerson, told: [] as string[] }
  const people = new Map<string, ProviderPerson>()
  let provider: Provider | undefined
  const answer = asyncListener(async (request, response) => {
    if (provider === undefined) return
    if (request.url === '/told') {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      state.told.push(Buffer.concat(chunks).toString())
      return response.end()
    }
    if (!request.url?.startsWith('/interaction/')) return provider.callback()(request, response)
    const { params } = await provider.interactionDetails(request, response)
    const { person } = state
    people.set(person.sub, person)
    const grant = new provider.Grant({ accountId: person.sub, clientId: String(params.client_id) })
    grant.addOIDCScope('openid profile email groups')
    const consent = { grantId: await grant.save() }
    await provider.interactionFinished(request, response, { login: { accountId: person.sub }, consent })
  })
  const server = certificate === undefined ? createServer(answer) : createTlsServer({ ...certificate }, answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const origin = certificate === undefined ? `http://127.0.0.1:${port}` : `https://localhost:${port}`

  const open = (kid: string): Provider =>
    new Provider(origin, {
      jwks: newKeys(kid),
      cookies: { keys: ['for tests'] },
      // Its own way out refuses loopback, where the tests are.
      fetch: (url, options = {}) => {
        const { dispatcher: _, ...more }: RequestInit & { dispatcher?: unknown } = options
        return globalThis.fetch(url, more)
      },
      features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      claims: {
        openid: ['sub'],
        profile: ['name', 'preferred_username'],
        email: ['email', 'email_verified'],
        groups: ['groups'],
      },
      findAccount: (_context, id) => ({
        accountId: id,
        claims: () => people.get(id) ?? { sub: id },
      }),
      clients: [
        {
          client_id: oidcClient.id,
          client_secret: oidcClient.secret,
          redirect_uris: [...redirects],
          post_logout_redirect_uris: [...signOut],
          backchannel_logout_uri: `${origin}/told`,
          backchannel_logout_session_required: true,
          token_endpoint_auth_method: 'client_secret_basic',
        },
      ],
    })
  provider = open('first')

  const ask = async (address: URL, cookies: ProviderCookies, form?: URLSearchParams): Promise<Response> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const sent = form === undefined ? {} : { method: 'POST', body: form }
    const answer = await fetch(address, { redirect: 'manual', headers: { cookie }, ...sent })
    for (const text of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
      cookies.set(name, value)
    }
    return answer
  }

  return {
    state,
    origin,
    /** Signs with a new key from now on. */
    rotate(kid: string): void {
      provider = open(kid)
    },
    /** Signs in and consents as a browser does, and returns the query with which the browser is sent back. */
    async agree(
      address: string,
      cookies: ProviderCookies = new Map(),
    ): Promise<{ path: string; query: URLSearchParams }> {
      let next = new URL(address)
      for (let step = 0; step < 10 && next.origin === origin; step += 1) {
        const answer = await ask(next, cookies)
        const location = answer.headers.get('location')
        if (location === null) throw new Error(`The provider answered ${answer.status}: ${await answer.text()}`)
        next = new URL(location, next)
      }
      return { path: next.pathname, query: next.searchParams }
    },
    /** Signs out as a browser does: confirms, and returns the address to which the browser is sent. */
    async leave(address: string, cookies: ProviderCookies): Promise<string> {
      const page = await (await ask(new URL(address), cookies)).text()
      const [, action = ''] = /action="([^"]+)"/.exec(page) ?? []
      const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(page) ?? []
      const answer = await ask(new URL(action, address), cookies, new URLSearchParams({ xsrf, logout: 'yes' }))
      return answer.headers.get('location') ?? `${answer.status} ${await answer.text()}`
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

export type OidcProvider = Awaited<ReturnType<typeof startOidcProvider>>
