import { type JsonObject, membersOf, numberIn, textOf } from './conversation/json.ts'
import type { UpstreamError } from './dialect.ts'

/**
 * MiniMax's error code → HTTP status. MiniMax and those that resell it write errors into `base_resp`, with status 200
 * (platform.minimaxi.com/docs/api-reference/errorcode).
 */
const statuses: readonly (readonly [RegExp, number])[] = [
  [/^(1004|2049)$/, 401],
  [/^(1008|2056)$/, 402],
  [/^(1002|1039|1041|2045)$/, 429],
  [/^1001$/, 504],
  [/^(1026|1027|1042|1043|2013|20132|2037|2039|2048)$/, 400],
]

/** The error of an answer or a chunk; undefined where it has none. */
export const failureInBaseResp = (json: JsonObject): UpstreamError | undefined => {
  if (json.base_resp === undefined) return undefined
  const { status_code: number, status_msg: message } = membersOf(json.base_resp)
  if ((numberIn(number) ?? 0) === 0) return undefined
  const code = String(number)
  const status = statuses.find(([pattern]) => pattern.test(code))?.[1] ?? 502
  return { message: textOf(message), type: 'minimax_error', code, status }
}
