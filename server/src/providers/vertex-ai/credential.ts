import { isObject, parsedJson, textOf } from '../../dialects/conversation/json.ts'

/** Who calls Vertex: a service account, or an API key of its express mode. */
export type VertexCredential =
  | {
      readonly kind: 'account'
      readonly project: string
      readonly email: string
      readonly keyId: string
      /** PEM, PKCS #8. */
      readonly privateKey: string
      /** Where tokens are fetched. */
      readonly tokenUri: string
    }
  | { readonly kind: 'key'; readonly key: string }

const defaultTokenUri = 'https://oauth2.googleapis.com/token'

/** Line breaks get lost or doubled where keys are pasted. */
const pem = (text: string): string => {
  const body = text
    .replaceAll('\\n', '\n')
    .replace(/-----(BEGIN|END) PRIVATE KEY-----/g, '')
    .replace(/\s+/g, '')
  return `-----BEGIN PRIVATE KEY-----\n${body.replace(/(.{64})/g, '$1\n').trim()}\n-----END PRIVATE KEY-----\n`
}

const read = (key: string): VertexCredential | undefined => {
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
    privateKey: pem(privateKey),
    tokenUri: textOf(json.token_uri) || defaultTokenUri,
  }
}

const most = 200
const known = new Map<string, VertexCredential | undefined>()

/** Documents are long and read on every call, so they are remembered; undefined for what is neither. */
export const vertexCredential = (key: string): VertexCredential | undefined => {
  if (known.has(key)) return known.get(key)
  if (known.size >= most) known.clear()
  const credential = read(key)
  known.set(key, credential)
  return credential
}
