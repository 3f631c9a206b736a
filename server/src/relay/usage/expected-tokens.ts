import { estimatePrompt, measure } from '../../billing/counting/prompt.ts'
import { anyTier } from '../../billing/reserve.ts'
import { membersOf } from '../../dialects/conversation/json.ts'
import { tierOf } from '../../dialects/tools/tools-used.ts'
import type { RelayCall } from '../call.ts'

/** Bodies up to this size are judged by their length; in larger ones images and the like would count as text. */
const small = 8 * 1024

/** Prompt tokens of a call, roughly and at once: for the reservation, which must not wait for a tokenizer. */
export const expectedPrompt = (call: Pick<RelayCall, 'raw' | 'body' | 'path' | 'model' | 'survey'>): number => {
  const { survey } = call
  if (survey !== undefined && survey.model === call.model) return survey.tokens + estimatePrompt(survey.textBytes)
  if (call.raw.length <= small) return estimatePrompt(call.raw.length)
  const { texts, tokens } = measure(call.model, call.path, call.body)
  return tokens + estimatePrompt(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0))
}

/** Some upstreams read a number that is written as text, so it counts here too; 0 for what is no number. */
export const numberOf = (value: unknown): number => {
  if (typeof value === 'number') return value
  return typeof value === 'string' ? Number(value) || 0 : 0
}

/**
 * The service tier that a client asks for, in any dialect: Anthropic's fast one is a speed. `anyTier` where it leaves the
 * choice to the provider; undefined for the standard one.
 */
export const tierAsked = ({ service_tier: tier, serviceTier, speed }: RelayCall['body']): string | undefined => {
  if (speed === 'fast') return 'fast'
  return tier === anyTier ? anyTier : (tierOf(tier) ?? tierOf(serviceTier))
}

/** The largest of the limits that a client may set, in any dialect; 0 for none. */
export const maxTokensOf = (body: RelayCall['body']): number => {
  const config = membersOf(body.generationConfig ?? body.generation_config)
  return Math.max(
    numberOf(body.max_tokens),
    numberOf(body.max_completion_tokens),
    numberOf(body.max_output_tokens),
    numberOf(config.maxOutputTokens ?? config.max_output_tokens),
  )
}

/** Characters that are to be spoken, which some models count instead of tokens; 0 for calls of another kind. */
export const spokenLength = ({ endpoint, body }: Pick<RelayCall, 'endpoint' | 'body'>): number =>
  endpoint === 'speech' && typeof body.input === 'string' ? body.input.length : 0
