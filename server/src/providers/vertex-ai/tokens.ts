import { importPKCS8, SignJWT } from 'jose'
import { textOf } from '../../dialects/conversation/json.ts'
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
/** A token is not used in its last minutes: calls may be long on their way. */
const marginMs = 5 * 60 * 1000
const defaultLifeSeconds = 3600
const mostAccounts = 500

const assertionOf = async (account: Account, now: number): Promise<string> => {
  const issuedAt = Math.floor(now / 1000)
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
  const asked = now()
  const form = new URLSearchParams({ grant_type: grant, assertion: await assertionOf(account, asked) })
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
  return { text, expiresAt: asked + life * 1000 - marginMs }
}

export interface Tokens {
  /** The access token of an account, fetched when there is none that lasts. Throws when there is none to be had. */
  of(account: Account, tools: SigningTools): Promise<string>
}

/**
 * Access tokens by credential, each until it runs out, however often it is used (developers.google.com/identity/protocols/oauth2/
 * service-account). Calls that need the same token at the same time wait for one exchange.
 */
export const openTokens = (): Tokens => {
  const tokens = new Map<string, Promise<Token>>()

  const fresh = (name: string, account: Account, tools: SigningTools): Promise<Token> => {
    if (tokens.size >= mostAccounts) tokens.clear()
    const fetched = fetchToken(account, tools)
    tokens.set(name, fetched)
    // A failure is not kept; whoever waits for it hears of it.
    fetched.catch(() => {
      if (tokens.get(name) === fetched) tokens.delete(name)
    })
    return fetched
  }

  return {
    async of(account, tools) {
      const name = JSON.stringify([account.email, account.keyId, account.privateKey, account.tokenUri])
      const before = tokens.get(name)
      const token = before === undefined ? await fresh(name, account, tools) : await before
      if (token.expiresAt > tools.now()) return token.text
      // Another call may have fetched the next one while this one waited.
      const next = tokens.get(name)
      return (await (next === undefined || next === before ? fresh(name, account, tools) : next)).text
    },
  }
}
