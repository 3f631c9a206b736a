import { type Members, membersOf, objectsOf, textOf } from '../../dialects/conversation/json.ts'
import type { UpstreamError } from '../../dialects/dialect.ts'

/** What `ProviderCall.path` is where a model is run in its own words (developers.cloudflare.com/workers-ai/get-started/rest-api). */
export const runPath = '/run'

/** Cloudflare's API lists what went wrong (developers.cloudflare.com/api). */
export const errorOf = (json: Members): UpstreamError | undefined => {
  const [first] = objectsOf(json.errors)
  return first && { message: textOf(first.message), code: String(first.code ?? '') }
}

/** What the model said; Cloudflare puts it into an envelope. */
export const resultOf = (json: Members): Members => membersOf(json.result)
