import { measure } from '../../billing/counting/prompt.ts'
import type { LargePrompt } from '../../billing/counting/token-counter.ts'
import type { RelayCall } from '../call.ts'
import { isSensitive } from '../sensitive.ts'

/**
 * What the thread that parsed a large body found out about it: looking through megabytes of texts takes the main thread as
 * long as parsing them. It holds for the model and the words that it was made for.
 */
export interface BodySurvey {
  readonly model: string
  /** Prompt tokens that are known without a tokenizer, of images and the like. */
  readonly tokens: number
  /** Bytes of the texts that cost tokens. */
  readonly textBytes: number
  /** Lower-cased words that were looked for. */
  readonly words: readonly string[]
  readonly hasWord: boolean
}

type Surveyed = Pick<RelayCall, 'raw' | 'body' | 'text' | 'path' | 'model'>

/** Looks through a body once. Runs in the thread that parsed it. */
export const surveyOf = (call: Surveyed, words: readonly string[]): BodySurvey => {
  const { texts, tokens } = measure(call.model, call.path, call.body)
  const textBytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  return { model: call.model, tokens, textBytes, words, hasWord: isSensitive(call, words) }
}

/** A large body for the token counter; undefined for others. */
export const largePrompt = ({ survey, raw }: Pick<RelayCall, 'survey' | 'raw'>): LargePrompt | undefined =>
  survey && { raw, tokens: survey.tokens, textBytes: survey.textBytes }
