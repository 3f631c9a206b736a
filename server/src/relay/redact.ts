const keyLike = /\b(?:sk|xai|gsk|pplx|AIza)[-_]?[A-Za-z0-9_-]{16,}/g
const privateAddress =
  /\b(?:10|127|169\.254|172\.(?:1[6-9]|2\d|3[01])|192\.168)(?:\.\d{1,3}){2,3}(?::\d{1,5})?\b|\blocalhost(?::\d{1,5})?\b/g

const hostOf = (url: string): string => /^[a-z]+:\/\/([^/?#]+)/i.exec(url)?.[1] ?? ''

/** Cuts the channel's key and address, anything that looks like a key, and private addresses out of a text. */
export const redact = (text: string, secrets: { readonly key: string; readonly baseUrl: string }): string => {
  // Keys of several parts: `id|secret`, `id.secret`.
  const parts = secrets.key.split(/[|.]/).filter((part) => part.length > 7)
  const hidden = [secrets.key, ...parts, secrets.baseUrl, hostOf(secrets.baseUrl)].filter((secret) => secret.length > 3)
  const cut = hidden.reduce((rest, secret) => rest.replaceAll(secret, '***'), text)
  return cut.replace(keyLike, '***').replace(privateAddress, '***')
}
