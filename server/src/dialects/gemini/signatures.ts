import type { DialectName, ThinkingPart } from '../conversation.ts'

/** Google's clients take signatures for bytes, so somebody else's travel as base64 that says whose they are. */
const mark = 'tollgate:'
const pattern = /^tollgate:(openai-chat|openai-responses|anthropic):(s|e):(.*)$/s

export const wrapped = ({
  by,
  signature,
  encrypted,
}: Pick<ThinkingPart, 'by' | 'signature' | 'encrypted'>): string | undefined => {
  if (encrypted === undefined && signature === undefined) return undefined
  if (by === 'gemini' || by === undefined) return signature ?? encrypted
  const text = encrypted === undefined ? `s:${signature}` : `e:${encrypted}`
  return Buffer.from(`${mark}${by}:${text}`).toString('base64')
}

/** The inverse; a signature without our mark is Google's own. */
export const unwrapped = (value: string | undefined): Pick<ThinkingPart, 'by' | 'signature' | 'encrypted'> => {
  if (value === undefined) return { by: 'gemini' }
  const [, by, kind, text = ''] = pattern.exec(Buffer.from(value, 'base64').toString()) ?? []
  if (by === undefined) return { by: 'gemini', signature: value }
  const maker = by as DialectName
  return kind === 'e' ? { by: maker, encrypted: text } : { by: maker, signature: text }
}
