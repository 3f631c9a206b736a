import { type JsonObject, membersOf, objectsOf, textOf } from '../../dialects/conversation/json.ts'
import type { UpstreamError } from '../../dialects/dialect.ts'

/** `ProviderCall.path` of calls to a model's native API (developers.cloudflare.com/workers-ai/get-started/rest-api). */
export const runPath = '/run'

/** The first of the errors that Cloudflare's API lists (developers.cloudflare.com/api). */
export const errorOf = (json: JsonObject): UpstreamError | undefined => {
  const [first] = objectsOf(json.errors)
  return first && { message: textOf(first.message), code: String(first.code ?? '') }
}

/** The model's output, which Cloudflare wraps in `result`. */
export const resultOf = (json: JsonObject): JsonObject => membersOf(json.result)
