import type { DialectName, ThinkingPart } from './conversation.ts'

type Signed = Pick<ThinkingPart, 'by' | 'signature' | 'encrypted'>

const mark = 'tollgate:'
const pattern = /^tollgate:([a-z][a-z0-9-]{0,40}):(s|e):(.*)$/s

/**
 * The signature of a thinking part for clients of the dialect `own`. Signatures of other dialects get a mark with the dialect's name,
 * so that later turns can return them to their provider. undefined if there is no signature.
 */
export const wrapSignature = ({ by, signature, encrypted }: Signed, own: DialectName): string | undefined => {
  if (encrypted === undefined && signature === undefined) return undefined
  if (by === own || by === undefined) return signature ?? encrypted
  return `${mark}${by}:${encrypted === undefined ? `s:${signature}` : `e:${encrypted}`}`
}

/** Reads a marked signature; undefined if the text has no mark. */
export const unwrapSignature = (text: string): Signed | undefined => {
  const [, by, kind, value = ''] = pattern.exec(text) ?? []
  if (by === undefined) return undefined
  if (value === '') return { by }
  return kind === 'e' ? { by, encrypted: value } : { by, signature: value }
}

/** The mark for unsigned thinking parts: without it clients would take them for their own provider's. */
export const unsigned = (by: DialectName = 'openai-chat'): string => `${mark}${by}:s:`

/** Beginnings of marked signatures in JSON: the plain mark, and the mark in base64. */
export const signatureMarks: readonly string[] = [`"${mark}`, '"dG9sbGdhdGU']
const markBytes = signatureMarks.map((text) => Buffer.from(text))

/** True if a JSON body may hold marked signatures. Scans the whole body: 30 MB take 40 ms. */
export const holdsMarkedSignature = (body: Buffer | string): boolean =>
  typeof body === 'string'
    ? signatureMarks.some((text) => body.includes(text))
    : markBytes.some((bytes) => body.includes(bytes))
