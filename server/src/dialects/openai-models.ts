import type { Conversation, Effort } from './conversation.ts'
import { effortOf } from './effort.ts'
import type { Losses } from './losses.ts'

/** What OpenAI's models that think take (developers.openai.com/api/docs/guides/reasoning). */

const levels: readonly Effort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']

/** First match wins. Models after 5.1 think only when they are asked to. */
const efforts: readonly (readonly [RegExp, readonly Effort[]])[] = [
  [/^gpt-5-pro/, ['high']],
  [/^gpt-5\.\d+-pro/, ['medium', 'high', 'xhigh']],
  [/^gpt-5(-mini|-nano)?(-\d{4}|$)/, ['minimal', 'low', 'medium', 'high']],
  [/^gpt-5\.1-codex-max|^gpt-5\.[2-9]\d*-codex/, ['low', 'medium', 'high', 'xhigh']],
  [/^(o\d|gpt-5(\.1)?-codex|codex|gpt-oss)/, ['low', 'medium', 'high']],
  [/^gpt-5\.1(?!\d)/, ['none', 'low', 'medium', 'high']],
  [/^gpt-5\.\d/, ['none', 'low', 'medium', 'high', 'xhigh']],
]

const effortsOf = (model: string): readonly Effort[] | undefined =>
  /-chat(-|$)/.test(model) ? undefined : efforts.find(([pattern]) => pattern.test(model))?.[1]

/** Whether a model takes a reasoning effort at all. */
export const takesEffort = (model: string): boolean => effortsOf(model) !== undefined

/** The effort nearest to the one asked for that the model takes, rather more than less; others would be refused. */
const nearestEffort = (model: string, asked: Effort): Effort => {
  const taken = effortsOf(model) ?? levels
  const at = levels.indexOf(asked)
  const distance = (effort: Effort): number => Math.abs(levels.indexOf(effort) - at)
  return taken.toReversed().toSorted((a, b) => distance(a) - distance(b))[0] ?? asked
}

/** The effort for a model; a model that cannot stop thinking loses the wish. */
export const openaiEffort = ({ reasoning, model }: Conversation, losses: Losses): Effort | undefined => {
  const asked = reasoning && effortOf(reasoning)
  if (asked === undefined) return undefined
  const effort = nearestEffort(model, asked)
  if (asked === 'none' && effort !== 'none') losses.lose('reasoning')
  return effort
}

/** A model that thinks takes no sampling: what it would refuse is taken away, and named. */
export const withoutRefused = (conversation: Conversation, losses: Losses): Conversation => {
  const taken = effortsOf(conversation.model)
  // The open weights take it, wherever they are hosted.
  if (taken === undefined || conversation.model.includes('gpt-oss')) return conversation
  const asked = conversation.reasoning && effortOf(conversation.reasoning)
  if (taken.includes('none') && (asked ?? 'none') === 'none') return conversation
  const { temperature, topP, frequencyPenalty, presencePenalty, logprobs, topLogprobs, stop, ...rest } = conversation
  const refused = {
    temperature: temperature === 1 ? undefined : temperature,
    top_p: topP === 1 ? undefined : topP,
    frequency_penalty: frequencyPenalty || undefined,
    presence_penalty: presencePenalty || undefined,
    logprobs: logprobs || undefined,
    top_logprobs: topLogprobs,
    stop,
  }
  for (const [name, value] of Object.entries(refused)) if (value !== undefined) losses.lose(name)
  return rest
}

/**
 * Whether chat completions refuse tools while the model thinks, which it does unasked since 5.6
 * (github.com/openai/openai-openapi/issues/541).
 */
export const thinksWithoutTools = (model: string): boolean => /^gpt-5\.([4-9]|\d\d)(?!.*-chat)/.test(model)
