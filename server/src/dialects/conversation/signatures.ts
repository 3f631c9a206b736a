import type { DialectName, ThinkingPart } from './conversation.ts'

type Signed = Pick<ThinkingPart, 'by' | 'signature' | 'encrypted'>

const mark = 'tollgate:'
const pattern = /^tollgate:([a-z][a-z0-9-]{0,40}):(s|e):(.*)$/s

/**
 * The signature of a thought for clients of the dialect `own`: as it is when it is of their kind, else with a mark that says
 * whose it is, so that it can be given back to its maker. undefined when there is none.
 */
export const wrapSignature = ({ by, signature, encrypted }: Signed, own: DialectName): string | undefined => {
  if (encrypted === undefined && signature === undefined) return undefined
  if (by === own || by === undefined) return signature ?? encrypted
  return `${mark}${by}:${encrypted === undefined ? `s:${signature}` : `e:${encrypted}`}`
}

/** The inverse; undefined when the text carries no mark of ours. */
export const unwrapSignature = (text: string): Signed | undefined => {
  const [, by, kind, value = ''] = pattern.exec(text) ?? []
  if (by === undefined) return undefined
  if (value === '') return { by }
  return kind === 'e' ? { by, encrypted: value } : { by, signature: value }
}

/** For thoughts that nobody has signed, where clients would take them for their own provider's otherwise. */
export const unsigned = (by: DialectName = 'openai-chat'): string => `${mark}${by}:s:`

/** As they begin in JSON: with the mark, or with that in base64. */
const marks = [`"${mark}`, '"dG9sbGdhdGU']
const markBytes = marks.map((text) => Buffer.from(text))

/** Whether a body in JSON may hold signatures that carry our mark. Reads all of it: 30 MB take 40 ms. */
export const holdsMarkedSignature = (body: Buffer | string): boolean =>
  typeof body === 'string' ? marks.some((text) => body.includes(text)) : markBytes.some((bytes) => body.includes(bytes))
