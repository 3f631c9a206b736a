import { measure, type PromptReader } from '../../billing/counting/prompt.ts'
import type { LargePrompt } from '../../billing/counting/token-counter.ts'
import { holdsMarkedSignature } from '../../dialects/conversation/signatures.ts'
import type { BodySurvey, RelayCall } from '../call.ts'
import { isSensitive } from '../sensitive.ts'

type Surveyed = Pick<RelayCall, 'raw' | 'body' | 'text' | 'model'>

/** Looks through a body once. Runs in the thread that parsed it. */
export const surveyOf = (call: Surveyed, reader: PromptReader, words: readonly string[]): BodySurvey => {
  const { texts, tokens } = measure(reader, call.model, call.body)
  const textBytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  return {
    model: call.model,
    tokens,
    textBytes,
    words,
    hasWord: isSensitive(call, words, reader),
    hasMarkedSignature: holdsMarkedSignature(call.raw),
  }
}

/** A large body for the token counter; undefined for others. */
export const largePrompt = ({ survey, raw }: Pick<RelayCall, 'survey' | 'raw'>): LargePrompt | undefined =>
  survey && { raw, tokens: survey.tokens, textBytes: survey.textBytes }
