import { type JsonObject, membersOf, numberIn, textOf } from '../../dialects/conversation/json.ts'
import type { UpstreamError } from '../../dialects/dialect.ts'
import { statusFrom } from '../dialects/openai-shaped.ts'

/**
 * MiniMax's error code → HTTP status. MiniMax sends errors with status 200 (platform.minimaxi.com/docs/api-reference/errorcode).
 */
const statuses: readonly (readonly [RegExp, number])[] = [
  [/^(1004|2049)$/, 401],
  [/^(1008|2056)$/, 402],
  [/^(1002|1039|1041|2045)$/, 429],
  [/^1001$/, 504],
  [/^(1026|1027|1042|1043|2013|20132|2037|2039|2048)$/, 400],
]

export const errorOf = (json: JsonObject): UpstreamError | undefined => {
  const { status_code: number, status_msg: message } = membersOf(json.base_resp)
  if ((numberIn(number) ?? 0) === 0) return undefined
  const code = String(number)
  return { message: textOf(message), type: 'minimax_error', code, status: statusFrom(statuses, code) }
}
