import { estimatePrompt, measure } from '../billing/counting/prompt.ts'
import { membersOf } from '../dialects/json.ts'
import { tierOf } from '../dialects/tools-used.ts'
import type { RelayCall } from './call.ts'

/** Bodies up to this size are judged by their length; in larger ones images and the like would count as text. */
const small = 8 * 1024

/** Prompt tokens of a call, roughly and at once: for the reservation, which must not wait for a tokenizer. */
export const expectedPrompt = (call: Pick<RelayCall, 'raw' | 'body' | 'path' | 'model'>): number => {
  if (call.raw.length <= small) return estimatePrompt(call.raw.length)
  const { texts, tokens } = measure(call.model, call.path, call.body)
  return tokens + estimatePrompt(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0))
}

const number = (value: unknown): number => (typeof value === 'number' ? value : 0)

/** The service tier that a client asks for, in any dialect: Anthropic's fast one is a speed. undefined for the standard one. */
export const tierAsked = ({ service_tier: tier, serviceTier, speed }: RelayCall['body']): string | undefined =>
  speed === 'fast' ? 'fast' : (tierOf(tier) ?? tierOf(serviceTier))

/** The largest of the limits that a client may set, in any dialect; 0 for none. */
export const maxTokensOf = (body: RelayCall['body']): number => {
  const config = membersOf(body.generationConfig ?? body.generation_config)
  return Math.max(
    number(body.max_tokens),
    number(body.max_completion_tokens),
    number(body.max_output_tokens),
    number(config.maxOutputTokens ?? config.max_output_tokens),
  )
}

/** Characters that are to be spoken, which some models count instead of tokens; 0 for calls of another kind. */
export const spokenLength = ({ endpoint, body }: Pick<RelayCall, 'endpoint' | 'body'>): number =>
  endpoint === 'speech' && typeof body.input === 'string' ? body.input.length : 0
