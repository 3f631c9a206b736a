import { verify, type X509Certificate } from 'node:crypto'

const sizes = ['256', '384', '512']
const signing = 'http://www.w3.org/2001/04/xmldsig-more#'

/** Algorithms of XML signatures that count: RSA and ECDSA with SHA-256 or better. */
const algorithms = new Map<string, { readonly hash: string; readonly kind: 'rsa' | 'ec' }>([
  ...sizes.map((size) => [`${signing}rsa-sha${size}`, { hash: `sha${size}`, kind: 'rsa' }] as const),
  ...sizes.map((size) => [`${signing}ecdsa-sha${size}`, { hash: `sha${size}`, kind: 'ec' }] as const),
])

const decodedValue = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

/**
 * Checks the signature of a request that came by redirect (SAML 2.0 Bindings, 3.4.4.1): it covers the query as it was sent,
 * byte by byte. `search` is that query. Answers the values, or undefined where the signature is missing, wrong or of a weak algorithm, or a
 * name occurs twice.
 */
export const signedRequest = (
  search: string,
  certificates: readonly X509Certificate[],
): { readonly request: string; readonly relayState: string } | undefined => {
  const sent = new Map<string, string>()
  for (const part of search.replace(/^\?/, '').split('&')) {
    const at = part.indexOf('=')
    const name = at < 0 ? part : part.slice(0, at)
    if (sent.has(name)) return undefined
    sent.set(name, at < 0 ? '' : part.slice(at + 1))
  }
  const value = (name: string): string | undefined => {
    const text = sent.get(name)
    return text === undefined ? undefined : decodedValue(text)
  }
  const [request, signature, algorithm] = [
    value('SAMLRequest'),
    value('Signature'),
    algorithms.get(value('SigAlg') ?? ''),
  ]
  if (request === undefined || signature === undefined || algorithm === undefined) return undefined
  const signed = ['SAMLRequest', 'RelayState', 'SigAlg']
    .filter((name) => sent.has(name))
    .map((name) => `${name}=${sent.get(name)}`)
    .join('&')
  const isRight = certificates.some(({ publicKey }) => {
    if (publicKey.asymmetricKeyType !== algorithm.kind) return false
    const key = algorithm.kind === 'ec' ? { key: publicKey, dsaEncoding: 'ieee-p1363' as const } : publicKey
    return verify(algorithm.hash, Buffer.from(signed), key, Buffer.from(signature, 'base64'))
  })
  return isRight ? { request, relayState: value('RelayState') ?? '' } : undefined
}
