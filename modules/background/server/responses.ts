import { isObject, type JsonObject, membersOf, parsedJson, textIn } from '#server/dialects/conversation/json.ts'
import { storage } from '#server/dialects/openai-responses/storage.ts'
import type { CollectedAnswer } from '#server/gateway/own-calls/collecting-client.ts'

/** A response in the background as it stands (platform.openai.com/docs/api-reference/responses/object). */
export const unfinished = (
  status: 'queued' | 'in_progress' | 'cancelled' | 'failed',
  about: { readonly id: string; readonly model: string; readonly createdAt: number; readonly body: JsonObject },
): JsonObject => {
  const { id, model, createdAt, body } = about
  const first = { id, object: 'response', created_at: createdAt, status, background: true, model }
  const empty = { error: null, incomplete_details: null, output: [], usage: null }
  return storage.stored({ ...first, ...empty }, body)
}

/**
 * A response, or the reason why there is none; `isPassing` where the call may succeed later, `isRefused` where its key cannot make it any
 * more: it may have been charged before that.
 */
export type Outcome =
  | { readonly kind: 'answered'; readonly answer: JsonObject }
  | {
      readonly kind: 'failed'
      readonly code: string
      readonly message: string
      readonly isPassing: boolean
      readonly isRefused?: boolean
    }

const passing: ReadonlySet<number> = new Set([408, 409, 429, 503, 529])
const refusals: ReadonlySet<number> = new Set([401, 402, 403, 404])

/** UTF-16 units of an error that a response repeats. */
const longestMessage = 2000

export const outcomeOf = ({ status, bytes, isCut }: CollectedAnswer): Outcome => {
  const json = parsedJson(bytes.toString())
  if (status >= 200 && status < 300 && !isCut && isObject(json)) return { kind: 'answered', answer: json }
  const error = membersOf(membersOf(json).error)
  const message = textIn(error.message) ?? 'The answer broke off or was too large to be stored'
  const code = textIn(error.code) ?? 'server_error'
  const [isPassing, isRefused] = [passing.has(status), refusals.has(status)]
  return { kind: 'failed', code, message: message.slice(0, longestMessage), isPassing, isRefused }
}
