import { promptTokens, type Usage } from '../../billing/usage.ts'

/** Additional tokens that are accepted: providers and applications add prompts of their own, some recorded ones of 18,000 tokens. */
export const usualExtra = 50_000

/**
 * Members that add more than their text to the prompt: pictures, sound and files, inline or by reference, and stored objects. Only the
 * model's context limits such a prompt.
 */
const standsForMore =
  /"(?:\w*(?:url|uri)|file|files|file_ids?|file_?data|input_(?:file|image|audio|video)|images?|audio|videos?|inline_?data|source|document|previous_response_id|conversation|cached_?content|container|prompt_id|vector_store_ids|data_sources|s3location|thread_id|assistant_id)"|"prompt"\s*:\s*\{/i

/**
 * True if a prompt is possible for the sent bytes, as no token is shorter than a byte and all of it may be read `times` times. The texts
 * are searched once, only for a larger report.
 */
export const fitsIn = (texts: readonly (Buffer | undefined)[], times: number): ((usage: Usage) => boolean) => {
  const bytes = times * Math.max(0, ...texts.map((text) => text?.length ?? 0))
  let isOpen: boolean | undefined
  return (usage) => {
    if (promptTokens(usage) <= bytes + usualExtra) return true
    isOpen ??= texts.some((text) => text !== undefined && standsForMore.test(text.toString('latin1')))
    return isOpen
  }
}
