import { estimatePrompt, measure } from '../../billing/counting/prompt.ts'
import type { RelayCall } from '../call.ts'
import { promptReaderOf } from './prompt-reader.ts'

/** Bodies up to this size are judged by their length; in larger ones images and the like would count as text. */
const small = 8 * 1024

type Expectable = Pick<RelayCall, 'raw' | 'body' | 'model'> & Partial<Pick<RelayCall, 'survey' | 'dialect'>>

/** Prompt tokens of a call, roughly and at once: for the reservation, which must not wait for a tokenizer. */
export const expectedPrompt = (call: Expectable): number => {
  const { survey } = call
  if (survey !== undefined && survey.model === call.model) return survey.tokens + estimatePrompt(survey.textBytes)
  if (call.raw.length <= small) return estimatePrompt(call.raw.length)
  const { texts, tokens } = measure(promptReaderOf(call), call.model, call.body)
  return tokens + estimatePrompt(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0))
}

/** Characters that are to be spoken, which some models count instead of tokens; 0 for calls of another kind. */
export const spokenLength = ({ endpoint, body }: Pick<RelayCall, 'endpoint' | 'body'>): number =>
  endpoint === 'speech' && typeof body.input === 'string' ? body.input.length : 0

/** The same as providers count characters: a pair of surrogates is one. */
export const spokenCharacters = ({ endpoint, body }: Pick<RelayCall, 'endpoint' | 'body'>): number =>
  endpoint === 'speech' && typeof body.input === 'string' ? [...body.input].length : 0
