import { isObject, type JsonObject, listOf } from './json.ts'

/** Log probabilities of tokens in OpenAI's shape: `{content: [{token, logprob, bytes, top_logprobs}]}`. */

export const logprobEntries = (logprobs: unknown): readonly unknown[] =>
  isObject(logprobs) ? listOf(logprobs.content) : []

/** undefined if `entries` is empty. */
export const logprobsOf = (entries: readonly unknown[]): JsonObject | undefined =>
  entries.length === 0 ? undefined : { content: entries }
