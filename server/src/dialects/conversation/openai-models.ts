import { type ModelFacts, nearestEffort, takesSampling } from '../facts/model-facts.ts'
import { rulesOf } from '../facts/models.ts'
import type { Conversation, Effort } from './conversation.ts'
import { effortOf } from './effort.ts'
import type { UnsupportedFields } from './unsupported-fields.ts'

/** Adapts conversations to a model by the limits of its family (`facts/models.ts`). */

/** True if the model accepts any reasoning effort. */
export const takesEffort = (model: string): boolean => (rulesOf(model)?.efforts ?? []).length > 0

/** The effort to send. Reports `reasoning` as unsupported if the client turns reasoning off but the model always reasons. */
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

/** Removes fields that the model refuses. Reports those that differ from the default as unsupported. */
export const withoutRefused = (conversation: Conversation, unsupported: UnsupportedFields): Conversation => {
  const rules: ModelFacts | undefined = rulesOf(conversation.model)
  if (rules === undefined) return conversation
  const effort = conversation.reasoning && effortOf(conversation.reasoning)
  const sampled = takesSampling(rules, effort) ? conversation : withoutSampling(conversation, unsupported)
  return rules.stop === false ? withoutStop(sampled, unsupported) : sampled
}

/** True if chat completions refuse functions while the model reasons. */
export const thinksWithoutTools = (model: string): boolean => rulesOf(model)?.chatTools !== undefined
