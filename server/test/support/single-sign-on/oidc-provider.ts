import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { type Configuration } from 'oidc-provider'

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

/**
 * An OpenID Connect provider of its own (`oidc-provider`), over HTTP, where `state.person` is signed in and agrees to everything.
 * `redirects` are the addresses that it may send browsers back to.
 */
export const startOidcProvider = async (redirects: readonly string[]) => {
  const state = { person: { sub: 'ada' } as ProviderPerson }
  const people = new Map<string, ProviderPerson>()
  let provider: Provider | undefined
  const server = createServer((request, response) => {
    void (async () => {
      if (provider === undefined) return
      if (!request.url?.startsWith('/interaction/')) return provider.callback()(request, response)
      const { params } = await provider.interactionDetails(request, response)
      const { person } = state
      people.set(person.sub, person)
      const grant = new provider.Grant({ accountId: person.sub, clientId: String(params.client_id) })
      grant.addOIDCScope('openid profile email groups')
      const consent = { grantId: await grant.save() }
      await provider.interactionFinished(request, response, { login: { accountId: person.sub }, consent })
    })()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const open = (kid: string): Provider =>
    new Provider(origin, {
      jwks: newKeys(kid),
      cookies: { keys: ['for tests'] },
      features: { devInteractions: { enabled: false } },
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
          token_endpoint_auth_method: 'client_secret_basic',
        },
      ],
    })
  provider = open('first')

  return {
    state,
    origin,
    /** Signs with a new key from now on. */
    rotate(kid: string): void {
      provider = open(kid)
    },
    /** What a browser does there: signs in, agrees, and is sent back with this query. */
    async agree(address: string): Promise<{ path: string; query: URLSearchParams }> {
      const cookies = new Map<string, string>()
      let next = new URL(address)
      for (let step = 0; step < 10 && next.origin === origin; step += 1) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
        const answer = await fetch(next, { redirect: 'manual', headers: { cookie } })
        for (const text of answer.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
          cookies.set(name, value)
        }
        const location = answer.headers.get('location')
        if (location === null) throw new Error(`The provider answered ${answer.status}: ${await answer.text()}`)
        next = new URL(location, next)
      }
      return { path: next.pathname, query: next.searchParams }
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

export type OidcProvider = Awaited<ReturnType<typeof startOidcProvider>>
