import { completionTokens, promptTokens } from '../../billing/usage.ts'
import type { RelayCall } from '../call.ts'
import type { TokenCounter } from '../ports.ts'
import type { Used } from './billed-usage.ts'
import { largePrompt } from './body-survey.ts'

/** True if the answer cannot come from an empty prompt. */
const needsPrompt = ({ endpoint, dialect }: RelayCall): boolean => dialect !== undefined || endpoint === 'completions'

const lacksPrompt = ({ usage }: Used): boolean => promptTokens(usage) === 0 && completionTokens(usage) > 0

const counted = async (used: Used, call: RelayCall, model: string, counter: TokenCounter): Promise<Used> => {
  const input = await counter.prompt(model, call.path, call.body, largePrompt(call))
  return { ...used, usage: { ...used.usage, input }, estimated: true }
}

/**
 * Counts the prompt with the model's tokenizer where only the output is reported, as Ollama does for a prompt that it had cached;
 * the output stays as it was reported. The result is marked as estimated.
 */
export const withCountedPrompt = (
  used: Used | Promise<Used>,
  call: RelayCall,
  model: string,
  counter: TokenCounter,
): Used | Promise<Used> => {
  if (!needsPrompt(call)) return used
  if (used instanceof Promise)
    return used.then((late) => (lacksPrompt(late) ? counted(late, call, model, counter) : late))
  return lacksPrompt(used) ? counted(used, call, model, counter) : used
}
