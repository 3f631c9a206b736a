import { measure } from '../../billing/counting/prompt.ts'
import type { LargePrompt } from '../../billing/counting/token-counter.ts'
import type { RelayCall } from '../call.ts'
import { isSensitive } from '../sensitive.ts'
import type { BodySurvey } from './large-body.ts'

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
