import { type ModelRules, nearestEffort, rulesOf, takesSampling } from '../openai-chat/model-rules.ts'
import type { Conversation, Effort } from './conversation.ts'
import { effortOf } from './effort.ts'
import type { UnsupportedFields } from './unsupported-fields.ts'

/** What a conversation becomes for a model, by the table of what model families take (`openai-chat/model-rules.ts`). */

/** Whether a model takes a reasoning effort at all. */
export const takesEffort = (model: string): boolean => (rulesOf(model)?.efforts ?? []).length > 0

/** The effort for a model; a model that cannot stop thinking loses the wish. */
export const openaiEffort = (
  { reasoning, model }: Conversation,
  unsupported: UnsupportedFields,
): Effort | undefined => {
  const requested = reasoning && effortOf(reasoning)
  if (requested === undefined) return undefined
  const effort = nearestEffort(rulesOf(model)?.efforts, requested)
  if (requested === 'none' && effort !== 'none') unsupported.add('reasoning')
  return effort
}

const withoutSampling = (conversation: Conversation, unsupported: UnsupportedFields): Conversation => {
  const { temperature, topP, frequencyPenalty, presencePenalty, logprobs, topLogprobs, ...rest } = conversation
  const refused = {
    temperature: temperature === 1 ? undefined : temperature,
    top_p: topP === 1 ? undefined : topP,
    frequency_penalty: frequencyPenalty || undefined,
    presence_penalty: presencePenalty || undefined,
    logprobs: logprobs || undefined,
    top_logprobs: topLogprobs,
  }
  for (const [name, value] of Object.entries(refused)) if (value !== undefined) unsupported.add(name)
  return rest
}

const withoutStop = (conversation: Conversation, unsupported: UnsupportedFields): Conversation => {
  const { stop, ...rest } = conversation
  if (stop === undefined) return conversation
  if (stop.length > 0) unsupported.add('stop')
  return rest
}

/** What a model would refuse is taken away, and named where it asks for something. */
export const withoutRefused = (conversation: Conversation, unsupported: UnsupportedFields): Conversation => {
  const rules: ModelRules | undefined = rulesOf(conversation.model)
  if (rules === undefined) return conversation
  const effort = conversation.reasoning && effortOf(conversation.reasoning)
  const sampled = takesSampling(rules, effort) ? conversation : withoutSampling(conversation, unsupported)
  return rules.stop === false ? withoutStop(sampled, unsupported) : sampled
}

/** Whether chat completions refuse functions while the model thinks. */
export const thinksWithoutTools = (model: string): boolean => rulesOf(model)?.chatTools !== undefined
