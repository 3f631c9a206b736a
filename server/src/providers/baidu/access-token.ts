import { createHash } from 'node:crypto'
import type { SigningTools } from '../provider.ts'

interface Token {
  readonly value: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

/** With less than this left a new one is fetched, while the old one still serves. */
const freshMs = 60 * 60 * 1000
const most = 1000

/** Credentials, hashed → what they were exchanged for. */
const tokens = new Map<string, Token>()
const fetches = new Map<string, Promise<Token>>()

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

/** One request for all who wait; nothing is remembered of a failed one. */
const renewed = (name: string, load: () => Promise<Token>): Promise<Token> => {
  const running = fetches.get(name)
  if (running !== undefined) return running
  const fetching = load()
    .then((token) => {
      if (tokens.size >= most) tokens.clear()
      tokens.set(name, token)
      return token
    })
    .finally(() => fetches.delete(name))
  fetches.set(name, fetching)
  return fetching
}

/** The access token of `APIKey|SecretKey`, cached until it expires. Throws when the credentials are refused. */
export const accessToken = async (baseUrl: string, key: string, tools: SigningTools): Promise<string> => {
  const name = createHash('sha256').update(`${baseUrl}\n${key}`).digest('base64')
  const load = () => fetchToken(baseUrl, key, tools)
  const known = tokens.get(name)
  const left = (known?.expiresAt ?? 0) - tools.now()
  if (known === undefined || left <= 0) return (await renewed(name, load)).value
  if (left < freshMs) renewed(name, load).catch(() => {})
  return known.value
}
