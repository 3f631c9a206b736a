const keyLike = /\b(?:sk|xai|gsk|pplx|AIza)[-_]?[A-Za-z0-9_-]{16,}/g
const bearer = /\b(Bearer\s+)[A-Za-z0-9._~+/-]{8,}=*/gi
const privateAddress =
  /\b(?:10|127|169\.254|172\.(?:1[6-9]|2\d|3[01])|192\.168)(?:\.\d{1,3}){2,3}(?::\d{1,5})?\b|\blocalhost(?::\d{1,5})?\b/g

const hostOf = (url: string): string => /^[a-z]+:\/\/([^/?#]+)/i.exec(url)?.[1] ?? ''

/** The key and its parts, where it has several: `id|secret`, `id.secret`. */
const partsOf = (key: string): string[] => [key, ...key.split(/[|.]/).filter((part) => part.length > 7)]

/** Cuts only the channel's key out of an answer for clients, whose addresses may be content. The same buffer where there is none. */
export const withoutKey = (bytes: Buffer, key: string): Buffer => openKeyCutter(key)(bytes)

/** `withoutKey` for the pieces of a stream. */
export const openKeyCutter = (key: string): ((bytes: Buffer) => Buffer) => {
  const parts = partsOf(key).filter((part) => part.length > 7)
  const needles = parts.map((part) => Buffer.from(part))
  return (bytes) =>
    needles.some((needle) => bytes.includes(needle))
      ? Buffer.from(parts.reduce((rest, part) => rest.replaceAll(part, '***'), bytes.toString()))
      : bytes
}

/** Cuts everything that looks like a key out of a text. */
export const withoutKeyLike = (text: string): string => text.replace(keyLike, '***').replace(bearer, '$1***')

/** Cuts the channel's key and address and anything that looks like a key out of a text. */
const withoutSecrets = (text: string, secrets: { readonly key: string; readonly baseUrl: string }): string => {
  const hidden = [...partsOf(secrets.key), secrets.baseUrl, hostOf(secrets.baseUrl)].filter(
    (secret) => secret.length > 3,
  )
  const cut = hidden.reduce((rest, secret) => rest.replaceAll(secret, '***'), text)
  return cut.replace(keyLike, '***')
}

/** Cuts the channel's key and address, anything that looks like a key, and private addresses out of a text. */
export const redact = (text: string, secrets: { readonly key: string; readonly baseUrl: string }): string =>
  withoutSecrets(text, secrets).replace(privateAddress, '***')

/** For operators, who may read their own addresses: cuts the key and anything that looks like one out of a text. */
export const redactForOperator = (text: string, key: string): string => withoutSecrets(text, { key, baseUrl: '' })

/** Names of the operator's accounts as providers write them: ARNs, organizations and projects. */
const accountLike =
  /\barn:aws[a-z-]*:[^\s"',]+|\b(?:org|proj)[-_][A-Za-z0-9]{8,}|\b(?<=projects\/)[^\s/"'`,]+|\b(?<=project )\d{6,}/g

/** The text without the operator's accounts. */
export const withoutAccounts = (text: string, organization: string): string =>
  (organization.length > 3 ? text.replaceAll(organization, '***') : text).replace(accountLike, '***')
