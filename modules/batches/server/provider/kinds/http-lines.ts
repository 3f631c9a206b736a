import {
  isObject,
  type JsonObject,
  membersOf,
  numberIn,
  parsedJson,
  textOf,
} from '#server/dialects/conversation/json.ts'
import { lineNamed, type ProviderResult } from './provider-kind.ts'

/** Codes of lines that were not begun. */
const skippedCodes: ReadonlySet<string> = new Set(['batch_cancelled', 'batch_expired'])

const bodyOf = (body: unknown): JsonObject | undefined => {
  const value = typeof body === 'string' ? parsedJson(body) : body
  return isObject(value) ? value : undefined
}

/** A result with the HTTP answer of its request, as OpenAI and others write it; some have its body as text. */
export const readHttpLine = ({ custom_id: name, response, error }: JsonObject): ProviderResult | undefined => {
  const line = lineNamed(name)
  if (line === undefined) return undefined
  const { status_code: status, body } = membersOf(response)
  const answer = bodyOf(body)
  if (answer !== undefined) {
    return { kind: 'answered', line, status: numberIn(status) ?? 200, body: Buffer.from(JSON.stringify(answer)) }
  }
  const { code, message } = membersOf(error)
  if (skippedCodes.has(textOf(code))) return { kind: 'skipped', line }
  const stated = { message: textOf(message) || 'The provider could not make this request.', type: 'server_error' }
  return { kind: 'answered', line, status: 400, body: Buffer.from(JSON.stringify({ error: { ...stated, code } })) }
}
