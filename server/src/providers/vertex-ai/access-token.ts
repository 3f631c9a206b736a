import { textOf } from '../../dialects/conversation/json.ts'
import { createBoundedCache } from '../../lib/caches/bounded-cache.ts'
import type { SigningTools } from '../provider.ts'
import type { VertexCredential } from './credential.ts'

type Account = Extract<VertexCredential, { kind: 'account' }>

interface Token {
  readonly text: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

const scope = 'https://www.googleapis.com/auth/cloud-platform'
const grant = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const assertionSeconds = 35 * 60
/** A token is not used in its last minutes, because a call may arrive late. */
const marginMs = 5 * 60 * 1000
const defaultLifeSeconds = 3600
const mostAccounts = 500

const assertionOf = async (account: Account, now: number): Promise<string> => {
  const issuedAt = Math.floor(now / 1000)
  // Loaded with the first service account.
  const { importPKCS8, SignJWT } = await import('jose')
  const key = await importPKCS8(account.privateKey, 'RS256')
  return new SignJWT({ scope })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(account.keyId === '' ? {} : { kid: account.keyId }) })
    .setIssuer(account.email)
    .setAudience(account.tokenUri)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + assertionSeconds)
    .sign(key)
}

const fetchToken = async (account: Account, { now, post }: SigningTools): Promise<Token> => {
  const requestedAt = now()
  const form = new URLSearchParams({ grant_type: grant, assertion: await assertionOf(account, requestedAt) })
  const { status, json } = await post({
    url: account.tokenUri,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: form.toString(),
  })
  const text = textOf(json.access_token)
  if (status !== 200 || text === '') {
    throw new Error(`no token: status ${status} ${textOf(json.error)} ${textOf(json.error_description)}`.trim())
  }
  const life = typeof json.expires_in === 'number' ? json.expires_in : defaultLifeSeconds
  return { text, expiresAt: requestedAt + life * 1000 - marginMs }
}

interface AccessTokens {
  /** The access token of an account; fetches one if none is valid. Throws when the token server refuses. */
  of(account: Account, tools: SigningTools): Promise<string>
}

/**
 * Caches access tokens by credential until they expire (developers.google.com/identity/protocols/oauth2/service-account).
 * Concurrent calls for one credential share one request.
 */
export const createAccessTokens = (): AccessTokens => {
  const tokens = createBoundedCache<string, Promise<Token>>({ entries: mostAccounts })

  const fetchAndCache = (name: string, account: Account, tools: SigningTools): Promise<Token> => {
    const fetched = fetchToken(account, tools)
    tokens.set(name, fetched)
    // A failure is not cached; every waiting caller gets it.
    fetched.catch(() => {
      if (tokens.get(name) === fetched) tokens.delete(name)
    })
    return fetched
  }

  return {
    async of(account, tools) {
      const name = JSON.stringify([account.email, account.keyId, account.privateKey, account.tokenUri])
      const current = tokens.get(name)
      const token = current === undefined ? await fetchAndCache(name, account, tools) : await current
      if (token.expiresAt > tools.now()) return token.text
      // Another call may have fetched the next token while this one waited.
      const next = tokens.get(name)
      return (await (next === undefined || next === current ? fetchAndCache(name, account, tools) : next)).text
    },
  }
}

const tokens = createAccessTokens()

/** Headers of a credential; the token of a service account is fetched where none is valid. Throws when the token server refuses. */
export const vertexAuthorization = async (
  credential: VertexCredential,
  tools: SigningTools,
): Promise<Record<string, string>> =>
  credential.kind === 'account'
    ? { authorization: `Bearer ${await tokens.of(credential, tools)}` }
    : { 'x-goog-api-key': credential.key }
