import { isObject, parsedJson, textOf } from '../../dialects/conversation/json.ts'
import { createBoundedCache } from '../../lib/caches/bounded-cache.ts'

/** A channel's key for Vertex: a service account, or an API key of its express mode. */
export type VertexCredential =
  | {
      readonly kind: 'account'
      readonly project: string
      readonly email: string
      readonly keyId: string
      /** PEM, PKCS #8. */
      readonly privateKey: string
      /** Address at which tokens are fetched. */
      readonly tokenUri: string
    }
  | { readonly kind: 'key'; readonly key: string }

const defaultTokenUri = 'https://oauth2.googleapis.com/token'

/** Restores the line breaks of a PEM key, which pasting removes or doubles. */
const withLineBreaks = (text: string): string => {
  const body = text
    .replaceAll('\\n', '\n')
    .replace(/-----(BEGIN|END) PRIVATE KEY-----/g, '')
    .replace(/\s+/g, '')
  return `-----BEGIN PRIVATE KEY-----\n${body.replace(/(.{64})/g, '$1\n').trim()}\n-----END PRIVATE KEY-----\n`
}

const parse = (key: string): VertexCredential | undefined => {
  if (!key.trim().startsWith('{')) return key.trim() === '' ? undefined : { kind: 'key', key: key.trim() }
  const json = parsedJson(key)
  if (!isObject(json)) return undefined
  const email = textOf(json.client_email)
  const privateKey = textOf(json.private_key)
  if (email === '' || privateKey === '') return undefined
  return {
    kind: 'account',
    project: textOf(json.project_id),
    email,
    keyId: textOf(json.private_key_id),
    privateKey: withLineBreaks(privateKey),
    tokenUri: textOf(json.token_uri) || defaultTokenUri,
  }
}

const mostCached = 200
const cache = createBoundedCache<string, VertexCredential | undefined>({ entries: mostCached })

/** Parses a channel's key; undefined if it is neither. Results are cached, because every call reads the key. */
export const vertexCredential = (key: string): VertexCredential | undefined => {
  if (cache.has(key)) return cache.get(key)
  const credential = parse(key)
  cache.set(key, credential)
  return credential
}
