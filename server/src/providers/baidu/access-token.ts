import { createHash } from 'node:crypto'
import { createBoundedCache } from '../../lib/caches/bounded-cache.ts'
import type { SigningTools } from '../provider.ts'

interface Token {
  readonly value: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

/** A token with less life than this is refreshed in the background. */
const refreshBeforeMs = 60 * 60 * 1000
const mostTokens = 1000

/** SHA-256 of base URL and key → access token. */
const tokens = createBoundedCache<string, Token>({ entries: mostTokens })
const running = new Map<string, Promise<Token>>()

const fetchToken = async (baseUrl: string, key: string, { post, now }: SigningTools): Promise<Token> => {
  const [id = '', secret = '', ...more] = key.split('|')
  if (id === '' || secret === '' || more.length > 0) throw new Error('the key is not APIKey|SecretKey')
  const query = new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret })
  const url = `${baseUrl}/oauth/2.0/token?${query}`
  const { status, json } = await post({ url, headers: { accept: 'application/json' }, body: '' })
  const { access_token: value, expires_in: seconds, error_description: reason, error } = json
  if (typeof value !== 'string') throw new Error(`no access token: status ${status} ${String(reason ?? error ?? '')}`)
  return { value, expiresAt: now() + (typeof seconds === 'number' ? seconds : 0) * 1000 }
}

/** Concurrent callers share one request. A failed request is not cached. */
const refresh = (name: string, load: () => Promise<Token>): Promise<Token> => {
  const current = running.get(name)
  if (current !== undefined) return current
  const fetching = load()
    .then((token) => {
      tokens.set(name, token)
      return token
    })
    .finally(() => running.delete(name))
  running.set(name, fetching)
  return fetching
}

/** The access token of `APIKey|SecretKey`, cached until it expires. Throws when the credentials are refused. */
export const accessToken = async (baseUrl: string, key: string, tools: SigningTools): Promise<string> => {
  const name = createHash('sha256').update(`${baseUrl}\n${key}`).digest('base64')
  const load = () => fetchToken(baseUrl, key, tools)
  const cached = tokens.get(name)
  const remainingMs = (cached?.expiresAt ?? 0) - tools.now()
  if (cached === undefined || remainingMs <= 0) return (await refresh(name, load)).value
  if (remainingMs < refreshBeforeMs) refresh(name, load).catch(() => {})
  return cached.value
}
