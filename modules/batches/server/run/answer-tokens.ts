import { isObject, parseJson } from '@tollgate/contract/json'
import { cachedTokens, completionTokens, promptTokens } from '#server/billing/usage.ts'
import { usageInBatch } from '#server/relay/batches/billing/answer-usage.ts'
import { isSuccess, type LineOutcome } from '../forms/batch-form.ts'

/** Tokens of answers, as an object of a batch states them. */
export interface AnswerTokens {
  readonly input_tokens: number
  /** Of the input. */
  readonly cached_tokens: number
  readonly output_tokens: number
  /** Of the output. */
  readonly reasoning_tokens: number
}

export const noTokens: AnswerTokens = { input_tokens: 0, cached_tokens: 0, output_tokens: 0, reasoning_tokens: 0 }

/** Tokens that the answer of a line states; none where it states none. */
export const tokensOf = (outcome: LineOutcome): AnswerTokens => {
  if (outcome.kind !== 'answered' || !isSuccess(outcome)) return noTokens
  const answer = parseJson(outcome.body)
  const usage = isObject(answer) ? usageInBatch(answer, '', outcome.body.length).usage : undefined
  if (usage === undefined) return noTokens
  return {
    input_tokens: promptTokens(usage),
    cached_tokens: cachedTokens(usage),
    output_tokens: completionTokens(usage),
    reasoning_tokens: usage.reasoning,
  }
}

export const addedTokens = (one: AnswerTokens, other: AnswerTokens): AnswerTokens => ({
  input_tokens: one.input_tokens + other.input_tokens,
  cached_tokens: one.cached_tokens + other.cached_tokens,
  output_tokens: one.output_tokens + other.output_tokens,
  reasoning_tokens: one.reasoning_tokens + other.reasoning_tokens,
})
